#include "net/credentials/bearer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/scripted_server.h"
#include "support/temp_folder.h"

// Aim: a token is renewed before it ends, once when it is refused, and never told to anyone; what a
// token server says leads to the right next step. Method: sources made up here, and a scripted
// server.
namespace forebay {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using test::Answer;
using ::testing::HasSubstr;
using ::testing::Not;

const Time kNow{std::chrono::hours(490'000)};

TEST(BearerCredentials, KeepsATokenUntilShortlyBeforeItsEnd) {
  int asked = 0;
  BearerCredentials credentials([&](Time now) -> Result<BearerToken> {
    return BearerToken{.token = Secret(std::to_string(++asked)), .expires = now + minutes(60)};
  });
  EXPECT_EQ(credentials.get(kNow)->token.reveal(), "1");
  EXPECT_EQ(credentials.get(kNow + minutes(56))->token.reveal(), "1");
  EXPECT_EQ(credentials.get(kNow + minutes(57))->token.reveal(), "2");
}

TEST(BearerCredentials, UsesATokenThatStillHoldsWhenNoNewOneIsToBeHad) {
  bool works = true;
  BearerCredentials credentials([&](Time now) -> Result<BearerToken> {
    if (!works) return fail(token_problem(ErrorCode::unavailable, "x", "down"));
    return BearerToken{.token = Secret("t"), .expires = now + minutes(60)};
  });
  EXPECT_TRUE(credentials.get(kNow));
  works = false;
  EXPECT_TRUE(credentials.get(kNow + minutes(59)));
  EXPECT_EQ(credentials.get(kNow + minutes(61)).error().code, ErrorCode::unavailable);
}

TEST(BearerCredentials, RenewsOnceForAllWhoWereRefused) {
  int asked = 0;
  BearerCredentials credentials([&](Time) -> Result<BearerToken> {
    return BearerToken{.token = Secret(std::to_string(++asked)), .found_in = "here"};
  });
  EXPECT_EQ(credentials.found_in(), "");
  const Secret first = credentials.get(kNow)->token;
  EXPECT_TRUE(credentials.renew(first, kNow));
  EXPECT_TRUE(credentials.renew(first, kNow));
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(credentials.found_in(), "here");
  BearerCredentials fixed(
      [](Time) -> Result<BearerToken> { return BearerToken{.token = Secret("same")}; });
  EXPECT_FALSE(fixed.renew(fixed.get(kNow)->token, kNow));
}

Result<BearerToken> ask(Answer answer) {
  test::ScriptedServer server({std::move(answer)});
  const auto http = open_http({});
  return ask_for_token(*http, {.url = server.endpoint() + "/?secret=hush"}, "the place", kNow);
}

TEST(AskForToken, ReadsEveryFormOfAnEnd) {
  for (const char* body :
       {R"({"access_token":"t","expires_in":600})", R"({"access_token":"t","expires_in":"600"})",
        R"({"access_token":"t","expires_on":"1764000600"})"}) {
    const auto token = ask(Answer::with(200, body));
    ASSERT_TRUE(token) << describe(token.error());
    EXPECT_EQ(token->token.reveal(), "t");
    const bool absolute = std::string_view(body).contains("expires_on");
    EXPECT_EQ(token->expires, absolute ? Time(seconds(1764000600)) : kNow + seconds(600));
  }
  EXPECT_FALSE(ask(Answer::with(200, R"({"access_token":"t"})"))->expires);
}

TEST(AskForToken, SortsRefusalsByWhatToDo) {
  const auto denied = ask(Answer::with(
      400, R"({"error":"invalid_grant","error_description":"the account is closed"})"));
  EXPECT_EQ(denied.error().code, ErrorCode::denied);
  EXPECT_THAT(denied.error().cause, HasSubstr("invalid_grant: the account is closed"));
  EXPECT_EQ(denied.error().object, "the place");
  EXPECT_THAT(describe(denied.error()), Not(HasSubstr("hush")));
  EXPECT_EQ(ask(Answer::with(429, "")).error().code, ErrorCode::throttled);
  EXPECT_EQ(ask(Answer::with(500, "")).error().code, ErrorCode::unavailable);
  EXPECT_EQ(ask(Answer::with(200, "<html>")).error().code, ErrorCode::unavailable);
  EXPECT_EQ(ask(Answer::with(200, R"({"access_token":"a\r\nb"})")).error().code,
            ErrorCode::unavailable);
}

TEST(FormRequest, EncodesOnceAndGoesNowhereInTheClear) {
  const auto request = form_request("https://example.com/token", {{"a b", "c&d=%"}, {"e", ""}});
  EXPECT_EQ(request->body, "a%20b=c%26d%3D%25&e=");
  EXPECT_EQ(form_request("http://example.com/", {}).error().code, ErrorCode::invalid_config);
  EXPECT_TRUE(form_request("http://127.0.0.1:1/", {}));
}

TEST(CredentialFile, NamesTheFileThatCannotBeUsed) {
  test::TempFolder folder;
  folder.write("empty", "");
  folder.write("good", "text\n");
  for (const char* name : {"missing", "empty"}) {
    const auto text = read_credential_file(folder / name, "VARIABLE");
    EXPECT_EQ(text.error().code, ErrorCode::invalid_config);
    EXPECT_THAT(text.error().object, HasSubstr(name));
    EXPECT_THAT(text.error().hint, HasSubstr("VARIABLE"));
  }
  EXPECT_EQ(without_line_end(*read_credential_file(folder / "good", "V")), "text");
}

}  // namespace
}  // namespace forebay
