#include "net/credentials/program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <optional>
#include <system_error>
#include <utility>

#include "base/check.h"
#include "base/stop.h"

namespace forebay {
namespace {

// How often the end of time, and SIGTERM, are looked at.
constexpr std::chrono::milliseconds kTick{50};

Error program_error(ErrorCode code, const std::string& program, std::string cause) {
  return {.code = code,
          .operation = "run",
          .object = program,
          .cause = std::move(cause),
          .hint = "run it by hand to see what it says"};
}

class Pipe {
 public:
  Pipe() { CHECK(::pipe2(ends_.data(), O_CLOEXEC) == 0); }
  ~Pipe() {
    ::close(ends_[0]);
    close_writing();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int reading() const { return ends_[0]; }
  int writing() const { return ends_[1]; }
  void close_writing() {
    if (ends_[1] >= 0) ::close(std::exchange(ends_[1], -1));
  }

 private:
  std::array<int, 2> ends_{};
};

// A program of a process group of its own; killed with it unless it has ended.
class Running {
 public:
  Running(const std::vector<std::string>& words, int output) {
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    CHECK(::posix_spawn_file_actions_init(&files) == 0 && ::posix_spawnattr_init(&attributes) == 0);
    ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    ::posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    failed_ = ::posix_spawnp(&pid_, arguments[0], &files, &attributes, arguments.data(), environ);
    ::posix_spawn_file_actions_destroy(&files);
    ::posix_spawnattr_destroy(&attributes);
  }
  ~Running() {
    if (failed_ != 0 || status_) return;
    ::kill(-pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  int failed() const { return failed_; }  // an errno value; 0: it was started
  // Whether it has ended by itself.
  bool ended() {
    int status = 0;
    if (!status_ && ::waitpid(pid_, &status, WNOHANG) == pid_) status_ = status;
    return status_.has_value();
  }
  bool succeeded() const { return status_ && WIFEXITED(*status_) && WEXITSTATUS(*status_) == 0; }
  std::string how() const {
    if (WIFSIGNALED(*status_)) return fmt::format("was ended by signal {}", WTERMSIG(*status_));
    return fmt::format("ended with code {}", WEXITSTATUS(*status_));
  }

 private:
  pid_t pid_ = -1;
  int failed_ = 0;
  std::optional<int> status_;
};

enum class Piece { none, some, end };

// One piece of output, if there is one within a tick.
Piece read_some(int fd, std::string& output) {
  pollfd waiting{.fd = fd, .events = POLLIN, .revents = 0};
  if (::poll(&waiting, 1, static_cast<int>(kTick.count())) <= 0) return Piece::none;
  std::array<char, 4096> buffer{};
  const ssize_t got = ::read(fd, buffer.data(), buffer.size());
  if (got > 0) output.append(buffer.data(), static_cast<std::size_t>(got));
  if (got < 0) return errno == EINTR ? Piece::none : Piece::end;
  return got == 0 ? Piece::end : Piece::some;
}

Piece wait_a_tick() {
  ::poll(nullptr, 0, static_cast<int>(kTick.count()));
  return Piece::none;
}

}  // namespace

Result<std::vector<std::string>> split_command(std::string_view command) {
  std::vector<std::string> words;
  std::optional<std::string> word;
  char quote = '\0';
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    const bool escapes = c == '\\' && quote != '\'' && i + 1 < command.size();
    // Within double quotes a backslash is one, except before these.
    const bool plain = quote == '"' && escapes && command[i + 1] != '"' && command[i + 1] != '\\';
    if (escapes && !plain) {
      word = word.value_or("") + command[++i];
    } else if (quote != '\0') {
      if (c == quote) {
        quote = '\0';
      } else {
        *word += c;
      }
    } else if (c == '\'' || c == '"') {
      quote = c;
      word = word.value_or("");
    } else if (c == ' ' || c == '\t') {
      if (word) words.push_back(*std::exchange(word, std::nullopt));
    } else {
      word = word.value_or("") + c;
    }
  }
  if (word) words.push_back(std::move(*word));
  const auto wrong = [](const char* cause) {
    return fail({.code = ErrorCode::invalid_config,
                 .operation = "read command",
                 .object = {},
                 .cause = cause,
                 .hint = "write it as a shell would take it; no shell runs it"});
  };
  if (quote != '\0') return wrong("a quote in the command is left open");
  if (words.empty() || words.front().empty()) return wrong("the command names no program");
  return words;
}

Result<std::string> run_program(const std::vector<std::string>& words,
                                const ProgramLimits& limits) {
  const std::string& program = words.at(0);
  Pipe pipe;
  Running running(words, pipe.writing());
  pipe.close_writing();
  if (running.failed() != 0) {
    return fail(program_error(
        ErrorCode::invalid_config, program,
        fmt::format("it cannot be started: {}", std::system_category().message(running.failed()))));
  }
  std::string output;
  bool read_all = false;
  auto left = limits.time;
  while (left > left.zero()) {
    const Piece piece = read_all ? wait_a_tick() : read_some(pipe.reading(), output);
    if (piece == Piece::none) left -= kTick;  // whoever goes on writing meets the other limit
    read_all = read_all || piece == Piece::end;
    if (output.size() > limits.output) {
      return fail(program_error(ErrorCode::invalid_config, program,
                                fmt::format("it writes more than {} bytes", limits.output)));
    }
    // Something that it started may hold the pipe open: nothing more comes from the program itself.
    if (piece != Piece::some && running.ended()) {
      if (running.succeeded()) return output;
      return fail(program_error(ErrorCode::invalid_config, program, "it " + running.how()));
    }
    if (stop_requested())
      return fail(program_error(ErrorCode::interrupted, program, "asked to stop"));
  }
  return fail(
      program_error(ErrorCode::unavailable, program,
                    fmt::format("it has not ended after {} s", limits.time.count() / 1000)));
}

}  // namespace forebay
