#include "net/credentials/aws_sts.h"

#include <fmt/format.h>

#include <utility>

#include "base/check.h"
#include "base/digest.h"
#include "base/encode.h"
#include "net/aws_sign.h"
#include "net/credentials/aws_endpoint.h"
#include "net/credentials/aws_sts_xml.h"
#include "net/foreign_text.h"

namespace forebay {
namespace {

using aws::NamedValues;

std::string form(const NamedValues& values) {
  std::string text;
  for (const auto& [name, value] : values) {
    text += fmt::format("{}{}={}", text.empty() ? "" : "&", name, percent_encode(value));
  }
  return text;
}

std::string region_of(const AwsLookup& lookup, const AwsRole& role) {
  if (!role.region.empty()) return role.region;
  if (auto region = aws_region(lookup.settings); !region.empty()) return region;
  return is_aws_region(lookup.settings.region) && lookup.settings.region.contains('-')
             ? lookup.settings.region
             : "us-east-1";
}

std::string session_name(const AwsLookup& lookup, const AwsRole& role) {
  if (!role.session_name.empty()) return role.session_name;
  std::string name = variable(lookup.settings, "AWS_ROLE_SESSION_NAME");
  return name.empty() ? "forebay" : name;
}

// What a refusal means. STS names the role and who asked, and repeats no secret.
Error refused(const HttpResponse& response, const AwsRole& role, const std::string& who) {
  const auto document = sts::parse_refusal(response.body);
  const std::string code = document ? document->code : "";
  ErrorCode meaning = ErrorCode::denied;
  std::string hint = fmt::format("the role's trust policy has to allow {}", who);
  if (code.contains("Throttling") || response.head.status == 429) {
    meaning = ErrorCode::throttled;
    hint.clear();
  } else if (response.head.status >= 500 || code == "IDPCommunicationError") {
    meaning = ErrorCode::unavailable;
    hint.clear();
  } else if (code.starts_with("ExpiredToken")) {
    hint = "what asks for the role has run out: renew it";
  } else if (response.head.status >= 300 && response.head.status < 400) {
    meaning = ErrorCode::invalid_config;
    hint = "STS does not redirect: check AWS_ENDPOINT_URL_STS";
  } else if (code == "RequestExpired" || code == "RequestTimeTooSkewed") {
    hint = "set the clock of this machine";
  }
  std::string cause = fmt::format("STS answered {}", response.head.status);
  if (document) cause += fmt::format(" {}: {}", printable(code), printable(document->message));
  return credential_error(meaning, role.arn, std::move(cause), std::move(hint));
}

std::string host_of(const std::string& address) {
  std::string host = address.substr(address.find("//") + 2);
  return host.substr(0, host.find('/'));
}

// One call. `base` is null where the call is not signed.
Result<AwsCredentials> call(const AwsLookup& lookup, const NamedValues& values,
                            const AwsCredentials* base, const AwsRole& role,
                            const std::string& who) {
  CHECK(lookup.tools.web != nullptr);
  const std::string region = region_of(lookup, role);
  ASSIGN_OR_RETURN(const std::string address,
                   aws_service_address(lookup.settings, "STS", "sts", region));
  const std::string body = form(values);
  aws::Unsigned request{.method = "POST",
                        .host = host_of(address),
                        .path = "/",
                        .headers = {{"content-type", "application/x-www-form-urlencoded"}},
                        .payload_hash = sha256_hex(body)};
  NamedValues headers = request.headers;
  if (base != nullptr) {
    headers = aws::sign(request, *base, {.region = region, .service = "sts", .time = lookup.now});
  }
  ASSIGN_OR_RETURN(
      const HttpResponse response,
      ask(*lookup.tools.web,
          {.method = "POST", .url = address + "/", .headers = std::move(headers), .body = body},
          role.arn));
  if (response.head.status != 200) return fail(refused(response, role, who));
  auto found = sts::parse_credentials(response.body);
  if (!found) {
    return fail(credential_error(ErrorCode::unavailable, role.arn,
                                 fmt::format("STS: {}", found.error().cause), {}));
  }
  found->found_in = fmt::format("role {} with {}", role.arn, who);
  return found;
}

NamedValues common(const char* action, const AwsLookup& lookup, const AwsRole& role) {
  return {{"Action", action},
          {"Version", "2011-06-15"},
          {"RoleArn", role.arn},
          {"RoleSessionName", session_name(lookup, role)},
          {"DurationSeconds", fmt::format("{}", role.duration.count())}};
}

}  // namespace

Result<AwsCredentials> assume_role(const AwsLookup& lookup, const AwsCredentials& base,
                                   const AwsRole& role) {
  NamedValues values = common("AssumeRole", lookup, role);
  if (!role.external_id.empty()) values.emplace_back("ExternalId", role.external_id);
  return call(lookup, values, &base, role, base.found_in);
}

Result<AwsCredentials> assume_role_with_web_identity(const AwsLookup& lookup,
                                                     const std::string& token_file,
                                                     const AwsRole& role) {
  ASSIGN_OR_RETURN(const std::string token,
                   read_token(token_file, "the web identity's token file"));
  NamedValues values = common("AssumeRoleWithWebIdentity", lookup, role);
  values.emplace_back("WebIdentityToken", token);
  return call(lookup, values, nullptr, role, fmt::format("the token in {}", token_file));
}

Result<std::optional<AwsCredentials>> web_identity_credentials(AwsLookup& lookup) {
  if (lookup.settings.profile) return std::nullopt;  // someone named a profile: that is meant
  const std::string token_file = variable(lookup.settings, "AWS_WEB_IDENTITY_TOKEN_FILE");
  const std::string role = variable(lookup.settings, "AWS_ROLE_ARN");
  if (token_file.empty()) {
    lookup.looked_at.emplace_back("AWS_WEB_IDENTITY_TOKEN_FILE (not set)");
    return std::nullopt;
  }
  if (role.empty()) {
    return fail(unusable("the environment",
                         "AWS_WEB_IDENTITY_TOKEN_FILE is set, and AWS_ROLE_ARN is not",
                         "set both or none"));
  }
  ASSIGN_OR_RETURN(auto found, assume_role_with_web_identity(lookup, token_file, {.arn = role}));
  return std::optional(std::move(found));
}

}  // namespace forebay
