#include "net/credentials/aws_sso.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/check.h"
#include "base/digest.h"
#include "base/encode.h"
#include "base/json_reader.h"
#include "base/time_text.h"
#include "net/credentials/aws_endpoint.h"
#include "net/foreign_text.h"

namespace forebay {
namespace {

// What both forms come to.
struct SsoLogin {
  std::string region;
  std::string cache_name;  // what the file of the token is named after
  std::string command;     // what gets a new token
};

Result<SsoLogin> login_of(const AwsProfiles& profiles, const AwsProfile& profile) {
  const std::string session_name = profile.get("sso_session");
  if (session_name.empty()) {
    return SsoLogin{.region = profile.get("sso_region"),
                    .cache_name = profile.get("sso_start_url"),
                    .command = fmt::format("aws sso login --profile {}", profile.name)};
  }
  const AwsProfile session = profiles.sso_session(session_name);
  if (!session.exists()) {
    return fail(unusable(profile.where(),
                         fmt::format("there is no section [sso-session {}]", session_name),
                         "run aws configure sso"));
  }
  return SsoLogin{.region = session.get("sso_region"),
                  .cache_name = session_name,
                  .command = fmt::format("aws sso login --sso-session {}", session_name)};
}

std::string text_at(const nlohmann::json& document, const char* path) {
  const auto* found = json_at(document, path);
  return found != nullptr && found->is_string() ? found->get<std::string>() : "";
}

// Older tools wrote "2026-12-01T10:00:00UTC".
std::optional<Time> parse_expiry(std::string text) {
  if (text.ends_with("UTC")) text.replace(text.size() - 3, 3, "Z");
  return parse_rfc3339(text);
}

Result<Secret> cached_token(const AwsLookup& lookup, const SsoLogin& login,
                            const std::string& where) {
  const auto log_in = [&](std::string cause) {
    return fail(credential_error(ErrorCode::denied, where, std::move(cause),
                                 fmt::format("run: {}", login.command)));
  };
  const std::string path = fmt::format(
      "{}/.aws/sso/cache/{}.json", variable(lookup.settings, "HOME"), sha1_hex(login.cache_name));
  std::ifstream in(path, std::ios::binary);
  if (!in) return log_in("there is no token of IAM Identity Center");
  const std::string text(std::istreambuf_iterator<char>(in), {});
  const auto document = read_json(text, path);
  const std::string token = document ? text_at(*document, "/accessToken") : "";
  if (token.empty()) return log_in(fmt::format("{} holds no token", path));
  const auto expires = parse_expiry(text_at(*document, "/expiresAt"));
  if (!expires || *expires <= lookup.now)
    return log_in("the token of IAM Identity Center has run out");
  return Secret(token);
}

Result<AwsCredentials> read_answer(const std::string& body, const std::string& where) {
  const auto wrong = [&] {
    return fail(credential_error(ErrorCode::unavailable, where,
                                 "IAM Identity Center's answer holds no credentials", {}));
  };
  const auto document = read_json(body, where);
  if (!document) return wrong();
  AwsCredentials found{.access_key = text_at(*document, "/roleCredentials/accessKeyId"),
                       .secret_key = Secret(text_at(*document, "/roleCredentials/secretAccessKey")),
                       .session_token = Secret(text_at(*document, "/roleCredentials/sessionToken")),
                       .expires = {},
                       .found_in = fmt::format("{} (IAM Identity Center)", where)};
  const auto* expires = json_at(*document, "/roleCredentials/expiration");
  if (found.access_key.empty() || found.secret_key.empty() || found.session_token.empty() ||
      expires == nullptr || !expires->is_number_integer())
    return wrong();
  found.expires = Time(std::chrono::milliseconds(expires->get<std::int64_t>()));
  return found;
}

}  // namespace

Result<AwsCredentials> sso_credentials(const AwsLookup& lookup, const AwsProfiles& profiles,
                                       const AwsProfile& profile) {
  const std::string where = profile.where();
  ASSIGN_OR_RETURN(const SsoLogin login, login_of(profiles, profile));
  const std::string account = profile.get("sso_account_id");
  const std::string role = profile.get("sso_role_name");
  if (login.region.empty() || login.cache_name.empty() || account.empty() || role.empty()) {
    return fail(unusable(where,
                         "sso_region, sso_start_url, sso_account_id and sso_role_name are all "
                         "needed, and one is missing",
                         "run aws configure sso"));
  }
  ASSIGN_OR_RETURN(const std::string address,
                   aws_service_address(lookup.settings, "SSO", "portal.sso", login.region));
  ASSIGN_OR_RETURN(const Secret token, cached_token(lookup, login, where));
  CHECK(lookup.tools.web != nullptr);
  ASSIGN_OR_RETURN(const HttpResponse response,
                   ask(*lookup.tools.web,
                       {.url = fmt::format("{}/federation/credentials?role_name={}&account_id={}",
                                           address, percent_encode(role), percent_encode(account)),
                        .headers = {{"x-amz-sso_bearer_token", token.reveal()}}},
                       fmt::format("{} (IAM Identity Center)", where)));
  const int status = response.head.status;
  if (status == 200) return read_answer(response.body, where);
  if (status == 401) {
    return fail(credential_error(ErrorCode::denied, where,
                                 "IAM Identity Center no longer takes the token",
                                 fmt::format("run: {}", login.command)));
  }
  const ErrorCode code = status == 429   ? ErrorCode::throttled
                         : status >= 500 ? ErrorCode::unavailable
                                         : ErrorCode::denied;
  return fail(credential_error(
      code, where, fmt::format("IAM Identity Center answered {}", status),
      code == ErrorCode::denied
          ? fmt::format("check sso_account_id {} and sso_role_name {}", account, role)
          : ""));
}

}  // namespace forebay
