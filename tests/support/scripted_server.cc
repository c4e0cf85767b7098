#include "support/scripted_server.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>

#include "base/check.h"

namespace forebay::test {
namespace {

// Milliseconds between two bytes of a server that trickles.
constexpr int kTricklePause = 20;

// Header names are compared as our client writes them; libcurl adds Content-Length itself.
std::size_t body_size(const std::string& head) {
  const std::size_t at = head.find("\r\nContent-Length: ");
  return at == std::string::npos ? 0 : std::strtoul(head.c_str() + at + 18, nullptr, 10);
}

// The next request on a connection; nullopt: the client closed it.
std::optional<std::string> receive(int connection) {
  std::string text;
  std::array<char, 65536> buffer{};
  std::size_t end = std::string::npos;
  while (end == std::string::npos || text.size() < end) {
    const ssize_t got = ::recv(connection, buffer.data(), buffer.size(), 0);
    if (got <= 0) return std::nullopt;
    text.append(buffer.data(), static_cast<std::size_t>(got));
    if (text[0] == '\x16') return text;  // a TLS greeting, which no blank line ends
    const std::size_t blank = text.find("\r\n\r\n");
    if (blank != std::string::npos) end = blank + 4 + body_size(text);
  }
  return text;
}

}  // namespace

Answer Answer::with(int status, std::string_view body, std::string_view headers) {
  return {.bytes = fmt::format("HTTP/1.1 {} Scripted\r\nContent-Length: {}\r\n{}\r\n{}", status,
                               body.size(), headers, body)};
}

Answer& Answer::and_then(Then what) {
  then = what;
  return *this;
}

Answer& Answer::cut_body(std::size_t size) {
  bytes.resize(bytes.find("\r\n\r\n") + 4 + size);
  return *this;
}

ScriptedServer::ScriptedServer(std::vector<Answer> script) {
  start([script = std::move(script), next = std::size_t{0}](const std::string&) mutable {
    return next < script.size() ? script[next++] : Answer::with(599, "the script has ended");
  });
}

void ScriptedServer::start(Respond respond) {
  respond_ = std::move(respond);
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  CHECK(::bind(listener_, reinterpret_cast<sockaddr*>(&address), size) == 0);
  CHECK(::listen(listener_, 16) == 0);
  CHECK(::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) == 0);
  port_ = ntohs(address.sin_port);
  acceptor_ = std::thread([this] { accept_all(); });
}

ScriptedServer::~ScriptedServer() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    for (const int connection : open_) ::shutdown(connection, SHUT_RDWR);
  }
  ::shutdown(listener_, SHUT_RDWR);  // wakes accept()
  acceptor_.join();
  for (auto& thread : threads_) thread.join();
  ::close(listener_);
}

std::string ScriptedServer::endpoint() const { return fmt::format("http://127.0.0.1:{}", port_); }

std::vector<std::string> ScriptedServer::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

std::size_t ScriptedServer::connections() const {
  const std::lock_guard lock(mutex_);
  return connections_;
}

void ScriptedServer::accept_all() {
  while (true) {
    const int connection = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0) return;
    const std::lock_guard lock(mutex_);
    ++connections_;
    open_.push_back(connection);
    if (stopping_) ::shutdown(connection, SHUT_RDWR);
    threads_.emplace_back([this, connection] { serve(connection); });
  }
}

Answer ScriptedServer::next_answer(std::string request) {
  const std::lock_guard lock(mutex_);
  requests_.push_back(std::move(request));
  return respond_(requests_.back());
}

void ScriptedServer::serve(int connection) {
  bool going_on = true;
  while (going_on) {
    auto request = receive(connection);
    if (!request) break;
    const Answer answer = next_answer(std::move(*request));
    std::string_view rest = answer.bytes;
    while (!rest.empty()) {
      if (answer.trickle) ::poll(nullptr, 0, kTricklePause);
      const std::size_t size = answer.trickle ? 1 : rest.size();
      const ssize_t sent = ::send(connection, rest.data(), size, MSG_NOSIGNAL);
      if (sent <= 0) break;
      rest.remove_prefix(static_cast<std::size_t>(sent));
    }
    going_on = answer.then == Answer::Then::keep;
    if (answer.then == Answer::Then::hold) (void)receive(connection);
    if (answer.then == Answer::Then::reset) {
      const linger at_once{.l_onoff = 1, .l_linger = 0};
      ::setsockopt(connection, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    }
  }
  const std::lock_guard lock(mutex_);
  std::erase(open_, connection);
  ::close(connection);
}

}  // namespace forebay::test
