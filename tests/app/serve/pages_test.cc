#include "app/serve/pages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/encode.h"
#include "support/fake_clock.h"

namespace forebay {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Key;
using testing::Not;
using testing::StartsWith;

constexpr const char* kToken = "a token of some length";

class PagesTest : public ::testing::Test {
 protected:
  PagesTest() { state_.set_pipelines({{.name = "a"}, {.name = "b"}}); }

  WebReply ask(const WebRequest& request, const std::string& token = "") {
    return Pages(state_, Secret(token), clock_).answer(request);
  }
  int with(const std::string& authorization) {
    return ask({"GET", "/metrics", "", authorization}, kToken).status;
  }
  void complete(const std::string& pipeline) {
    CycleReport report;
    report.pipeline = pipeline;
    state_.begin(pipeline, clock_.now());
    state_.finish(report, clock_.now());
  }

  test::FakeClock clock_;
  ServeState state_{clock_.now()};
};

TEST_F(PagesTest, AreTheFiveOfTheContract) {
  EXPECT_THAT(ask({"GET", "/"}).type, StartsWith("text/html"));
  EXPECT_EQ(ask({"GET", "/api/status?x=1"}).type, "application/json");
  EXPECT_THAT(ask({"GET", "/metrics"}).body, HasSubstr("forebay_build_info"));
  EXPECT_EQ(ask({"GET", "/healthz"}).status, 200);
  EXPECT_EQ(ask({"GET", "/readyz"}).status, 503);
  for (const char* target : {"/x", "", "//", "/api", "/metrics/", "/../etc/passwd", "http://x/"})
    EXPECT_EQ(ask({"GET", target}).status, 404) << target;
}

TEST_F(PagesTest, AreOnlyToBeRead) {
  for (const char* method : {"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "get", ""})
    EXPECT_EQ(ask({method, "/"}).status, 405) << method;
  EXPECT_EQ(ask({"HEAD", "/"}).status, 200);
}

TEST_F(PagesTest, NamePipelinesThatAreNotReady) {
  EXPECT_THAT(ask({"GET", "/readyz"}).body, HasSubstr("\na\nb\n"));
  complete("a");
  EXPECT_EQ(ask({"GET", "/readyz"}).status, 503);
  EXPECT_THAT(ask({"GET", "/readyz"}).body, Not(HasSubstr("a\n")));
  complete("b");
  EXPECT_EQ(ask({"GET", "/readyz"}).status, 200);
}

TEST_F(PagesTest, SayThatACycleHangs) {
  state_.begin("a", clock_.now());
  EXPECT_EQ(ask({"GET", "/healthz"}).status, 200);
  clock_.advance(kHungAfter);
  const WebReply reply = ask({"GET", "/healthz"});
  EXPECT_EQ(reply.status, 503);
  EXPECT_THAT(reply.body, HasSubstr("60 minutes"));
}

TEST_F(PagesTest, WantTheTokenButForHealthAndReadiness) {
  for (const char* path : {"/", "/api/status", "/metrics", "/nothing"}) {
    const WebReply reply = ask({"GET", path}, kToken);
    EXPECT_EQ(reply.status, 401) << path;
    EXPECT_THAT(reply.body, Not(HasSubstr(kToken)));
    EXPECT_THAT(reply.headers, Contains(Key("WWW-Authenticate")));
  }
  EXPECT_EQ(ask({"GET", "/healthz"}, kToken).status, 200);
  EXPECT_EQ(ask({"GET", "/readyz"}, kToken).status, 503);
}

TEST_F(PagesTest, TakeTheTokenAsBearerOrAsThePasswordOfABrowser) {
  const std::string token = kToken;
  EXPECT_EQ(with("Bearer " + token), 200);
  EXPECT_EQ(with("bearer  " + token), 200);
  EXPECT_EQ(with("Basic " + base64_encode("anyone:" + token)), 200);
  const std::vector<std::string> refused = {"",
                                            token,
                                            "Bearer",
                                            "Bearer ",
                                            "Bearer x",
                                            "Bearer " + token + "x",
                                            "Bearer " + token.substr(1),
                                            "Basic " + token,
                                            "Basic " + base64_encode(token),
                                            "Basic " + base64_encode(token + ":"),
                                            "Digest " + token,
                                            "Basic %%%"};
  for (const std::string& wrong : refused) EXPECT_EQ(with(wrong), 401) << wrong;
}

TEST_F(PagesTest, AnswerWithoutATokenUnderAnAddressOnly) {
  for (const char* host : {"", "localhost", "localhost:8080", "LOCALHOST:1", "127.0.0.1:8080",
                           "127.0.0.1", "[::1]:8080", "10.0.0.7:9"})
    EXPECT_EQ(ask({"GET", "/api/status", host}).status, 200) << host;
  for (const char* host : {"evil.example:8080", "127.0.0.1.evil.example", "localhost.evil.example",
                           "evil", "localhost.", "1.2.3.4.x:80", "evil.example:80.1:8080"})
    EXPECT_EQ(ask({"GET", "/api/status", host}).status, 421) << host;
  const std::string bearer = std::string("Bearer ") + kToken;
  EXPECT_EQ(ask({"GET", "/api/status", "forebay.example", bearer}, kToken).status, 200);
  EXPECT_EQ(ask({"GET", "/healthz", "forebay.example"}).status, 200);
}

}  // namespace
}  // namespace forebay
