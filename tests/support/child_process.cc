#include "support/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <iterator>

#include "base/check.h"

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

ChildProcess::ChildProcess(const std::filesystem::path& program,
                           const std::vector<std::string>& arguments,
                           const ProgramOptions& options) {
  const std::string out = folder_ / "out";
  const std::string err = folder_ / "err";
  std::vector<std::string> words = {program.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> variables;
  for (const auto& [name, value] : options.environment) variables.push_back(name + "=" + value);
  std::vector<char*> argv = pointers(words);
  std::vector<char*> envp = pointers(variables);
  pid_ = fork();
  CHECK(pid_ >= 0);
  if (pid_ > 0) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const bool ready = chdir(options.folder.c_str()) == 0 &&
                     dup2(open("/dev/null", O_RDONLY), STDIN_FILENO) >= 0 &&
                     dup2(open(out.c_str(), O_WRONLY | O_CREAT, 0600), STDOUT_FILENO) >= 0 &&
                     dup2(open(err.c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO) >= 0;
  if (ready) execve(argv[0], argv.data(), envp.data());
  _exit(127);
}

ChildProcess::~ChildProcess() {
  if (status_) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

void ChildProcess::signal(int number) const {
  if (!status_) CHECK(::kill(pid_, number) == 0);
}

std::string ChildProcess::output() const { return content(folder_ / "out"); }

std::string ChildProcess::errors() const { return content(folder_ / "err"); }

bool ChildProcess::wait_until_stopped() {
  int status = 0;
  CHECK(waitpid(pid_, &status, WUNTRACED) == pid_);
  if (WIFSTOPPED(status)) return true;
  status_ = status;
  return false;
}

std::optional<ProgramResult> ChildProcess::wait_for(std::chrono::milliseconds limit) {
  if (!status_) {
    const int fd = static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0));
    CHECK(fd >= 0);
    pollfd ended{.fd = fd, .events = POLLIN, .revents = 0};
    const int count = ::poll(&ended, 1, static_cast<int>(limit.count()));
    ::close(fd);
    if (count == 0) return std::nullopt;
    int status = 0;
    CHECK(waitpid(pid_, &status, 0) == pid_);
    status_ = status;
  }
  return result(*status_);
}

ProgramResult ChildProcess::wait() {
  auto ended = wait_for(std::chrono::minutes(5));
  CHECK(ended.has_value());
  return std::move(*ended);
}

ProgramResult ChildProcess::result(int status) {
  ProgramResult result;
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = content(folder_ / "out");
  result.err = content(folder_ / "err");
  CHECK(result.code != 127);
  return result;
}

}  // namespace forebay::test
