#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace forebay::test {

// What the server does with one request. The bytes are sent exactly as they stand.
struct Answer {
  enum class Then { keep, close, reset, hold };

  std::string bytes;
  Then then = Then::keep;  // hold: neither send nor close until the server stops
  bool trickle = false;    // some bytes a second, for as long as the client listens

  // A proper answer with Content-Length.
  static Answer with(int status, std::string_view body, std::string_view headers = "");
  Answer& and_then(Then what);
  // Keeps the first `size` bytes of the body only.
  Answer& cut_body(std::size_t size);
};

// A server on a free loopback port that plays a script: the n-th request, over all connections,
// gets the n-th answer; requests after the last one get status 599. Or it asks `respond`, one
// request at a time. It knows nothing of HTTP but where a request ends.
class ScriptedServer {
 public:
  using Respond = std::function<Answer(const std::string& request)>;

  explicit ScriptedServer(std::vector<Answer> script);
  template <std::invocable<const std::string&> Function>
  explicit ScriptedServer(Function respond) {
    start(std::move(respond));
  }
  ~ScriptedServer();
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;

  std::string endpoint() const;  // "http://127.0.0.1:PORT"

  // The requests so far: request line, headers and body, as they came.
  std::vector<std::string> requests() const;
  std::size_t connections() const;

 private:
  void start(Respond respond);
  void accept_all();
  void serve(int connection);
  Answer next_answer(std::string request);

  int listener_ = -1;
  std::uint16_t port_ = 0;
  mutable std::mutex mutex_;
  Respond respond_;  // called under mutex_
  std::vector<std::string> requests_;
  std::vector<int> open_;
  std::size_t connections_ = 0;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
  std::thread acceptor_;
};

}  // namespace forebay::test
