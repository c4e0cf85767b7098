#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace forebay::test {

// A connection to a port on loopback, byte by byte, for clients that behave badly.
class TcpClient {
 public:
  explicit TcpClient(std::uint16_t port);
  ~TcpClient();
  TcpClient(const TcpClient&) = delete;
  TcpClient& operator=(const TcpClient&) = delete;

  // False: nobody listens there, or the other side has closed.
  bool send(std::string_view bytes);
  // Everything until the other side closes; ends the test process after half a minute without that.
  std::string read_to_end();

 private:
  int fd_ = -1;
};

struct HttpAnswer {
  int status = 0;                                   // 0: none came
  std::multimap<std::string, std::string> headers;  // names in small letters
  std::string body;

  std::string header(const std::string& name) const;  // the first; empty: none
};

// One request over a connection of its own. `headers`: whole lines without their ends.
HttpAnswer http_request(std::uint16_t port, const std::string& method, const std::string& path,
                        const std::vector<std::string>& headers = {"Host: localhost"});

}  // namespace forebay::test
