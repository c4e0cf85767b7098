#include "support/server_process.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "base/check.h"
#include "base/clock.h"

namespace forebay::test {

ServerProcess::ServerProcess(std::vector<std::string> command, const std::string& log)
    : name_(command.at(0)), log_(log) {
  std::vector<char*> arguments;
  for (auto& argument : command) arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  const int output = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  CHECK(output >= 0);
  pid_ = ::fork();
  CHECK(pid_ >= 0);
  if (pid_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::dup2(output, STDOUT_FILENO);
    ::dup2(output, STDERR_FILENO);
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  ::close(output);
}

ServerProcess::~ServerProcess() {
  // What it holds is thrown away with its folder: there is nothing to end gracefully.
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

void ServerProcess::give_up(const char* why) const {
  std::ifstream in(log_);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  const std::size_t from = text.size() > 2000 ? text.size() - 2000 : 0;
  std::fprintf(stderr, "%s %s; its log ends with:\n%s\n", name_.c_str(), why, &text[from]);
  std::_Exit(1);
}

void ServerProcess::wait_until(const std::function<bool()>& ready) {
  const Time deadline = system_clock().now() + std::chrono::minutes(1);
  while (!ready()) {
    if (::waitpid(pid_, nullptr, WNOHANG) != 0) give_up("has ended");
    if (system_clock().now() > deadline) give_up("does not become ready");
    (void)system_clock().sleep(std::chrono::milliseconds(50));
  }
}

std::vector<std::uint16_t> free_ports(std::size_t count) {
  std::vector<std::uint16_t> ports;
  std::vector<int> held;  // all at once, so that they differ
  for (std::size_t i = 0; i < count; ++i) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    CHECK(::bind(fd, reinterpret_cast<sockaddr*>(&address), size) == 0);
    CHECK(::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0);
    ports.push_back(ntohs(address.sin_port));
    held.push_back(fd);
  }
  for (const int fd : held) ::close(fd);
  return ports;
}

}  // namespace forebay::test
