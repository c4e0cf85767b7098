#include "store/list_api_client.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_reader.h"
#include "base/time_text.h"
#include "net/foreign_text.h"
#include "net/safe_url.h"

namespace forebay::list_api {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostAnswer = std::size_t{16} << 20;

// Strings that are a placeholder become its value. The text was read strictly when the description
// was, and is small.
void fill(Json& body, const std::map<std::string, Json>& values) {
  if (body.is_string()) {
    const auto found = values.find(body.get<std::string>());
    if (found != values.end()) body = found->second;
  } else if (body.is_structured()) {
    for (Json& part : body) fill(part, values);
  }
}

std::optional<std::string> text_at(const Json& value, const std::string& path) {
  const Json* found = json_at(value, path);
  if (found == nullptr || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

// What an array of errors says: the message of the first one.
std::string told(const Json& errors) {
  if (!errors.is_array() || errors.empty()) return printable(errors.dump());
  const auto message = text_at(errors.front(), "/message");
  return printable(message.value_or(errors.front().dump()));
}

bool is_clean(std::string_view header) {
  return std::ranges::none_of(header, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

}  // namespace

Client::Client(ClientOptions options, std::unique_ptr<Http> http, Clock& clock, RandomSource random)
    : options_(std::move(options)),
      http_(std::move(http)),
      clock_(clock),
      random_(std::move(random)) {}

std::string Client::display(const std::string& key) const {
  return fmt::format("{} {}", options_.endpoint, key);
}

RequestCounts Client::requests() const {
  return {.list = lists_, .get = gets_, .head = 0, .other = links_};
}

Status Client::repeat(const std::function<Status(RetryAttempt&)>& attempt) {
  return retry(options_.retry, clock_, random_, &pause_, attempt);
}

Error Client::error(ErrorCode code, const char* operation, const std::string& object,
                    std::string cause, std::string hint) const {
  return {.code = code,
          .operation = operation,
          .object = object,
          .cause = std::move(cause),
          .hint = std::move(hint)};
}

// What an answer that is no success means; nothing for one that is.
std::optional<Error> Client::refusal(const HttpHead& head, const char* operation,
                                     const std::string& object, RetryAttempt& attempt) const {
  if (head.status >= 200 && head.status < 300) return std::nullopt;
  if (const auto wish = head.find("retry-after"))
    attempt.retry_after(parse_retry_after(*wish, clock_.now()));
  ErrorCode code = ErrorCode::invalid_config;
  std::string hint;
  switch (head.status) {
    case 401:
    case 403:
      code = ErrorCode::denied;
      hint = "check the headers in the configuration: a token may have run out";
      break;
    case 404: code = ErrorCode::not_found; break;
    case 408: code = ErrorCode::unavailable; break;
    case 416: code = ErrorCode::damaged; break;
    case 429: code = ErrorCode::throttled; break;
    default:
      if (head.status >= 500) code = ErrorCode::unavailable;
      // Whoever is redirected sends what it holds to somebody it was not told of.
      if (head.status >= 300 && head.status < 400) {
        code = ErrorCode::damaged;
        hint =
            "the feed forbids redirects: use the address that it leads to, if it is the right one";
      }
  }
  if (head.status == 503) code = ErrorCode::throttled;
  return error(code, operation, object, fmt::format("the server answered {}", head.status), hint);
}

Result<Json> Client::post(const std::string& body, const Values& values, const char* operation,
                          const std::string& shown, RetryAttempt& attempt) {
  ASSIGN_OR_RETURN(Json filled, read_json(body, "the request"));
  fill(filled, values);
  HttpRequest request{
      .method = "POST",
      .url = options_.endpoint,
      .headers = {{"content-type", "application/json"}, {"accept", "application/json"}},
      .body = filled.dump(),
      .shown = shown};
  for (const auto& [name, value] : options_.headers)
    request.headers.emplace_back(name, value.reveal());
  auto response = fetch(*http_, request, kMostAnswer);
  if (!response) {
    Error wrong = std::move(response).error();
    wrong.operation = operation;
    return fail(std::move(wrong));
  }
  if (auto refused = refusal(response->head, operation, shown, attempt))
    return fail(std::move(*refused));
  return read_json(response->body, shown);
}

Result<Client::Page> Client::list(const std::string& prefix,
                                  const std::optional<std::string>& token) {
  const std::string shown = display(prefix);
  Json answer;
  RETURN_IF_ERROR(repeat([&](RetryAttempt& attempt) -> Status {
    ++lists_;
    ASSIGN_OR_RETURN(answer,
                     post(options_.api.list_body,
                          {{"{prefix}", prefix}, {"{token}", token ? Json(*token) : Json(nullptr)}},
                          "list", shown, attempt));
    return check_errors(answer, "list", shown, attempt);
  }));
  const Json* entries = json_at(answer, options_.api.keys);
  if (entries == nullptr || !entries->is_array())
    return fail(error(ErrorCode::damaged, "list", shown,
                      fmt::format("the answer has no list at {}", options_.api.keys)));
  Page page;
  for (const Json& entry : *entries) {
    auto key = text_at(entry, options_.api.key);
    if (!key)
      return fail(error(ErrorCode::damaged, "list", shown,
                        fmt::format("an entry of {} has no key", options_.api.keys)));
    page.keys.push_back(std::move(*key));
  }
  const Json* next = json_at(answer, options_.api.next);
  if (next == nullptr || next->is_null()) return page;
  if (!next->is_string())
    return fail(error(ErrorCode::damaged, "list", shown, "the next page's token is no text"));
  // Nothing behind the last page: some say so by an empty text.
  if (std::string after = next->get<std::string>(); !after.empty()) page.next = std::move(after);
  return page;
}

Status Client::check_errors(const Json& answer, const char* operation, const std::string& object,
                            RetryAttempt& attempt) const {
  if (options_.api.errors.empty()) return {};
  const Json* errors = json_at(answer, options_.api.errors);
  if (errors == nullptr || errors->is_null() || (errors->is_array() && errors->empty())) return {};
  attempt.give_up();
  return fail(error(ErrorCode::unavailable, operation, object,
                    fmt::format("the API answers with errors: {}", told(*errors)),
                    "run again later; if it stays so, ask whoever runs the API"));
}

Status Client::read_headers(const Json& answer, const std::string& key, Link& link) const {
  if (options_.api.headers.empty()) return {};
  const Json* headers = json_at(answer, options_.api.headers);
  if (headers == nullptr || headers->is_null()) return {};
  const auto wrong = [&] {
    return fail(error(ErrorCode::damaged, "read", display(key),
                      "the headers that come with the link are no texts"));
  };
  if (!headers->is_object()) return wrong();
  for (const auto& [name, value] : headers->items()) {
    const Json& first = value.is_array() && value.size() == 1 ? value.front() : value;
    for (const Json& text : first.is_array() ? first : Json::array({first})) {
      if (!text.is_string() || !is_clean(name) || !is_clean(text.get<std::string>()))
        return wrong();
      link.headers.emplace_back(name, text.get<std::string>());
    }
  }
  return {};
}

Result<Link> Client::read_link(const Json& answer, const std::string& key) const {
  const ListApi& api = options_.api;
  const auto url = text_at(answer, api.url);
  if (!url || !is_safe_url(*url))
    return fail(error(ErrorCode::damaged, "read", display(key),
                      url ? "the link is no https address" : "the answer has no link"));
  Link link{.url = Secret(*url), .fresh_until = clock_.now() + api.stale_after};
  RETURN_IF_ERROR(read_headers(answer, key, link));
  if (api.expires.empty()) return link;
  if (const auto text = text_at(answer, api.expires)) {
    const auto expires = parse_rfc3339(*text);
    if (!expires)
      return fail(error(ErrorCode::damaged, "read", display(key),
                        fmt::format("the link's expiry '{}' is no time", printable(*text))));
    link.fresh_until = std::min(link.fresh_until, *expires - api.margin);
  }
  return link;
}

Result<Link> Client::link(const std::string& key, RetryAttempt& attempt) {
  ++links_;
  ASSIGN_OR_RETURN(const Json answer,
                   post(options_.api.read_body, {{"{key}", key}}, "read", display(key), attempt));
  RETURN_IF_ERROR(check_errors(answer, "read", display(key), attempt));
  return read_link(answer, key);
}

Result<HttpHead> Client::read(const Link& link, const std::string& key, const std::string& range,
                              const HttpReceiver& receiver, RetryAttempt& attempt) {
  HttpRequest request{
      .url = link.url.reveal(), .headers = link.headers, .body = {}, .shown = display(key)};
  if (!range.empty()) request.headers.emplace_back("range", range);
  ++gets_;
  bool success = false;
  const HttpReceiver only_success{.head = [&](const HttpHead& head) -> Status {
                                    success = head.status >= 200 && head.status < 300;
                                    return success && receiver.head ? receiver.head(head)
                                                                    : Status{};
                                  },
                                  .body = [&](std::span<const std::byte> bytes) -> Status {
                                    return success ? receiver.body(bytes) : Status{};
                                  }};
  auto head = http_->send(request, only_success);
  if (!head) {
    Error wrong = std::move(head).error();
    wrong.operation = "read";
    return fail(std::move(wrong));
  }
  if (auto refused = refusal(*head, "read", display(key), attempt))
    return fail(std::move(*refused));
  return head;
}

}  // namespace forebay::list_api
