#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/list_api.h"
#include "base/result.h"
#include "base/secret.h"
#include "net/http.h"
#include "net/retry.h"
#include "store/object_store.h"

namespace forebay::list_api {

// Where the bytes of a key can be had for a few minutes. Whoever has it can read them: it stands in
// no message.
struct Link {
  Secret url;
  std::vector<std::pair<std::string, std::string>> headers;
  Time fresh_until{};
};

struct ClientOptions {
  std::string endpoint;
  std::map<std::string, Secret> headers;  // sent to the endpoint and nowhere else
  ListApi api;
  RetryPolicy retry;
};

// Speaks to the API, and reads from the links that it gives. Thread-safe.
class Client {
 public:
  Client(ClientOptions options, std::unique_ptr<Http> http, Clock& clock, RandomSource random);

  struct Page {
    std::vector<std::string> keys;
    std::optional<std::string> next;
  };
  // damaged: an answer of another shape. unavailable: the API answers with errors; such an answer
  // is not asked for again, since the API has understood.
  Result<Page> list(const std::string& prefix, const std::optional<std::string>& token);

  // One attempt to get a link, and one to read from it.
  Result<Link> link(const std::string& key, RetryAttempt& attempt);
  Result<HttpHead> read(const Link& link, const std::string& key, const std::string& range,
                        const HttpReceiver& receiver, RetryAttempt& attempt);

  Status repeat(const std::function<Status(RetryAttempt&)>& attempt);
  Time now() const { return clock_.now(); }
  std::string display(const std::string& key) const;
  RequestCounts requests() const;

 private:
  using Values = std::map<std::string, nlohmann::json>;
  Result<nlohmann::json> post(const std::string& body, const Values& values, const char* operation,
                              const std::string& shown, RetryAttempt& attempt);
  Error error(ErrorCode code, const char* operation, const std::string& object, std::string cause,
              std::string hint = {}) const;
  std::optional<Error> refusal(const HttpHead& head, const char* operation,
                               const std::string& object, RetryAttempt& attempt) const;
  Status check_errors(const nlohmann::json& answer, const char* operation,
                      const std::string& object, RetryAttempt& attempt) const;
  Result<Link> read_link(const nlohmann::json& answer, const std::string& key) const;
  Status read_headers(const nlohmann::json& answer, const std::string& key, Link& link) const;

  const ClientOptions options_;
  const std::unique_ptr<Http> http_;
  Clock& clock_;
  const RandomSource random_;
  SharedPause pause_;
  std::atomic<std::uint64_t> lists_{0};
  std::atomic<std::uint64_t> gets_{0};
  std::atomic<std::uint64_t> links_{0};
};

}  // namespace forebay::list_api
