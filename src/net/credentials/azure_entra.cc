#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "base/encode.h"
#include "net/credentials/azure.h"
#include "net/credentials/jwt.h"

// Tokens of Microsoft Entra ID: of applications (service principals) and of machines (managed
// identities).
namespace forebay::azure {
namespace {

constexpr const char* kResource = "https://storage.azure.com/";
constexpr const char* kAssertion = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

// An application that may ask for tokens, and how it proves itself.
struct Application {
  std::string tenant;
  std::string client;
  FormFields proof;
  std::string found_in;
};

std::string token_address(const Variables& environment, const std::string& tenant) {
  std::string authority = variable(environment, "AZURE_AUTHORITY_HOST");
  if (authority.empty()) authority = "https://login.microsoftonline.com";
  if (!authority.contains("://")) authority = "https://" + authority;
  while (authority.ends_with('/')) authority.pop_back();
  return fmt::format("{}/{}/oauth2/v2.0/token", authority, percent_encode(tenant));
}

// A statement signed by the key whose certificate the application is known by (RFC 7523).
Result<std::string> signed_statement(const std::string& path, const std::string& client,
                                     const std::string& address, Time now) {
  ASSIGN_OR_RETURN(const std::string pem,
                   read_credential_file(path, "AZURE_CLIENT_CERTIFICATE_PATH"));
  ASSIGN_OR_RETURN(const std::string thumbprint, certificate_thumbprint(pem));
  const auto seconds = std::chrono::floor<std::chrono::seconds>(now.time_since_epoch()).count();
  const std::string unique =
      sha256_hex(fmt::format("{} {} {}", client, address, now.time_since_epoch().count()));
  return sign_jwt({{"x5t", thumbprint}},
                  {{"aud", address},
                   {"iss", client},
                   {"sub", client},
                   {"jti", unique.substr(0, 32)},
                   {"nbf", seconds},
                   {"exp", seconds + 600}},
                  pem);
}

// nullopt: the environment describes none.
Result<std::optional<Application>> find_application(const Variables& environment, Time now) {
  const auto set = [&](const char* name) { return variable(environment, name); };
  Application found{.tenant = set("AZURE_TENANT_ID"), .client = set("AZURE_CLIENT_ID")};
  if (found.tenant.empty() || found.client.empty()) return std::nullopt;
  if (const std::string path = set("AZURE_FEDERATED_TOKEN_FILE"); !path.empty()) {
    // Read each time: whoever runs the cluster replaces it every hour.
    ASSIGN_OR_RETURN(const std::string token,
                     read_credential_file(path, "AZURE_FEDERATED_TOKEN_FILE"));
    found.proof = {{"client_assertion_type", kAssertion},
                   {"client_assertion", without_line_end(token)}};
    found.found_in = fmt::format("the workload identity {} by {}", found.client, path);
    return found;
  }
  if (const std::string secret = set("AZURE_CLIENT_SECRET"); !secret.empty()) {
    found.proof = {{"client_secret", secret}};
    found.found_in = fmt::format("the service principal {} by AZURE_CLIENT_SECRET", found.client);
    return found;
  }
  if (const std::string path = set("AZURE_CLIENT_CERTIFICATE_PATH"); !path.empty()) {
    ASSIGN_OR_RETURN(
        std::string statement,
        signed_statement(path, found.client, token_address(environment, found.tenant), now));
    found.proof = {{"client_assertion_type", kAssertion},
                   {"client_assertion", std::move(statement)}};
    found.found_in = fmt::format("the service principal {} by {}", found.client, path);
    return found;
  }
  return std::nullopt;
}

Result<BearerToken> ask_authority(const Variables& environment, Application application,
                                  const TokenTools& tools, Time now) {
  FormFields fields = std::move(application.proof);
  fields.emplace_back("grant_type", "client_credentials");
  fields.emplace_back("client_id", application.client);
  fields.emplace_back("scope", fmt::format("{}.default", kResource));
  ASSIGN_OR_RETURN(HttpRequest request,
                   form_request(token_address(environment, application.tenant), fields));
  return ask_for_token(*tools.web, std::move(request), std::move(application.found_in), now);
}

std::string identity_query(const Variables& environment, const char* api_version) {
  std::string query =
      fmt::format("?api-version={}&resource={}", api_version, percent_encode(kResource));
  const std::string client = variable(environment, "AZURE_CLIENT_ID");
  if (!client.empty()) query += "&client_id=" + percent_encode(client);
  return query;
}

// nullopt: this is no App Service.
Result<std::optional<BearerToken>> from_app_service(const Variables& environment,
                                                    const TokenTools& tools, Time now) {
  const std::string endpoint = variable(environment, "IDENTITY_ENDPOINT");
  const std::string header = variable(environment, "IDENTITY_HEADER");
  if (endpoint.empty() || header.empty()) return std::nullopt;
  // Plain HTTP by its nature: the address is within the same sandbox.
  HttpRequest request{.url = endpoint + identity_query(environment, "2019-08-01"),
                      .headers = {{"x-identity-header", header}}};
  ASSIGN_OR_RETURN(BearerToken token,
                   ask_for_token(*tools.nearby, std::move(request),
                                 "the managed identity of IDENTITY_ENDPOINT", now));
  return std::optional(std::move(token));
}

Result<BearerToken> from_machine(const Variables& environment, const TokenTools& tools, Time now) {
  const std::string named = variable(environment, "AZURE_POD_IDENTITY_AUTHORITY_HOST");
  std::string host = named.empty() ? "http://169.254.169.254" : named;
  while (host.ends_with('/')) host.pop_back();
  HttpRequest request{
      .url = host + "/metadata/identity/oauth2/token" + identity_query(environment, "2018-02-01"),
      .headers = {{"metadata", "true"}},
      .connect_timeout = std::chrono::seconds(2),
      .stall_timeout = std::chrono::seconds(10)};
  return ask_for_token(*tools.nearby, std::move(request), "the managed identity of this machine",
                       now);
}

Result<BearerToken> find(const Variables& environment, const TokenTools& tools, Time now) {
  ASSIGN_OR_RETURN(auto application, find_application(environment, now));
  if (application) return ask_authority(environment, std::move(*application), tools, now);
  ASSIGN_OR_RETURN(auto of_service, from_app_service(environment, tools, now));
  if (of_service) return std::move(*of_service);
  auto token = from_machine(environment, tools, now);
  if (token) return token;
  // A machine outside of Azure has no such service, or another cloud's, and to ask again for
  // minutes would change nothing.
  const bool named = !variable(environment, "AZURE_POD_IDENTITY_AUTHORITY_HOST").empty();
  if (named || token.error().code == ErrorCode::throttled) return token;
  const std::vector<std::string> looked_at = {
      "AZURE_STORAGE_CONNECTION_STRING, AZURE_STORAGE_KEY and AZURE_STORAGE_SAS_TOKEN (not set)",
      "AZURE_TENANT_ID and AZURE_CLIENT_ID with AZURE_FEDERATED_TOKEN_FILE, AZURE_CLIENT_SECRET or "
      "AZURE_CLIENT_CERTIFICATE_PATH (not set)",
      "IDENTITY_ENDPOINT with IDENTITY_HEADER (not set)",
      fmt::format("the instance metadata service ({})", token.error().cause)};
  return fail(token_problem(
      ErrorCode::denied, "Azure",
      fmt::format("there are none; looked at: {}", fmt::join(looked_at, ", ")),
      "set AZURE_STORAGE_CONNECTION_STRING or another of these, or say anonymous: true for a "
      "public container"));
}

}  // namespace

TokenSource entra_tokens(Variables environment, TokenTools tools) {
  return [environment = std::move(environment), tools = std::move(tools)](Time now) {
    return find(environment, tools, now);
  };
}

}  // namespace forebay::azure
