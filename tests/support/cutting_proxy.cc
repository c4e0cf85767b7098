#include "support/cutting_proxy.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <string_view>
#include <utility>

#include "base/check.h"

namespace forebay::test {
namespace {

constexpr int kPollMillis = 20;

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

bool readable(int socket, int millis) {
  pollfd waited{.fd = socket, .events = POLLIN, .revents = 0};
  return ::poll(&waited, 1, millis) > 0;
}

void send_all(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

}  // namespace

CuttingProxy::CuttingProxy(std::uint16_t server) : server_(server) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  CHECK(listener_ >= 0);
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  CHECK(::bind(listener_, reinterpret_cast<sockaddr*>(&address), size) == 0);
  CHECK(::listen(listener_, 4) == 0);
  CHECK(::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) == 0);
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { serve(); });
}

CuttingProxy::~CuttingProxy() {
  stop_ = true;
  thread_.join();
  ::close(listener_);
}

void CuttingProxy::cut(Cut where, std::string text) {
  text_ = std::move(text);
  where_ = where;
}

void CuttingProxy::serve() {
  while (!stop_) {
    if (!readable(listener_, kPollMillis)) continue;
    const int client = ::accept(listener_, nullptr, nullptr);
    const int server = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = loopback(server_);
    if (::connect(server, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0)
      pass(client, server);
    ::close(client);
    ::close(server);
  }
}

void CuttingProxy::pass(int client, int server) {
  std::array<char, 65536> buffer{};
  bool swallow = false;
  while (!stop_) {
    std::array<pollfd, 2> both{pollfd{.fd = client, .events = POLLIN, .revents = 0},
                               pollfd{.fd = server, .events = POLLIN, .revents = 0}};
    if (::poll(both.data(), both.size(), kPollMillis) <= 0) continue;
    for (std::size_t i = 0; i < both.size(); ++i) {
      if (both[i].revents == 0) continue;
      const ssize_t read = ::recv(both[i].fd, buffer.data(), buffer.size(), 0);
      if (read <= 0) return;
      const std::string_view bytes(buffer.data(), static_cast<std::size_t>(read));
      const bool from_client = i == 0;
      if (!from_client && swallow) return;  // answered: it is done
      if (from_client && where_ != Cut::never && bytes.find(text_) != std::string_view::npos) {
        const bool before = where_.exchange(Cut::never) == Cut::before;
        if (before) return;
        swallow = true;
      }
      send_all(from_client ? server : client, bytes);
    }
  }
}

}  // namespace forebay::test
