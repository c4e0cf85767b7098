#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

namespace forebay::test {

// Stands between one client and a server on loopback, and cuts the connection where a certain text
// goes by on its way to the server.
class CuttingProxy {
 public:
  enum class Cut {
    never,
    before,  // the server does not get the text
    after,   // the server gets it and answers; the client does not get the answer
  };

  explicit CuttingProxy(std::uint16_t server);
  ~CuttingProxy();
  CuttingProxy(const CuttingProxy&) = delete;
  CuttingProxy& operator=(const CuttingProxy&) = delete;

  std::uint16_t port() const { return port_; }
  // From now on. `text` must come in one piece, as short statements do.
  void cut(Cut where, std::string text);

 private:
  void serve();
  void pass(int client, int server);

  std::uint16_t server_;
  std::uint16_t port_ = 0;
  int listener_ = -1;
  std::atomic<Cut> where_{Cut::never};
  std::string text_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace forebay::test
