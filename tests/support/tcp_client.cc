#include "support/tcp_client.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>

#include "base/check.h"

namespace forebay::test {

TcpClient::TcpClient(std::uint16_t port) {
  fd_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  CHECK(fd_ >= 0);
  // Who is not there answers nothing: sending and reading tell.
  (void)::connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address);
}

TcpClient::~TcpClient() { ::close(fd_); }

bool TcpClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

std::string TcpClient::read_to_end() {
  std::string text;
  char part[4096];
  while (true) {
    pollfd readable{.fd = fd_, .events = POLLIN, .revents = 0};
    CHECK(::poll(&readable, 1, 30'000) == 1);
    const ssize_t got = ::recv(fd_, part, sizeof part, 0);
    if (got <= 0) return text;
    text.append(part, static_cast<std::size_t>(got));
  }
}

std::string HttpAnswer::header(const std::string& name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? "" : found->second;
}

HttpAnswer http_request(std::uint16_t port, const std::string& method, const std::string& path,
                        const std::vector<std::string>& headers) {
  TcpClient client(port);
  std::string request = method + " " + path + " HTTP/1.1\r\n";
  for (const std::string& line : headers) request += line + "\r\n";
  (void)client.send(request + "\r\n");
  const std::string whole = client.read_to_end();
  HttpAnswer answer;
  const std::size_t end = whole.find("\r\n\r\n");
  if (end == std::string::npos) return answer;
  answer.body = whole.substr(end + 4);
  std::istringstream head(whole.substr(0, end));
  std::string word;
  head >> word >> answer.status;
  std::getline(head, word);
  while (std::getline(head, word)) {
    if (word.ends_with('\r')) word.pop_back();
    const std::size_t colon = word.find(": ");
    if (colon == std::string::npos) continue;
    std::string name = word.substr(0, colon);
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
    answer.headers.emplace(std::move(name), word.substr(colon + 2));
  }
  return answer;
}

}  // namespace forebay::test
