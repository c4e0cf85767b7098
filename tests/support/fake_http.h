#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "net/http.h"

namespace forebay::test {

// Hands out answers in their order and remembers requests; can do something just before an answer.
// A request after the last answer fails as if nobody listened. Thread-safe.
class FakeHttp final : public Http {
 public:
  explicit FakeHttp(std::vector<Result<HttpResponse>> answers) : answers_(std::move(answers)) {}

  Result<HttpHead> send(const HttpRequest& request, const HttpReceiver& receiver) override {
    const std::lock_guard lock(mutex_);
    requests.push_back(request);
    if (before_answer) before_answer();
    if (requests.size() > answers_.size()) return fail(nobody(request));
    const Result<HttpResponse>& answer = answers_[requests.size() - 1];
    if (!answer) return fail(answer.error());
    if (receiver.head) RETURN_IF_ERROR(receiver.head(answer->head));
    if (receiver.body) RETURN_IF_ERROR(receiver.body(std::as_bytes(std::span(answer->body))));
    return answer->head;
  }

  static Error nobody(const HttpRequest& request) {
    return {.code = ErrorCode::unavailable,
            .operation = request.method,
            .object = request.shown,
            .cause = "no connection"};
  }

  std::vector<HttpRequest> requests;
  std::function<void()> before_answer;

 private:
  std::mutex mutex_;
  const std::vector<Result<HttpResponse>> answers_;
};

inline Result<HttpResponse> answer(int status, std::string body) {
  return HttpResponse{.head = {.status = status, .headers = {}}, .body = std::move(body)};
}

// The value of a request's header; empty: it has none.
inline std::string header(const HttpRequest& request, const std::string& name) {
  for (const auto& [key, value] : request.headers) {
    if (key == name) return value;
  }
  return "";
}

}  // namespace forebay::test
