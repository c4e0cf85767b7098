#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "app/serve/pages.h"
#include "base/clock.h"
#include "base/result.h"

namespace forebay {

// What one client may take. A scraper or a browser sends well below a kilobyte.
inline constexpr std::size_t kMostConnections = 64;
inline constexpr std::uint32_t kMostHeaderBytes = 8 * 1024;
inline constexpr Duration kRequestWithin = std::chrono::seconds(5);
inline constexpr Duration kReplyWithin = std::chrono::seconds(15);

struct ListenAddress {
  std::string host;  // an address, without brackets
  std::uint16_t port = 0;
  bool loopback = false;
};

// "127.0.0.1:8080", "[::1]:8080", "localhost:8080"; port 0: any that is free. invalid_config for
// everything else, names included: what they stand for may change. `where` says who wrote it.
Result<ListenAddress> parse_listen(std::string_view text, std::string_view where);

// A small HTTP server on a thread of its own: it answers each request with what `answer` says and
// closes the connection. `answer` is called on that thread and must not block or throw. Who does
// not send a whole request in time, or does not take the reply, is cut off; beyond kMostConnections
// clients wait before they are accepted. Runs until it is destroyed.
class WebServer {
 public:
  virtual ~WebServer() = default;
  virtual std::uint16_t port() const = 0;
};
using WebAnswer = std::function<WebReply(const WebRequest&)>;

// busy: somebody listens there already; denied: the port is not for us; invalid_config: this
// machine has no such address.
Result<std::unique_ptr<WebServer>> start_web_server(const ListenAddress& address, WebAnswer answer);

}  // namespace forebay
