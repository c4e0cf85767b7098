#include "store/s3_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "net/credentials/aws_endpoint.h"
#include "net/foreign_text.h"

namespace forebay::s3 {
namespace {

struct Meaning {
  std::string_view s3_code;
  ErrorCode code;
  std::string_view hint;
};

constexpr std::string_view kRightsHint =
    "the credentials need s3:ListBucket on the bucket and s3:GetObject on its objects";
constexpr std::string_view kKeyHint = "check the credentials";
constexpr std::string_view kExpiredHint = "the session token has run out: renew the credentials";
constexpr std::string_view kRegionHint = "set region (or endpoint) to where the bucket is";

constexpr std::array kMeanings = {
    Meaning{"NoSuchKey", ErrorCode::not_found, ""},
    Meaning{"NoSuchVersion", ErrorCode::not_found, ""},
    Meaning{"NoSuchBucket", ErrorCode::not_found, "check the source in the configuration"},
    Meaning{"AccessDenied", ErrorCode::denied, kRightsHint},
    Meaning{"AllAccessDisabled", ErrorCode::denied, kRightsHint},
    Meaning{"AccountProblem", ErrorCode::denied, kRightsHint},
    Meaning{"InvalidAccessKeyId", ErrorCode::denied, kKeyHint},
    Meaning{"SignatureDoesNotMatch", ErrorCode::denied, kKeyHint},
    Meaning{"InvalidToken", ErrorCode::denied, kKeyHint},
    Meaning{"ExpiredToken", ErrorCode::denied, kExpiredHint},
    Meaning{"TokenRefreshRequired", ErrorCode::denied, kExpiredHint},
    Meaning{"RequestTimeTooSkewed", ErrorCode::denied, "set the clock of this machine"},
    Meaning{"InvalidObjectState", ErrorCode::denied, "the object is archived: restore it first"},
    Meaning{"SlowDown", ErrorCode::throttled, ""},
    Meaning{"Throttling", ErrorCode::throttled, ""},
    Meaning{"ThrottlingException", ErrorCode::throttled, ""},
    Meaning{"RequestLimitExceeded", ErrorCode::throttled, ""},
    Meaning{"TooManyRequests", ErrorCode::throttled, ""},
    Meaning{"RequestTimeout", ErrorCode::unavailable, ""},
    Meaning{"InternalError", ErrorCode::unavailable, ""},
    Meaning{"OperationAborted", ErrorCode::unavailable, ""},
    Meaning{"PreconditionFailed", ErrorCode::changed, ""},
    Meaning{"InvalidRange", ErrorCode::damaged, ""},
    Meaning{"PermanentRedirect", ErrorCode::invalid_config, kRegionHint},
    Meaning{"TemporaryRedirect", ErrorCode::invalid_config, kRegionHint},
    Meaning{"AuthorizationHeaderMalformed", ErrorCode::invalid_config, kRegionHint},
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
  if (status >= 300 && status < 400) return {"", ErrorCode::invalid_config, kRegionHint};
  if (status >= 400 && status < 500) return {"", ErrorCode::invalid_config, ""};
  // 5xx, and an error document that came with 200: the server could not do it this time.
  return {"", ErrorCode::unavailable, ""};
}

// The region in a host's name: "bucket.s3.eu-west-1.amazonaws.com", "s3-eu-west-1.amazonaws.com".
std::optional<std::string> region_of(std::string_view host) {
  for (const std::string_view mark : {".s3.", ".s3-", "s3.", "s3-"}) {
    const bool first = !mark.starts_with('.');
    const std::size_t at =
        first ? (host.starts_with(mark) ? 0 : std::string_view::npos) : host.rfind(mark);
    if (at == std::string_view::npos) continue;
    std::string_view rest = host.substr(at + mark.size());
    const std::string_view region = rest.substr(0, rest.find('.'));
    rest.remove_prefix(region.size());
    if (rest == fmt::format(".{}", aws_domain(region))) return std::string(region);
  }
  return std::nullopt;
}

}  // namespace

Error to_error(const Refusal& refusal, const Named& named) {
  Meaning meaning = by_status(refusal.head.status);
  std::string cause = fmt::format("the server answered {}", refusal.head.status);
  std::string object = named.object;
  if (refusal.document) {
    const std::string& code = refusal.document->code;
    const auto* known = std::ranges::find(kMeanings, code, &Meaning::s3_code);
    if (known != kMeanings.end()) meaning = *known;
    cause += fmt::format(" {}: {}", printable(code), printable(refusal.document->message));
    if (code == "NoSuchBucket") object = named.bucket;
  }
  return {.code = meaning.code,
          .operation = named.operation,
          .object = std::move(object),
          .cause = std::move(cause),
          .hint = std::string(meaning.hint)};
}

bool says_expired(const Refusal& refusal) {
  if (!refusal.document) return false;
  const std::string& code = refusal.document->code;
  return code == "ExpiredToken" || code == "TokenRefreshRequired" || code == "InvalidToken";
}

std::optional<std::string> told_region(const Refusal& refusal) {
  const int status = refusal.head.status;
  if (status != 301 && status != 307 && status != 400 && status != 403) return std::nullopt;
  if (const auto region = refusal.head.find("x-amz-bucket-region"); region && !region->empty()) {
    return std::string(*region);
  }
  if (!refusal.document) return std::nullopt;
  const ErrorDocument& document = *refusal.document;
  const bool malformed = document.code == "AuthorizationHeaderMalformed";
  const bool redirect =
      document.code == "PermanentRedirect" || document.code == "TemporaryRedirect";
  if ((malformed || redirect) && !document.region.empty()) return document.region;
  return redirect ? region_of(document.endpoint) : std::nullopt;
}

}  // namespace forebay::s3
