#include "net/credentials/aws_lookup.h"

#include "support/aws_fixture.h"

// Aim: a token's file is one token, and what servers send is bounded.
namespace forebay {
namespace {

class AwsLookupTest : public test::AwsSourceTest {};

TEST_F(AwsLookupTest, ReadsATokenWithoutTheWhiteSpaceAroundIt) {
  folder_.write("token", "  a.b-c \r\n");
  EXPECT_EQ(*read_token(folder_ / "token", "X"), "a.b-c");
}

TEST_F(AwsLookupTest, TakesNothingElseForAToken) {
  EXPECT_EQ(refusal(read_token(folder_ / "none", "X_FILE"), ErrorCode::invalid_config).hint,
            "check X_FILE");
  folder_.write("empty", " \n");
  refusal(read_token(folder_ / "empty", "X"), ErrorCode::invalid_config);
  folder_.write("two", "hush\nx-evil: 1\n");
  refusal(read_token(folder_ / "two", "X"), ErrorCode::invalid_config);
  folder_.write("most", std::string(kMostCredentialBytes, 'a'));
  EXPECT_TRUE(read_token(folder_ / "most", "X"));
  folder_.write("long", std::string(kMostCredentialBytes + 1, 'a'));
  refusal(read_token(folder_ / "long", "X"), ErrorCode::invalid_config);
}

TEST_F(AwsLookupTest, TakesNoAnswerThatNeverEnds) {
  test::FakeHttp http({test::answer(200, std::string(kMostCredentialBytes, 'a')),
                       test::answer(200, std::string(kMostCredentialBytes + 1, 'a'))});
  EXPECT_TRUE(ask(http, {.url = "http://127.0.0.1/"}, "someone"));
  const auto error =
      refusal(ask(http, {.url = "http://127.0.0.1/"}, "someone"), ErrorCode::damaged);
  EXPECT_EQ(error.object, "someone");
  EXPECT_EQ(refusal(ask(http, {.url = "http://127.0.0.1/hush"}, "someone"), ErrorCode::unavailable)
                .operation,
            "find AWS credentials");
}

}  // namespace
}  // namespace forebay
