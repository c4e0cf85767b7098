// Answers of an API that lists files and gives links to them. The first byte chooses the question.
#include "base/utf8.h"
#include "fuzz/fuzz.h"
#include "store/list_api_client.h"
#include "support/fake_clock.h"
#include "support/fake_http.h"

namespace forebay::test {
namespace {

list_api::ClientOptions client_options() {
  return {.endpoint = "https://api.test/graphql",
          .headers = {},
          .api = {.list_body = R"({"p":"{prefix}","t":"{token}"})",
                  .keys = "/keys",
                  .key = "/key",
                  .next = "/next",
                  .read_body = R"({"k":"{key}"})",
                  .url = "/url",
                  .headers = "/headers",
                  .expires = "/expires",
                  .errors = "/errors"},
          .retry = {.retry_for = Duration{}}};
}

void must_be_an_answer(const Error& error) {
  must(error.code == ErrorCode::damaged || error.code == ErrorCode::unavailable ||
           error.code == ErrorCode::refused || error.code == ErrorCode::denied,
       "an answer is right, damaged or an error");
}

}  // namespace

FOREBAY_FUZZ(list_api) {
  const bool lists = take_byte(input) % 2 == 0;
  FakeClock clock;
  list_api::Client client(client_options(),
                          std::make_unique<FakeHttp>(
                              std::vector<Result<HttpResponse>>{answer(200, std::string(input))}),
                          clock, [] { return 0.5; });
  if (lists) {
    const auto page = client.list("p", std::nullopt);
    if (!page) return must_be_an_answer(page.error());
    must(page->keys.size() <= input.size(), "keys are in the answer");
    if (page->next) must(page->next->size() <= input.size(), "so is the token");
    return;
  }
  std::optional<list_api::Link> link;
  const Status got = client.repeat([&](RetryAttempt& attempt) -> Status {
    ASSIGN_OR_RETURN(link, client.link("k", attempt));
    return {};
  });
  if (!got) return must_be_an_answer(got.error());
  const std::string& url = link->url.reveal();
  must(url.starts_with("https://") || url.starts_with("http://127.0.0.1") ||
           url.starts_with("http://localhost") || url.starts_with("http://[::1]"),
       "links are safe");
  for (const auto& [name, value] : link->headers)
    must((name + value).find_first_of("\r\n") == std::string::npos, "a header is one line");
}

}  // namespace forebay::test
