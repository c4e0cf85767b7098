#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "support/child_process.h"
#include "support/tcp_client.h"

namespace forebay::test {

// The real program as `forebay serve` on a port of its own, asked over HTTP while it runs.
class Daemon {
 public:
  Daemon(const std::string& folder, const std::map<std::string, std::string>& environment,
         const std::vector<std::string>& more = {});

  // Waits until it has said where it listens; 0: it ended before.
  std::uint16_t port();
  HttpAnswer get(const std::string& path, const std::vector<std::string>& headers = {});
  // /api/status, and its part about one pipeline; null when there is none.
  nlohmann::json status();
  nlohmann::json pipeline(const std::string& name);
  // The value of one series of /metrics: `forebay_rows_total{pipeline="events"}`; -1: none.
  double metric(const std::string& series);

  // Asks again and again; false: it has ended, or did not come true within a minute.
  bool wait_until(const std::function<bool()>& condition);

  // Asks it to stop and waits for that.
  ProgramResult stop(int signal);
  ChildProcess& process() { return process_; }

 private:
  ChildProcess process_;
  std::uint16_t port_ = 0;
};

}  // namespace forebay::test
