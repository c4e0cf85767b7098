#include "net/credentials/aws_sts_xml.h"

#include "support/aws_fixture.h"

// Aim: STS's answers are whole or none, and never quoted.
namespace forebay::sts {
namespace {

class AwsStsXml : public test::AwsSourceTest {};

TEST_F(AwsStsXml, HoldsTheCredentialsOfARole) {
  const auto found = parse_credentials(sts_xml("k"));
  ASSERT_TRUE(found) << describe(found.error());
  EXPECT_EQ(found->access_key, "k");
  EXPECT_EQ(found->secret_key.reveal(), "hush-secret");
  EXPECT_EQ(found->session_token.reveal(), "hush-token");
  EXPECT_EQ(found->expires, parse_rfc3339("2026-12-01T11:00:00Z"));
}

TEST_F(AwsStsXml, IsRefusedWhenItIsCutAtAnyByteOrLacksAPart) {
  const std::string whole = sts_xml("k");
  for (std::size_t size = 0; size < whole.size(); ++size)
    refusal(parse_credentials(std::string_view(whole).substr(0, size)), ErrorCode::damaged);
  refusal(parse_credentials(sts_xml("")), ErrorCode::damaged);
  refusal(parse_credentials(sts_xml("k", "soon")), ErrorCode::damaged);
  refusal(parse_credentials("<Credentials><AccessKeyId>hush</AccessKeyId></Credentials>"),
          ErrorCode::damaged);
}

TEST_F(AwsStsXml, TellsARefusal) {
  const auto refused = parse_refusal(sts_error("AccessDenied"));
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->code, "AccessDenied");
  EXPECT_EQ(refused->message, "why");
  EXPECT_FALSE(parse_refusal("<html/>"));
  EXPECT_FALSE(parse_refusal("busy"));
}

}  // namespace
}  // namespace forebay::sts
