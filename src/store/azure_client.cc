#include "store/azure_client.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/encode.h"
#include "base/time_text.h"
#include "net/foreign_text.h"
#include "store/azure_sign.h"
#include "store/azure_xml.h"

namespace forebay::azure {
namespace {

// Old enough for every cloud and appliance; new enough to mark names that XML cannot hold.
constexpr const char* kServiceVersion = "2021-12-02";

struct Meaning {
  std::string_view azure_code;
  ErrorCode code;
  std::string_view hint;
};

constexpr std::string_view kRightsHint =
    "the credentials need to list and read blobs (for example the role Storage Blob Data Reader, "
    "or a signature with sp=rl)";
constexpr std::string_view kKeyHint = "check the credentials, and the clock of this machine";
constexpr std::string_view kPublicHint = "the container is not public: give credentials";
constexpr std::string_view kArchivedHint = "the blob is archived: rehydrate it first";
constexpr std::string_view kSourceHint = "check the source in the configuration";

constexpr std::array kMeanings = {
    Meaning{"BlobNotFound", ErrorCode::not_found, ""},
    Meaning{"ContainerNotFound", ErrorCode::not_found, kSourceHint},
    Meaning{"ContainerBeingDeleted", ErrorCode::not_found, kSourceHint},
    Meaning{"ResourceNotFound", ErrorCode::not_found, kSourceHint},
    Meaning{"AuthenticationFailed", ErrorCode::denied, kKeyHint},
    Meaning{"InvalidAuthenticationInfo", ErrorCode::denied, kKeyHint},
    Meaning{"NoAuthenticationInformation", ErrorCode::denied, kPublicHint},
    Meaning{"PublicAccessNotPermitted", ErrorCode::denied, kPublicHint},
    Meaning{"BlobArchived", ErrorCode::denied, kArchivedHint},
    Meaning{"BlobBeingRehydrated", ErrorCode::denied, kArchivedHint},
    Meaning{"ServerBusy", ErrorCode::throttled, ""},
    Meaning{"OperationTimedOut", ErrorCode::unavailable, ""},
    Meaning{"InternalError", ErrorCode::unavailable, ""},
    Meaning{"ConditionNotMet", ErrorCode::changed, ""},
    Meaning{"InvalidRange", ErrorCode::damaged, ""},
};

Meaning by_status(int status) {
  switch (status) {
    case 401:
    case 403: return {"", ErrorCode::denied, kRightsHint};
    case 404: return {"", ErrorCode::not_found, ""};
    case 408: return {"", ErrorCode::unavailable, ""};
    case 412: return {"", ErrorCode::changed, ""};
    case 416: return {"", ErrorCode::damaged, ""};
    case 429:
    case 503: return {"", ErrorCode::throttled, ""};
    default: break;
  }
  if (status >= 500) return {"", ErrorCode::unavailable, ""};
  // A redirect is not followed: credentials go nowhere but to where they were meant to.
  if (status >= 300 && status < 400)
    return {"", ErrorCode::invalid_config, "set endpoint to the server that has the container"};
  return {"", ErrorCode::invalid_config, kSourceHint};
}

// What the endpoint itself adds in front of a path: emulators have the account there.
std::string path_of(std::string_view endpoint) {
  const std::size_t host = endpoint.find("://") + 3;
  const std::size_t slash = endpoint.find('/', host);
  return slash == std::string_view::npos ? "" : std::string(endpoint.substr(slash));
}

class Protocol final : public BucketProtocol {
 public:
  Protocol(Address address, Access access)
      : address_(std::move(address)), access_(std::move(access)) {}

  Result<HttpRequest> prepare(const BucketCall& call, Time now) override {
    HttpRequest request{.method = call.method,
                        .url = address_.endpoint + call.path + encoded_query(call.query),
                        .headers = call.headers};
    request.headers.emplace_back("x-ms-version", kServiceVersion);
    request.headers.emplace_back("x-ms-date", format_http_date(now));
    if (access_.key) {
      request.headers.emplace_back("authorization",
                                   authorization({.method = call.method,
                                                  .account = access_.account,
                                                  .path = path_of(address_.endpoint) + call.path,
                                                  .query = call.query,
                                                  .headers = request.headers},
                                                 *access_.key));
    } else if (!access_.sas.empty()) {
      request.url += (call.query.empty() ? "?" : "&") + access_.sas.reveal();
    } else if (access_.tokens) {
      ASSIGN_OR_RETURN(const BearerToken token, access_.tokens->get(now));
      request.headers.emplace_back("authorization", kScheme + token.token.reveal());
    }
    return request;
  }

  bool learn(const BucketRefusal& refusal, const HttpRequest& sent, Time now) override {
    if (refusal.head.status != 401 || !access_.tokens) return false;
    for (const auto& [name, value] : sent.headers) {
      if (name != "authorization") continue;
      return access_.tokens->renew(Secret(value.substr(kScheme.size())), now);
    }
    return false;
  }

  Error error_of(const BucketCall& call, const BucketRefusal& refusal) const override {
    const auto document = parse_error(refusal.body);
    // An answer to HEAD has no body; its code stands in a header too.
    std::string code(refusal.head.find("x-ms-error-code").value_or(""));
    if (code.empty() && document) code = document->code;
    Meaning meaning = by_status(refusal.head.status);
    const auto* known = std::ranges::find(kMeanings, code, &Meaning::azure_code);
    if (known != kMeanings.end()) meaning = *known;
    std::string cause = fmt::format("the server answered {}", refusal.head.status);
    if (!code.empty()) cause += " " + printable(code);
    // What Azure says of a signature repeats the text that was signed, not the key; but a query
    // with a signature in it is repeated too.
    if (document && access_.sas.empty()) cause += ": " + printable(document->message);
    const bool no_container = code.starts_with("Container") || code == "ResourceNotFound" ||
                              (call.key.empty() && meaning.code == ErrorCode::not_found);
    return {.code = meaning.code,
            .operation = call.operation,
            .object = no_container ? address_.shown : display(call.key),
            .cause = std::move(cause),
            .hint = std::string(no_container ? kSourceHint : meaning.hint)};
  }

  std::string display(const std::string& key) const override { return address_.shown + key; }

 private:
  inline static const std::string kScheme = "Bearer ";

  const Address address_;
  const Access access_;
};

}  // namespace

std::unique_ptr<BucketProtocol> make_protocol(Address address, Access access) {
  return std::make_unique<Protocol>(std::move(address), std::move(access));
}

std::string container_path(const std::string& container) {
  return "/" + percent_encode(container, "$");
}

std::string blob_path(const std::string& container, const std::string& key) {
  return container_path(container) + "/" + percent_encode(key, "/");
}

}  // namespace forebay::azure
