#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace forebay::test {

// A program that runs while this object lives. It dies with this process too, whatever happens to
// it. Its output goes to `log`.
class ServerProcess {
 public:
  ServerProcess(std::vector<std::string> command, const std::string& log);
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  // Asks until `ready` says yes. Ends this process, with the end of the log, when the server dies
  // or does not become ready within a minute.
  void wait_until(const std::function<bool()>& ready);

 private:
  [[noreturn]] void give_up(const char* why) const;

  std::string name_;
  std::string log_;
  pid_t pid_ = -1;
};

// Ports on loopback that nobody listens on right now, all different.
std::vector<std::uint16_t> free_ports(std::size_t count);

}  // namespace forebay::test
