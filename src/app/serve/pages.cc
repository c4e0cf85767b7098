#include "app/serve/pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "app/serve/dashboard.h"
#include "app/serve/metrics.h"
#include "app/serve/status_page.h"
#include "base/ascii.h"
#include "base/digest.h"
#include "base/encode.h"

namespace forebay {
namespace {

// Compares as long as ever, whatever the first difference and whatever the lengths.
bool same_secret(const std::string& a, const std::string& b) {
  const std::string left = sha256_hex(a);
  const std::string right = sha256_hex(b);
  unsigned char difference = 0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    difference = static_cast<unsigned char>(
        difference | (static_cast<unsigned char>(left[i]) ^ static_cast<unsigned char>(right[i])));
  }
  return difference == 0;
}

// The token in an Authorization header; empty: none.
std::string given_token(std::string_view header) {
  const std::size_t space = header.find(' ');
  if (space == std::string_view::npos) return "";
  const std::string_view scheme = header.substr(0, space);
  std::string_view rest = header.substr(space + 1);
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  if (equal_ignoring_case(scheme, "bearer")) return std::string(rest);
  if (!equal_ignoring_case(scheme, "basic")) return "";
  const std::string pair = base64_decode(rest).value_or("");
  const std::size_t colon = pair.find(':');
  return colon == std::string::npos ? "" : pair.substr(colon + 1);
}

// Whether a Host header is an address or "localhost", with or without a port.
bool names_an_address(std::string_view host) {
  if (host.starts_with('[')) return true;  // IPv6: no name begins so
  host = host.substr(0, host.rfind(':'));
  if (host.find(':') != std::string_view::npos) return false;  // no header that a browser sends
  if (equal_ignoring_case(host, "localhost")) return true;
  // A name's last part is never a number.
  const std::string_view last = host.substr(host.rfind('.') + 1);
  return !last.empty() && std::ranges::all_of(last, [](char c) { return c >= '0' && c <= '9'; });
}

std::string_view path_of(std::string_view target) { return target.substr(0, target.find('?')); }

WebReply ready_page(const ServeState::Snapshot& state) {
  std::string missing;
  for (const PipelineState& pipeline : state.pipelines) {
    if (!pipeline.ready_since) missing += pipeline.name + "\n";
  }
  if (missing.empty()) return {.body = "ready\n"};
  return {.status = 503, .body = "no complete cycle yet:\n" + missing};
}

WebReply health_page(const ServeState::Snapshot& state) {
  if (state.alive) return {.body = "ok\n"};
  return {.status = 503,
          .body = fmt::format("a cycle shows no sign of life for {} minutes\n",
                              std::chrono::floor<std::chrono::minutes>(kHungAfter).count())};
}

std::string dumped(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

Pages::Pages(const ServeState& state, Secret token, Clock& clock)
    : state_(state),
      token_(std::move(token)),
      clock_(clock),
      dashboard_policy_(policy_for(dashboard_page())) {}

bool Pages::may_see(const WebRequest& request) const {
  return token_.empty() || same_secret(given_token(request.authorization), token_.reveal());
}

WebReply Pages::answer(const WebRequest& request) const {
  if (request.method != "GET" && request.method != "HEAD")
    return {.status = 405, .body = "only to be read\n", .headers = {{"Allow", "GET, HEAD"}}};
  const std::string_view path = path_of(request.target);
  const Time now = clock_.now();
  if (path == "/healthz") return health_page(state_.snapshot(now));
  if (path == "/readyz") return ready_page(state_.snapshot(now));
  if (token_.empty() && !request.host.empty() && !names_an_address(request.host))
    return {.status = 421, .body = "without a token this server answers under an address only\n"};
  if (!may_see(request)) {
    return {.status = 401,
            .body = "the token is missing or wrong (serve.token of the configuration)\n",
            .headers = {{"WWW-Authenticate", "Bearer realm=\"forebay\""},
                        {"WWW-Authenticate", "Basic realm=\"forebay\", charset=\"UTF-8\""}}};
  }
  if (path == "/") {
    return {.type = "text/html; charset=utf-8",
            .body = std::string(dashboard_page()),
            .headers = {{"Content-Security-Policy", dashboard_policy_}}};
  }
  if (path == "/api/status") {
    return {.type = "application/json", .body = dumped(status_document(state_.snapshot(now), now))};
  }
  if (path == "/metrics")
    return {.type = kMetricsType, .body = metrics_text(state_.snapshot(now), now)};
  return {.status = 404, .body = "there are /, /api/status, /metrics, /healthz and /readyz\n"};
}

}  // namespace forebay
