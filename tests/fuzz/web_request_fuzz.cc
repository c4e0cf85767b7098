// Requests to the daemon's pages: target, host and authorization on a line each. Without the token
// nobody sees more than whether it lives.
#include "app/serve/pages.h"

#include "base/ascii.h"
#include "fuzz/fuzz.h"
#include "support/fake_clock.h"

namespace forebay::test {

FOREBAY_FUZZ(web_request) {
  static const ServeState state(Time{});
  static FakeClock clock;
  static const Pages open(state, Secret(), clock);
  static const Pages closed(state, Secret("the-secret-token"), clock);
  WebRequest request{.method = "GET", .target = std::string(take_line(input))};
  request.host = take_line(input);
  request.authorization = input;
  const WebReply reply = closed.answer(request);
  must(reply.status == 200 || reply.status == 401 || reply.status == 404 || reply.status == 503,
       "a request has one of these answers");
  const bool told =
      input.contains("the-secret-token") || in_small_letters(input).starts_with("basic ");
  const bool public_page =
      request.target.starts_with("/healthz") || request.target.starts_with("/readyz");
  if (reply.status == 200 && !public_page) must(told, "who knows the token");
  must(reply.body.find("the-secret-token") == std::string::npos, "it is told to nobody");
  const WebReply seen = open.answer(request);
  // The last part of a name is never a number.
  const std::string_view host = request.host;
  if (seen.status == 200 && !public_page && !host.empty())
    must(host != "evil.test:8080" && host != "evil.test", "no foreign name leads here");
}

}  // namespace forebay::test
