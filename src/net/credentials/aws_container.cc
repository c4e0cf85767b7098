#include "net/credentials/aws_container.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "net/credentials/aws_json.h"

namespace forebay {
namespace {

constexpr const char* kRelative = "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI";
constexpr const char* kFull = "AWS_CONTAINER_CREDENTIALS_FULL_URI";

// https, or http to this machine and to the two addresses that only the container's own host
// answers on (ECS; EKS, in both families).
bool is_allowed(std::string_view url) {
  if (url.starts_with("https://")) return true;
  if (!url.starts_with("http://")) return false;
  url.remove_prefix(7);
  const std::string_view authority = url.substr(0, url.find_first_of("/?#"));
  if (authority.contains('@')) return false;
  std::string_view host = authority.substr(0, authority.rfind(':'));
  if (authority.starts_with('[')) {
    const std::size_t close = authority.find(']');
    if (close == std::string_view::npos) return false;
    const std::string_view rest = authority.substr(close + 1);
    if (!rest.empty() && rest[0] != ':') return false;
    host = authority.substr(0, close + 1);
  }
  return host == "127.0.0.1" || host == "localhost" || host == "[::1]" || host == "169.254.170.2" ||
         host == "169.254.170.23" || host == "[fd00:ec2::23]";
}

Result<std::string> address_of(const AwsSettings& settings) {
  const std::string relative = variable(settings, kRelative);
  if (!relative.empty()) {
    if (relative.starts_with('/')) return "http://169.254.170.2" + relative;
    return fail(unusable(kRelative, "it does not begin with '/'", "let ECS set it"));
  }
  const std::string full = variable(settings, kFull);
  if (is_allowed(full)) return full;
  return fail(unusable(kFull, "credentials would come over plain http from another machine",
                       "http is for 127.0.0.1, 169.254.170.2 and 169.254.170.23; write https://"));
}

Result<std::string> token_of(const AwsSettings& settings) {
  constexpr const char* kFile = "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE";
  if (const std::string path = variable(settings, kFile); !path.empty())
    return read_token(path, kFile);
  std::string token = variable(settings, "AWS_CONTAINER_AUTHORIZATION_TOKEN");
  const bool clean =
      std::ranges::none_of(token, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
  if (clean) return token;
  return fail(unusable("AWS_CONTAINER_AUTHORIZATION_TOKEN", "it holds a line break",
                       "write the token alone"));
}

}  // namespace

Result<std::optional<AwsCredentials>> container_credentials(AwsLookup& lookup) {
  const AwsSettings& settings = lookup.settings;
  if (variable(settings, kRelative).empty() && variable(settings, kFull).empty()) {
    lookup.looked_at.push_back(fmt::format("{} and {} (not set)", kRelative, kFull));
    return std::nullopt;
  }
  CHECK(lookup.tools.nearby != nullptr);
  ASSIGN_OR_RETURN(const std::string address, address_of(settings));
  ASSIGN_OR_RETURN(const std::string token, token_of(settings));
  HttpRequest request{.url = address,
                      .headers = {{"accept", "application/json"}},
                      .connect_timeout = std::chrono::seconds(2),
                      .stall_timeout = std::chrono::seconds(5)};
  if (!token.empty()) request.headers.emplace_back("authorization", token);
  const std::string from = "the container's credential service";
  ASSIGN_OR_RETURN(const HttpResponse response,
                   ask(*lookup.tools.nearby, std::move(request), from));
  const int status = response.head.status;
  if (status != 200) {
    const ErrorCode code = status == 429   ? ErrorCode::throttled
                           : status >= 500 ? ErrorCode::unavailable
                                           : ErrorCode::denied;
    return fail(credential_error(code, from, fmt::format("it answered {}", status),
                                 "check the role of the task or the pod"));
  }
  ASSIGN_OR_RETURN(auto found, parse_credential_document(response.body, from));
  return std::optional(std::move(found));
}

}  // namespace forebay
