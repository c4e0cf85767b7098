#include "net/http.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "base/encode.h"
#include "support/scripted_server.h"

// Aim: every way in which an answer can go wrong is an error of its own, and nothing of a request
// that may be secret gets into one. Method: a server that sends exact bytes.
namespace forebay {
namespace {

using test::Answer;
using test::ScriptedServer;
using ::testing::HasSubstr;
using ::testing::Not;

HttpRequest get(const ScriptedServer& server,
                const std::string& target = "/path?signature=secret") {
  return {.url = server.endpoint() + target,
          .headers = {{"authorization", "secret"}},
          .body = {},
          .shown = "s3://bucket/key"};
}

Result<HttpResponse> answer_to(std::vector<Answer> script) {
  const ScriptedServer server(std::move(script));
  return fetch(*open_http({}), get(server), 1 << 20);
}

void expect_unavailable(const Result<HttpResponse>& result, const std::string& cause) {
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::unavailable);
  EXPECT_THAT(describe(result.error()), HasSubstr(cause));
  EXPECT_THAT(describe(result.error()), HasSubstr("GET s3://bucket/key"));
  EXPECT_THAT(describe(result.error()), Not(HasSubstr("secret")));
}

TEST(Http, GivesStatusHeadersAndBody) {
  const auto response = answer_to({Answer::with(206, "hello", "X-Amz-Thing:  a b \r\n")});
  ASSERT_TRUE(response) << describe(response.error());
  EXPECT_EQ(response->head.status, 206);
  EXPECT_EQ(response->head.find("x-amz-thing"), "a b");
  EXPECT_EQ(response->head.find("none"), std::nullopt);
  EXPECT_EQ(response->body, "hello");
}

TEST(Http, SendsTheTargetAsItStandsCHAR2) {
  const ScriptedServer server({Answer::with(200, "")});
  const auto http = open_http({});
  ASSERT_TRUE(fetch(*http, get(server, "/b/./a/../c//d%252B+%20?x=%2B"), 10));
  EXPECT_THAT(server.requests().at(0), ::testing::StartsWith("GET /b/./a/../c//d%252B+%20?x=%2B "));
  EXPECT_THAT(server.requests().at(0), HasSubstr("authorization: secret\r\n"));
}

TEST(Http, UsesAConnectionAgain) {
  const ScriptedServer server(
      {Answer::with(200, "a"), Answer::with(404, "b"), Answer::with(200, "c")});
  const auto http = open_http({});
  for (const char* body : {"a", "b", "c"}) EXPECT_EQ(fetch(*http, get(server), 10)->body, body);
  EXPECT_EQ(server.connections(), 1U);
}

TEST(Http, SurvivesAConnectionThatTheServerClosedBetweenRequests) {
  const ScriptedServer server(
      {Answer::with(200, "a").and_then(Answer::Then::close), Answer::with(200, "b")});
  const auto http = open_http({});
  EXPECT_EQ(fetch(*http, get(server), 10)->body, "a");
  EXPECT_EQ(fetch(*http, get(server), 10)->body, "b");
}

TEST(Http, FollowsNoRedirect) {
  const auto response = answer_to({Answer::with(307, "", "Location: http://127.0.0.1:1/\r\n")});
  EXPECT_EQ(response->head.status, 307);
}

TEST(Http, SendsABodyWithItsMethod) {
  const ScriptedServer server({Answer::with(200, "")});
  auto request = get(server);
  request.method = "PUT";
  request.body = std::string("a\0b", 3);
  ASSERT_TRUE(open_http({})->send(request, {}));
  EXPECT_THAT(server.requests().at(0), ::testing::StartsWith("PUT "));
  EXPECT_THAT(server.requests().at(0), ::testing::EndsWith("\r\n\r\n" + request.body));
  EXPECT_THAT(server.requests().at(0), Not(HasSubstr("Expect")));
}

TEST(Http, AsksForTheHeadOnly) {
  const ScriptedServer server({Answer::with(200, "12345").cut_body(0)});
  auto request = get(server);
  request.method = "HEAD";
  EXPECT_EQ(open_http({})->send(request, {})->find("content-length"), "5");
}

TEST(Http, ReportsAResetBeforeTheHeadersRETRY6) {
  expect_unavailable(answer_to({Answer{.bytes = "", .then = Answer::Then::reset}}), "reset");
}

TEST(Http, ReportsAResetInTheHeadersRETRY6) {
  expect_unavailable(
      answer_to({Answer{.bytes = "HTTP/1.1 200 OK\r\nContent-Le", .then = Answer::Then::reset}}),
      "reset");
}

TEST(Http, ReportsAHeadThatEndsEarlyRETRY6) {
  expect_unavailable(answer_to({Answer{.bytes = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n",
                                       .then = Answer::Then::close}}),
                     "ended before");
}

TEST(Http, NeverTakesAShortBodyForTheEndRETRY6) {
  auto shorter = Answer::with(200, "0123456789").cut_body(4).and_then(Answer::Then::close);
  expect_unavailable(answer_to({shorter}), "ended before its announced length");
  shorter.and_then(Answer::Then::reset);
  expect_unavailable(answer_to({shorter}), "the");
}

TEST(Http, NeverTakesACutChunkedBodyForTheEndRETRY6) {
  expect_unavailable(
      answer_to({Answer{.bytes = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                                 "5\r\nhello\r\n",
                        .then = Answer::Then::close}}),
      "ended before its announced length");
}

TEST(Http, HandsOnNothingBeyondTheAnnouncedLength) {
  auto longer = Answer::with(200, "12345");
  longer.bytes += "67890HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx";
  const ScriptedServer server({longer, Answer::with(200, "next")});
  const auto http = open_http({});
  EXPECT_EQ(fetch(*http, get(server), 100)->body, "12345");
  EXPECT_EQ(fetch(*http, get(server), 100)->body, "next");
}

TEST(Http, ReportsAnAnswerThatIsNotHttp) {
  expect_unavailable(answer_to({Answer{.bytes = "220 smtp\r\n\r\n", .then = Answer::Then::close}}),
                     "the answer is not HTTP");
}

TEST(Http, ReportsAServerThatIsNotThere) {
  std::string endpoint;
  {
    const ScriptedServer server({});
    endpoint = server.endpoint();
  }
  expect_unavailable(fetch(*open_http({}), {.url = endpoint, .shown = "s3://bucket/key"}, 10),
                     "no connection");
}

TEST(Http, ReportsANameThatDoesNotResolve) {
  expect_unavailable(
      fetch(*open_http({}), {.url = "http://nowhere.invalid/", .shown = "s3://bucket/key"}, 10),
      "name resolution failed");
}

TEST(Http, ReportsABrokenTlsHandshakeRETRY6) {
  const ScriptedServer server({Answer{.bytes = "", .then = Answer::Then::reset},
                               Answer{.bytes = "no TLS", .then = Answer::Then::close}});
  const HttpRequest request{.url = "https" + server.endpoint().substr(4),
                            .headers = {},
                            .body = {},
                            .shown = "s3://bucket/key"};
  const auto http = open_http({});
  expect_unavailable(fetch(*http, request, 10), "TLS handshake");
  expect_unavailable(fetch(*http, request, 10), "TLS handshake");
}

TEST(Http, GivesUpOnABodyThatStalls) {
  const ScriptedServer server(
      {Answer::with(200, "0123456789").cut_body(4).and_then(Answer::Then::hold)});
  auto request = get(server);
  request.stall_timeout = std::chrono::seconds(1);
  expect_unavailable(fetch(*open_http({}), request, 100), "timeout");
}

TEST(Http, GivesUpOnABodyThatTrickles) {
  Answer slow = Answer::with(200, std::string(100'000, 'x'));
  slow.trickle = true;
  const ScriptedServer server({slow});
  auto request = get(server);
  request.stall_timeout = std::chrono::seconds(1);
  expect_unavailable(fetch(*open_http({}), request, 1 << 20), "timeout");
}

TEST(Http, RefusesAddressesThatAreNoHttp) {
  for (const char* url : {"ftp://127.0.0.1/", "file:///etc/passwd", "http://", "http://a b/"}) {
    const auto result = fetch(*open_http({}), {.url = url, .shown = "x"}, 10);
    ASSERT_FALSE(result) << url;
    EXPECT_EQ(result.error().code, ErrorCode::invalid_config) << url;
  }
}

TEST(Http, ReportsCertificatesThatCannotBeRead) {
  const ScriptedServer server({Answer{.bytes = "", .then = Answer::Then::hold}});
  const auto http = open_http({.ca_file = "/nowhere.pem", .proxy = {}, .no_proxy = {}});
  const auto result =
      fetch(*http, {.url = "https" + server.endpoint().substr(4), .shown = "x"}, 10);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::invalid_config);
  EXPECT_THAT(result.error().hint, HasSubstr("ca_file"));
}

TEST(Http, LimitsTheBodyThatIsGathered) {
  const ScriptedServer server({Answer::with(200, "12345"), Answer::with(200, "123456")});
  const auto http = open_http({});
  EXPECT_TRUE(fetch(*http, get(server), 5));
  EXPECT_EQ(fetch(*http, get(server), 5).error().code, ErrorCode::damaged);
}

TEST(Http, EndsTheTransferWithTheReceiversError) {
  const Error refusal{.code = ErrorCode::refused, .operation = "test", .cause = "enough"};
  const ScriptedServer server({Answer::with(200, "12345"), Answer::with(200, "12345")});
  const auto http = open_http({});
  const auto by_head = http->send(
      get(server), {.head = [&](const HttpHead&) -> Status { return fail(refusal); }, .body = {}});
  EXPECT_EQ(by_head.error().cause, "enough");
  const auto by_body = http->send(
      get(server),
      {.head = {}, .body = [&](std::span<const std::byte>) -> Status { return fail(refusal); }});
  EXPECT_EQ(by_body.error().cause, "enough");
}

TEST(Http, ServesSeveralThreadsAtOnce) {
  const ScriptedServer server(std::vector<Answer>(40, Answer::with(200, "body")));
  const auto http = open_http({});
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < 10; ++j) EXPECT_EQ(fetch(*http, get(server), 10)->body, "body");
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_LE(server.connections(), 40U);
}

}  // namespace
}  // namespace forebay
