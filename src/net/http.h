#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace forebay {

struct HttpRequest {
  std::string method = "GET";
  std::string url;  // sent as it stands: "/./" and "//" in it survive, nothing is encoded again
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  // What messages call this request: "s3://bucket/key". URL, headers and body never get into one,
  // since they may hold signatures and tokens.
  std::string shown;
  Duration connect_timeout = std::chrono::seconds(15);
  // Less than a kilobyte a second for so long: the transfer has stalled.
  Duration stall_timeout = std::chrono::seconds(60);
};

// Status and headers of an answer.
struct HttpHead {
  int status = 0;
  std::vector<std::pair<std::string, std::string>> headers;  // names in small letters

  // The value of the first header of that name (small letters); nullopt: there is none.
  std::optional<std::string_view> find(std::string_view name) const;
};

// Who receives an answer. Both may be empty; an error from either ends the transfer and comes back.
struct HttpReceiver {
  std::function<Status(const HttpHead&)> head;  // once, before any byte of the body
  std::function<Status(std::span<const std::byte>)> body;
};

struct HttpResponse {
  HttpHead head;
  std::string body;
};

// The seam to HTTP. Sends one request and never repeats it: net/retry decides about that. Only when
// a kept connection turns out to be dead before a byte of the answer came is it sent over a new
// one.
//
// Redirects are not followed: a 3xx is an answer like any other, and any status is success here.
// Thread rule: send() may be called from several threads at once.
// Errors: unavailable (name not resolved, no connection, TLS handshake broken off, reset, timeout,
// stalled, a body shorter than Content-Length, no HTTP at all), invalid_config (bad URL,
// certificate not trusted, ca_file not readable), interrupted (the process was asked to stop), and
// whatever the receiver returned. Bytes after Content-Length are never handed on, and end the
// connection.
class Http {
 public:
  virtual ~Http() = default;
  virtual Result<HttpHead> send(const HttpRequest& request, const HttpReceiver& receiver) = 0;
};

struct HttpOptions {
  std::optional<std::string> ca_file;  // instead of the system's certificates
  std::optional<std::string> proxy;    // absent: none; variables of the environment are not read
  std::string no_proxy;                // hosts to reach directly, separated by commas
};

// Over libcurl, HTTP/1.1. Connections are kept and used again, as many as requests ran at once.
std::unique_ptr<Http> open_http(HttpOptions options);

// Sends a request and gathers the body. damaged: the body is longer than `limit`.
Result<HttpResponse> fetch(Http& http, const HttpRequest& request, std::size_t limit);

}  // namespace forebay
