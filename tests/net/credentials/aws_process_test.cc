#include "net/credentials/aws_process.h"

#include "support/aws_fixture.h"

// Aim: what `credential_process` answers is taken when it is of version 1 and good, and nothing of
// program, arguments or answer is repeated. Method: real programs.
namespace forebay {
namespace {

using ::testing::HasSubstr;

class AwsProcess : public test::AwsSourceTest {
 protected:
  Result<AwsCredentials> answered(const std::string& document) {
    folder_.write("answer", document);
    return process_credentials("cat '" + (folder_ / "answer") + "'", "config [dev]", now_);
  }
  static std::string document(const std::string& version, const std::string& expiration) {
    return R"({"Version": )" + version +
           R"(, "AccessKeyId": "k", "SecretAccessKey": "hush", "SessionToken": "hush",
              "Expiration": ")" +
           expiration + R"("})";
  }
};

TEST_F(AwsProcess, GivesCredentials) {
  const auto found = answered(document("1", "2026-12-01T10:30:00+00:00"));
  ASSERT_TRUE(found) << describe(found.error());
  EXPECT_EQ(found->access_key, "k");
  EXPECT_EQ(found->expires, parse_rfc3339("2026-12-01T10:30:00Z"));
  EXPECT_EQ(found->found_in, "config [dev] (credential_process cat)");
}

TEST_F(AwsProcess, IsRefusedWithAnotherVersionOrExpired) {
  EXPECT_THAT(
      refusal(answered(document("2", "2026-12-01T10:30:00Z")), ErrorCode::invalid_config).cause,
      HasSubstr("version 1"));
  refusal(answered(document("\"1\"", "2026-12-01T10:30:00Z")), ErrorCode::invalid_config);
  EXPECT_THAT(
      refusal(answered(document("1", "2026-12-01T10:00:00Z")), ErrorCode::invalid_config).cause,
      HasSubstr("expired"));
  refusal(answered("hush"), ErrorCode::invalid_config);
  refusal(answered(R"({"Version": 1, "SecretAccessKey": "hush"})"), ErrorCode::invalid_config);
  refusal(answered(std::string(kMostCredentialBytes + 1, ' ')), ErrorCode::invalid_config);
}

TEST_F(AwsProcess, IsRefusedWhenTheProgramFails) {
  const auto run = [&](const std::string& command) {
    return refusal(process_credentials(command, "config [dev]", now_), ErrorCode::invalid_config);
  };
  EXPECT_THAT(run("/bin/sh -c 'echo hush >&2; exit 7'").cause, HasSubstr("code 7"));
  EXPECT_THAT(run("/nowhere/hash --token hush").object, HasSubstr("/nowhere/hash"));
  EXPECT_THAT(run("program 'hush").object, HasSubstr("config [dev]"));
}

}  // namespace
}  // namespace forebay
