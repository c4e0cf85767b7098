#include "store/gcs_client.h"

#include <fmt/format.h>

#include <utility>

#include "base/encode.h"
#include "net/foreign_text.h"
#include "store/gcs_json.h"

namespace forebay::gcs {
namespace {

constexpr const char* kRightsHint =
    "the credentials need storage.objects.list and storage.objects.get on the bucket (for example "
    "roles/storage.objectViewer)";
constexpr const char* kSourceHint = "check the source in the configuration";

struct Meaning {
  ErrorCode code;
  const char* hint;
};

Meaning meaning_of(int status, const std::string& reason, bool anonymous) {
  // A refusal for the sake of the rate comes as 403 too.
  if (reason == "rateLimitExceeded" || reason == "userRateLimitExceeded")
    return {ErrorCode::throttled, ""};
  switch (status) {
    case 401:
      return {ErrorCode::denied, anonymous ? "the bucket is not public: give credentials"
                                           : "renew or mend the credentials"};
    case 403: return {ErrorCode::denied, kRightsHint};
    case 404: return {ErrorCode::not_found, ""};
    case 408: return {ErrorCode::unavailable, ""};
    case 412: return {ErrorCode::changed, ""};
    case 416: return {ErrorCode::damaged, ""};
    case 429:
    case 503: return {ErrorCode::throttled, ""};
    default: break;
  }
  if (status >= 500) return {ErrorCode::unavailable, ""};
  // A redirect is not followed: credentials go nowhere but to where they were meant to.
  if (status >= 300 && status < 400)
    return {ErrorCode::invalid_config, "set endpoint to the server that has the bucket"};
  return {ErrorCode::invalid_config, kSourceHint};
}

class Protocol final : public BucketProtocol {
 public:
  Protocol(Address address, std::shared_ptr<BearerCredentials> credentials)
      : address_(std::move(address)), credentials_(std::move(credentials)) {}

  Result<HttpRequest> prepare(const BucketCall& call, Time now) override {
    HttpRequest request{.method = call.method,
                        .url = address_.endpoint + call.path + encoded_query(call.query),
                        .headers = call.headers};
    if (!address_.user_project.empty())
      request.headers.emplace_back("x-goog-user-project", address_.user_project);
    if (credentials_) {
      ASSIGN_OR_RETURN(const BearerToken token, credentials_->get(now));
      request.headers.emplace_back("authorization", kScheme + token.token.reveal());
    }
    return request;
  }

  bool learn(const BucketRefusal& refusal, const HttpRequest& sent, Time now) override {
    if (refusal.head.status != 401 || !credentials_) return false;
    for (const auto& [name, value] : sent.headers) {
      if (name != "authorization") continue;
      return credentials_->renew(Secret(value.substr(kScheme.size())), now);
    }
    return false;
  }

  Error error_of(const BucketCall& call, const BucketRefusal& refusal) const override {
    const int status = refusal.head.status;
    const ErrorDocument told = parse_error(refusal.body);
    const Meaning meaning = meaning_of(status, told.reason, credentials_ == nullptr);
    const bool no_bucket = call.key.empty() && status == 404;
    return {.code = meaning.code,
            .operation = call.operation,
            .object = no_bucket ? "gs://" + address_.bucket : display(call.key),
            .cause = told.message.empty() ? fmt::format("the server answered {}", status)
                                          : fmt::format("the server answered {}: {}", status,
                                                        printable(told.message)),
            .hint = no_bucket ? kSourceHint : meaning.hint};
  }

  std::string display(const std::string& key) const override {
    return fmt::format("gs://{}/{}", address_.bucket, key);
  }

 private:
  inline static const std::string kScheme = "Bearer ";

  const Address address_;
  const std::shared_ptr<BearerCredentials> credentials_;
};

}  // namespace

std::unique_ptr<BucketProtocol> make_protocol(Address address,
                                              std::shared_ptr<BearerCredentials> credentials) {
  return std::make_unique<Protocol>(std::move(address), std::move(credentials));
}

std::string objects_path(const std::string& bucket) {
  return fmt::format("/storage/v1/b/{}/o", percent_encode(bucket));
}

std::string object_path(const std::string& bucket, const std::string& key) {
  return fmt::format("{}/{}", objects_path(bucket), percent_encode(key));
}

}  // namespace forebay::gcs
