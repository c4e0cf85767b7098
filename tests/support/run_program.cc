#include "support/run_program.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

#include "base/check.h"
#include "support/temp_folder.h"

namespace forebay::test {
namespace {

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

}  // namespace

ProgramResult run_program(const std::filesystem::path& program,
                          const std::vector<std::string>& arguments,
                          const ProgramOptions& options) {
  const TempFolder folder;
  const std::string out = folder / "out";
  const std::string err = folder / "err";
  std::vector<std::string> words = {program.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> variables;
  for (const auto& [name, value] : options.environment) variables.push_back(name + "=" + value);
  std::vector<char*> argv = pointers(words);
  std::vector<char*> envp = pointers(variables);
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    const bool ready = chdir(options.folder.c_str()) == 0 &&
                       dup2(open("/dev/null", O_RDONLY), STDIN_FILENO) >= 0 &&
                       dup2(open(out.c_str(), O_WRONLY | O_CREAT, 0600), STDOUT_FILENO) >= 0 &&
                       dup2(open(err.c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO) >= 0;
    if (ready) execve(argv[0], argv.data(), envp.data());
    _exit(127);
  }
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child);
  ProgramResult result;
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = content(out);
  result.err = content(err);
  CHECK(result.code != 127);
  return result;
}

}  // namespace forebay::test
