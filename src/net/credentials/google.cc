#include "net/credentials/google.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/json_reader.h"
#include "net/credentials/google_parts.h"
#include "net/credentials/jwt.h"

namespace forebay::google {
namespace {

using Json = nlohmann::json;

constexpr const char* kTokenAddress = "https://oauth2.googleapis.com/token";

std::string token_address(const Json& file) {
  const auto found = file.find("token_uri");
  return found != file.end() && found->is_string() ? found->get<std::string>() : kTokenAddress;
}

// RFC 7523, section 2.1: a signed statement instead of a password.
Result<BearerToken> service_account(const Json& file, const std::string& where,
                                    const TokenTools& tools, Time now) {
  ASSIGN_OR_RETURN(const std::string email, field(file, "client_email", where));
  ASSIGN_OR_RETURN(const std::string key, field(file, "private_key", where));
  ASSIGN_OR_RETURN(const std::string key_id, field(file, "private_key_id", where));
  const std::string address = token_address(file);
  const auto seconds = std::chrono::floor<std::chrono::seconds>(now.time_since_epoch()).count();
  auto signed_claims = sign_jwt({{"kid", key_id}},
                                {{"iss", email},
                                 {"scope", kStorageScope},
                                 {"aud", address},
                                 {"iat", seconds},
                                 {"exp", seconds + 3600}},
                                key);
  if (!signed_claims) {
    Error error = std::move(signed_claims).error();
    error.object = where;
    return fail(std::move(error));
  }
  ASSIGN_OR_RETURN(
      HttpRequest request,
      form_request(address, {{"grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"},
                             {"assertion", *signed_claims}}));
  return ask_for_token(*tools.web, std::move(request),
                       fmt::format("the service account {} in {}", email, where), now);
}

Result<BearerToken> authorized_user(const Json& file, const std::string& where,
                                    const TokenTools& tools, Time now) {
  FormFields fields{{"grant_type", "refresh_token"}};
  for (const char* name : {"client_id", "client_secret", "refresh_token"}) {
    ASSIGN_OR_RETURN(std::string value, field(file, name, where));
    fields.emplace_back(name, std::move(value));
  }
  ASSIGN_OR_RETURN(HttpRequest request, form_request(token_address(file), fields));
  return ask_for_token(*tools.web, std::move(request), fmt::format("the user in {}", where), now);
}

Result<BearerToken> token_of(const Json& file, const std::string& where, const TokenTools& tools,
                             Time now, bool nested);

// What `gcloud auth application-default login --impersonate-service-account` writes.
Result<BearerToken> impersonated(const Json& file, const std::string& where,
                                 const TokenTools& tools, Time now) {
  ASSIGN_OR_RETURN(const std::string url, field(file, "service_account_impersonation_url", where));
  const Json* source = json_at(file, "/source_credentials");
  if (source == nullptr || !source->is_object())
    return fail(token_problem(ErrorCode::invalid_config, where,
                              "it has no source_credentials to begin with"));
  ASSIGN_OR_RETURN(const BearerToken with, token_of(*source, where, tools, now, true));
  return impersonate({.url = url}, with, tools);
}

Result<BearerToken> token_of(const Json& file, const std::string& where, const TokenTools& tools,
                             Time now, bool nested) {
  ASSIGN_OR_RETURN(const std::string type, field(file, "type", where));
  if (type == "service_account") return service_account(file, where, tools, now);
  if (type == "authorized_user") return authorized_user(file, where, tools, now);
  if (type == "external_account") return external_account(file, where, tools, now);
  if (type == "impersonated_service_account" && !nested)
    return impersonated(file, where, tools, now);
  return fail(token_problem(
      ErrorCode::invalid_config, where,
      fmt::format("credentials of the type {} are not known", json_name(json_at(file, "/type"))),
      "known: service_account, authorized_user, external_account, impersonated_service_account"));
}

// gcloud's own file; empty: no folder is known where it could be.
std::string well_known_file(const Settings& settings) {
  const char* name = "/application_default_credentials.json";
  const std::string named = variable(settings.environment, "CLOUDSDK_CONFIG");
  if (!named.empty()) return named + name;
  const std::string home = variable(settings.environment, "HOME");
  return home.empty() ? "" : home + "/.config/gcloud" + name;
}

Result<BearerToken> find(const Settings& settings, const TokenTools& tools, Time now) {
  std::vector<std::string> looked_at;
  const std::string named = variable(settings.environment, "GOOGLE_APPLICATION_CREDENTIALS");
  if (!named.empty()) {
    ASSIGN_OR_RETURN(const std::string text,
                     read_credential_file(named, "GOOGLE_APPLICATION_CREDENTIALS"));
    return token_of_file(text, named, tools, now);
  }
  looked_at.emplace_back("GOOGLE_APPLICATION_CREDENTIALS (not set)");
  const std::string well_known = well_known_file(settings);
  std::error_code ignored;
  if (!well_known.empty() && std::filesystem::exists(well_known, ignored)) {
    ASSIGN_OR_RETURN(const std::string text, read_credential_file(well_known, "gcloud"));
    return token_of_file(text, well_known, tools, now);
  }
  if (!well_known.empty()) looked_at.push_back(well_known + " (not there)");
  auto token = from_metadata_server(settings, tools, now);
  if (token) return token;
  // A machine outside of Google's cloud has no such server, or somebody else's, and to ask again
  // for minutes would change nothing.
  const bool named_server = !variable(settings.environment, "GCE_METADATA_HOST").empty();
  if (named_server || token.error().code == ErrorCode::throttled) return token;
  looked_at.push_back(fmt::format("the metadata server ({})", token.error().cause));
  return fail(
      token_problem(ErrorCode::denied, "Google Cloud",
                    fmt::format("there are none; looked at: {}", fmt::join(looked_at, ", ")),
                    "set GOOGLE_APPLICATION_CREDENTIALS to a credentials file, run 'gcloud auth "
                    "application-default login', or say anonymous: true for a public bucket"));
}

}  // namespace

Result<std::string> field(const Json& file, const char* name, const std::string& where) {
  const auto found = file.find(name);
  if (found != file.end() && found->is_string() && !found->get_ref<const std::string&>().empty())
    return found->get<std::string>();
  return fail(token_problem(ErrorCode::invalid_config, where,
                            fmt::format("the field \"{}\" is missing or no text", name),
                            "take the file as it was handed out"));
}

Result<BearerToken> token_of_file(const std::string& text, const std::string& where,
                                  const TokenTools& tools, Time now) {
  const auto file = read_json(text, where);
  if (!file || !file->is_object()) {
    // Nothing of the text is repeated: it holds secrets.
    return fail(token_problem(ErrorCode::invalid_config, where, "this is no credentials file",
                              "it must be a JSON object with a \"type\""));
  }
  return token_of(*file, where, tools, now, false);
}

TokenSource tokens(Settings settings, TokenTools tools) {
  return [settings = std::move(settings), tools = std::move(tools)](Time now) {
    return find(settings, tools, now);
  };
}

}  // namespace forebay::google
