#include "support/daemon.h"

#include <chrono>
#include <cstdlib>

#include "support/paths.h"

namespace forebay::test {
namespace {

using Json = nlohmann::json;
using namespace std::chrono_literals;

std::vector<std::string> words(const std::vector<std::string>& more) {
  std::vector<std::string> words = {"serve", "--listen", "127.0.0.1:0"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace

Daemon::Daemon(const std::string& folder, const std::map<std::string, std::string>& environment,
               const std::vector<std::string>& more)
    : process_(faulty_binary(), words(more), {.folder = folder, .environment = environment}) {}

std::uint16_t Daemon::port() {
  constexpr std::string_view kAnnounced = "serving http://127.0.0.1:";
  if (port_ != 0) return port_;
  const auto announced = [&] {
    const std::string said = process_.output();
    const std::size_t at = said.find(kAnnounced);
    if (at == std::string::npos || said.find('\n', at) == std::string::npos) return false;
    port_ = static_cast<std::uint16_t>(std::atoi(said.c_str() + at + kAnnounced.size()));
    return true;
  };
  (void)wait_until(announced);
  return port_;
}

HttpAnswer Daemon::get(const std::string& path, const std::vector<std::string>& headers) {
  return port() == 0 ? HttpAnswer{} : http_request(port(), "GET", path, headers);
}

Json Daemon::status() { return Json::parse(get("/api/status").body, nullptr, false); }

Json Daemon::pipeline(const std::string& name) {
  const Json whole = status();
  if (!whole.is_object()) return {};
  for (const Json& one : whole["pipelines"]) {
    if (one["pipeline"] == name) return one;
  }
  return {};
}

double Daemon::metric(const std::string& series) {
  const std::string text = get("/metrics").body;
  const std::size_t at = text.find("\n" + series + " ");
  return at == std::string::npos ? -1 : std::atof(text.c_str() + at + series.size() + 2);
}

bool Daemon::wait_until(const std::function<bool()>& condition) {
  const auto deadline = std::chrono::steady_clock::now() + 60s;
  while (!condition()) {
    if (process_.wait_for(20ms)) return condition();
    if (std::chrono::steady_clock::now() > deadline) return false;
  }
  return true;
}

ProgramResult Daemon::stop(int signal) {
  process_.signal(signal);
  return process_.wait();
}

}  // namespace forebay::test
