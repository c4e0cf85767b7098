#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "base/encode.h"
#include "base/json_reader.h"
#include "base/time_text.h"
#include "net/credentials/google_parts.h"
#include "net/safe_url.h"

// Workload identity federation: a token of somebody else's (a cluster's, another cloud's) is
// exchanged for one of Google's (RFC 8693), and that one, where the file says so, for a service
// account's.
namespace forebay::google {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostSubjectToken = std::size_t{64} << 10;

Error problem(const std::string& where, std::string cause, std::string hint = {}) {
  return token_problem(ErrorCode::invalid_config, where, std::move(cause), std::move(hint));
}

// The token itself, or the field of a JSON document that holds it.
Result<std::string> subject_token(const std::string& text, const Json& source,
                                  const std::string& where) {
  const Json* type = json_at(source, "/format/type");
  std::string token;
  if (type != nullptr && *type == "json") {
    const Json* name = json_at(source, "/format/subject_token_field_name");
    const auto document = read_json(text, where);
    if (name != nullptr && name->is_string() && document && document->is_object()) {
      const auto found = document->find(name->get_ref<const std::string&>());
      if (found != document->end() && found->is_string()) token = found->get<std::string>();
    }
  } else {
    token = without_line_end(text);
  }
  if (!token.empty()) return token;
  return fail(problem(where, "the credential_source gives no token",
                      "its format must fit what the source holds"));
}

Result<std::string> ask_source(const std::string& url, const Json& source, const std::string& where,
                               const TokenTools& tools) {
  // Who serves subject tokens is often a link-local address without TLS, and is sent no secret but
  // the headers of this very file.
  HttpRequest request{.url = url, .shown = fmt::format("the credential_source of {}", where)};
  if (const Json* headers = json_at(source, "/headers"); headers && headers->is_object()) {
    for (const auto& [name, value] : headers->items()) {
      if (!value.is_string())
        return fail(problem(where, "a header of credential_source is no text"));
      request.headers.emplace_back(name, value.get<std::string>());
    }
  }
  Http& http = url.starts_with("https:") ? *tools.web : *tools.nearby;
  ASSIGN_OR_RETURN(const HttpResponse response, fetch(http, request, kMostSubjectToken));
  if (response.head.status == 200) return response.body;
  const bool later = response.head.status >= 500 || response.head.status == 429;
  return fail(
      token_problem(later ? ErrorCode::unavailable : ErrorCode::denied, request.shown,
                    fmt::format("the server of subject tokens answered {}", response.head.status)));
}

Result<std::string> find_subject_token(const Json& file, const std::string& where,
                                       const TokenTools& tools) {
  const Json* source = json_at(file, "/credential_source");
  if (source == nullptr || !source->is_object())
    return fail(problem(where, "it has no credential_source"));
  for (const char* kind : {"environment_id", "executable", "certificate"}) {
    if (!source->contains(kind)) continue;
    const bool aws = std::string_view(kind) == "environment_id";
    return fail(
        problem(where,
                fmt::format("subject tokens from {} are not supported",
                            aws ? "AWS (environment_id)" : fmt::format("\"{}\"", kind)),
                "use a credential_source with a file or a url, or a service account's file"));
  }
  if (const Json* path = json_at(*source, "/file"); path && path->is_string()) {
    ASSIGN_OR_RETURN(const std::string text, read_credential_file(path->get<std::string>(), where));
    return subject_token(text, *source, path->get<std::string>());
  }
  if (const Json* url = json_at(*source, "/url"); url && url->is_string()) {
    ASSIGN_OR_RETURN(const std::string text,
                     ask_source(url->get<std::string>(), *source, where, tools));
    return subject_token(text, *source, where);
  }
  return fail(problem(where, "its credential_source names neither a file nor a url"));
}

}  // namespace

Result<BearerToken> external_account(const Json& file, const std::string& where,
                                     const TokenTools& tools, Time now) {
  ASSIGN_OR_RETURN(const std::string audience, field(file, "audience", where));
  ASSIGN_OR_RETURN(const std::string token_type, field(file, "subject_token_type", where));
  ASSIGN_OR_RETURN(const std::string address, field(file, "token_url", where));
  ASSIGN_OR_RETURN(const std::string subject, find_subject_token(file, where, tools));
  const Json* url = json_at(file, "/service_account_impersonation_url");
  const bool impersonates = url != nullptr && url->is_string();
  ASSIGN_OR_RETURN(
      HttpRequest request,
      form_request(address,
                   {{"grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"},
                    {"audience", audience},
                    {"scope", impersonates ? "https://www.googleapis.com/auth/cloud-platform"
                                           : kStorageScope},
                    {"requested_token_type", "urn:ietf:params:oauth:token-type:access_token"},
                    {"subject_token", subject},
                    {"subject_token_type", token_type}}));
  const Json* id = json_at(file, "/client_id");
  const Json* secret = json_at(file, "/client_secret");
  if (id && secret && id->is_string() && secret->is_string()) {
    request.headers.emplace_back(
        "authorization", "Basic " + base64_encode(percent_encode(id->get<std::string>()) + ":" +
                                                  percent_encode(secret->get<std::string>())));
  }
  ASSIGN_OR_RETURN(BearerToken token,
                   ask_for_token(*tools.web, std::move(request),
                                 fmt::format("the external account in {}", where), now));
  if (!impersonates) return token;
  Impersonation wanted{.url = url->get<std::string>()};
  const Json* seconds = json_at(file, "/service_account_impersonation/token_lifetime_seconds");
  if (seconds && seconds->is_number_integer()) wanted.seconds = seconds->get<int>();
  return impersonate(wanted, token, tools);
}

Result<BearerToken> impersonate(const Impersonation& wanted, const BearerToken& with,
                                const TokenTools& tools) {
  // "…/serviceAccounts/NAME:generateAccessToken"
  std::string name = wanted.url.substr(wanted.url.rfind('/') + 1);
  name = name.substr(0, name.find(':'));
  const std::string shown = fmt::format("the service account {}, by {}", name, with.found_in);
  if (!is_safe_url(wanted.url))
    return fail(problem(shown, "its impersonation address is no https address"));
  const Json body{{"scope", {kStorageScope}}, {"lifetime", fmt::format("{}s", wanted.seconds)}};
  const HttpRequest request{.method = "POST",
                            .url = wanted.url,
                            .headers = {{"content-type", "application/json"},
                                        {"authorization", "Bearer " + with.token.reveal()}},
                            .body = body.dump(),
                            .shown = shown};
  ASSIGN_OR_RETURN(const HttpResponse response, fetch(*tools.web, request, kMostSubjectToken));
  const int status = response.head.status;
  if (status != 200) {
    const ErrorCode code = status == 429   ? ErrorCode::throttled
                           : status >= 500 ? ErrorCode::unavailable
                                           : ErrorCode::denied;
    return fail(token_problem(code, shown, fmt::format("the token server answered {}", status),
                              "the caller needs roles/iam.serviceAccountTokenCreator on it"));
  }
  const auto answer = read_json(response.body, shown);
  const Json* token = answer ? json_at(*answer, "/accessToken") : nullptr;
  const Json* expires = answer ? json_at(*answer, "/expireTime") : nullptr;
  if (token == nullptr || !token->is_string())
    return fail(token_problem(ErrorCode::unavailable, shown,
                              "the token server's answer holds no accessToken"));
  BearerToken found{.token = Secret(token->get<std::string>()), .expires = {}, .found_in = shown};
  if (expires && expires->is_string())
    found.expires = parse_rfc3339(expires->get_ref<const std::string&>());
  return found;
}

}  // namespace forebay::google
