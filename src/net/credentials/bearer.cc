#include "net/credentials/bearer.h"

#include <fmt/format.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/encode.h"
#include "base/json_reader.h"
#include "net/foreign_text.h"
#include "net/safe_url.h"

namespace forebay {
namespace {

using Json = nlohmann::json;

// The metadata servers of clouds keep a token until some four minutes before its end: to ask
// earlier would give the same one again.
constexpr Duration kRenewBefore = std::chrono::seconds(225);
// Documents of token servers, and files of credentials, have a few kilobytes.
constexpr std::size_t kMostCredentialBytes = std::size_t{256} << 10;

std::string text_of(const Json& answer, const char* name) {
  const auto found = answer.find(name);
  return found != answer.end() && found->is_string() ? found->get<std::string>() : "";
}

// A whole number, written as one or as a text.
std::optional<std::int64_t> number_of(const Json& answer, const char* name) {
  const auto found = answer.find(name);
  if (found == answer.end()) return std::nullopt;
  if (found->is_number_integer()) return found->get<std::int64_t>();
  if (!found->is_string()) return std::nullopt;
  const auto& text = found->get_ref<const std::string&>();
  if (text.empty() || text.size() > 15) return std::nullopt;
  std::int64_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return value;
}

// "invalid_grant: the account was not found"; empty: the body is no such document.
std::string told_error(const std::string& body) {
  const auto document = read_json(body, "the answer");
  if (!document || !document->is_object()) return {};
  const auto error = document->find("error");
  if (error == document->end()) return {};
  std::string code;
  std::string text = text_of(*document, "error_description");
  if (error->is_string()) code = error->get<std::string>();
  if (error->is_object()) {
    code = text_of(*error, "status");
    text = text_of(*error, "message");
  }
  return printable(text.empty() ? code : fmt::format("{}: {}", code, text));
}

ErrorCode code_of(int status) {
  if (status == 429 || status == 503) return ErrorCode::throttled;
  if (status == 408 || status >= 500) return ErrorCode::unavailable;
  return ErrorCode::denied;
}

std::optional<Time> expiry(const Json& answer, Time now) {
  constexpr std::int64_t kLongest = 400LL * 24 * 3600;
  if (const auto in = number_of(answer, "expires_in"); in && *in >= 0 && *in < kLongest)
    return now + std::chrono::seconds(*in);
  if (const auto on = number_of(answer, "expires_on"); on && *on >= 0 && *on < 253402300800)
    return Time(std::chrono::seconds(*on));
  return std::nullopt;
}

}  // namespace

Error token_problem(ErrorCode code, std::string where, std::string cause, std::string hint) {
  return {.code = code,
          .operation = "find credentials",
          .object = std::move(where),
          .cause = std::move(cause),
          .hint = std::move(hint)};
}

Result<BearerToken> BearerCredentials::get(Time now) {
  const std::lock_guard lock(mutex_);
  const bool ends_soon = found_ && found_->expires && *found_->expires - kRenewBefore <= now;
  if (found_ && !ends_soon) return *found_;
  auto fresh = source_(now);
  if (fresh) {
    found_ = std::move(*fresh);
    return *found_;
  }
  if (found_ && *found_->expires > now) return *found_;
  return fail(std::move(fresh).error());
}

bool BearerCredentials::renew(const Secret& refused, Time now) {
  const std::lock_guard lock(mutex_);
  if (found_ && found_->token != refused) return true;
  auto fresh = source_(now);
  if (!fresh || fresh->token == refused) return false;
  found_ = std::move(*fresh);
  return true;
}

std::string BearerCredentials::found_in() const {
  const std::lock_guard lock(mutex_);
  return found_ ? found_->found_in : "";
}

Result<BearerToken> ask_for_token(Http& http, HttpRequest request, std::string found_in, Time now) {
  request.shown = found_in;
  auto response = fetch(http, request, kMostCredentialBytes);
  if (!response) {
    Error error = std::move(response).error();
    error.operation = "ask for a token";
    return fail(std::move(error));
  }
  const int status = response->head.status;
  const auto wrong = [&](ErrorCode code, std::string cause, std::string hint) {
    Error error = token_problem(code, found_in, std::move(cause), std::move(hint));
    error.operation = "ask for a token";
    return fail(std::move(error));
  };
  if (status < 200 || status >= 300) {
    const std::string told = told_error(response->body);
    return wrong(
        code_of(status),
        fmt::format("the token server answered {}{}{}", status, told.empty() ? "" : " ", told),
        code_of(status) == ErrorCode::denied ? "renew or mend these credentials" : "");
  }
  const auto answer = read_json(response->body, "the answer");
  const std::string token =
      answer && answer->is_object() ? text_of(*answer, "access_token") : std::string();
  if (token.empty() || token.find_first_of("\r\n ") != std::string::npos)
    return wrong(ErrorCode::unavailable, "the token server's answer holds no access_token", "");
  return BearerToken{
      .token = Secret(token), .expires = expiry(*answer, now), .found_in = std::move(found_in)};
}

Result<HttpRequest> form_request(const std::string& url, const FormFields& fields) {
  if (!is_safe_url(url)) {
    return fail(token_problem(ErrorCode::invalid_config, "the token server's address",
                              "it is no https address, so that secrets could be read on the way",
                              "use credentials that name an https:// address"));
  }
  HttpRequest request{.method = "POST",
                      .url = url,
                      .headers = {{"content-type", "application/x-www-form-urlencoded"},
                                  {"accept", "application/json"}}};
  for (const auto& [name, value] : fields) {
    request.body += fmt::format("{}{}={}", request.body.empty() ? "" : "&", percent_encode(name),
                                percent_encode(value));
  }
  return request;
}

std::string variable(const Variables& variables, const std::string& name) {
  const auto found = variables.find(name);
  return found == variables.end() ? "" : found->second;
}

Result<std::string> read_credential_file(const std::string& path, const std::string& named_by) {
  std::ifstream in(path, std::ios::binary);
  const auto wrong = [&](std::string cause) {
    return fail(token_problem(ErrorCode::invalid_config, path, std::move(cause),
                              fmt::format("the file is named by {}", named_by)));
  };
  if (!in) return wrong("the file cannot be read");
  std::string text(kMostCredentialBytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (in.bad() || text.empty()) return wrong("the file is empty or cannot be read");
  if (text.size() > kMostCredentialBytes) return wrong("the file is too long for credentials");
  return text;
}

std::string without_line_end(std::string text) {
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  return text;
}

}  // namespace forebay
