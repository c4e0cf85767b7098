#include "net/credentials/aws_json.h"

#include "support/aws_fixture.h"

// Aim: one form of document, whole or refused, and never quoted.
namespace forebay {
namespace {

class AwsJson : public test::AwsSourceTest {};

TEST_F(AwsJson, HoldsKeysTokenAndTheirEnd) {
  const auto found = parse_credential_document(credential_json(), "x");
  ASSERT_TRUE(found) << describe(found.error());
  EXPECT_EQ(found->access_key, "json-key");
  EXPECT_EQ(found->secret_key.reveal(), "hush-secret");
  EXPECT_EQ(found->session_token.reveal(), "hush-token");
  EXPECT_EQ(found->expires, parse_rfc3339("2026-12-01T11:00:00Z"));
  EXPECT_EQ(found->found_in, "x");
  const auto lasting = parse_credential_document(
      R"({"AccessKeyId": "k", "SecretAccessKey": "s", "SessionToken": "t"})", "x");
  EXPECT_EQ(lasting->session_token.reveal(), "t");
  EXPECT_EQ(lasting->expires, std::nullopt);
}

TEST_F(AwsJson, IsRefusedWhenAPartIsMissingOrOdd) {
  for (const char* text :
       {"", "hush", "[]", "{}", R"({"AccessKeyId": "k"})", R"({"SecretAccessKey": "hush"})",
        R"({"AccessKeyId": 1, "SecretAccessKey": "hush"})",
        R"({"AccessKeyId": "k", "SecretAccessKey": "hush", "Expiration": "soon"})",
        R"({"AccessKeyId": "k", "AccessKeyId": "j", "SecretAccessKey": "hush"})",
        R"({"Code": "AssumeRoleUnauthorizedAccess", "SecretAccessKey": "hush"})"}) {
    EXPECT_EQ(refusal(parse_credential_document(text, "x"), ErrorCode::invalid_config).object, "x")
        << text;
  }
}

}  // namespace
}  // namespace forebay
