#include "net/credentials/aws_environment.h"

#include "support/aws_fixture.h"

// Aim: keys in the environment are both or none, and a profile that the configuration names leaves
// them out.
namespace forebay {
namespace {

class AwsEnvironment : public test::AwsSourceTest {};

TEST_F(AwsEnvironment, HoldsKeysOrSaysThatItHoldsNone) {
  EXPECT_FALSE(look(environment_credentials)->has_value());
  EXPECT_THAT(looked_at_, ::testing::ElementsAre(::testing::HasSubstr("AWS_ACCESS_KEY_ID")));
  environment_["AWS_ACCESS_KEY_ID"] = "k";
  refusal(look(environment_credentials), ErrorCode::invalid_config);
  environment_["AWS_SECRET_ACCESS_KEY"] = "hush";
  environment_["AWS_SESSION_TOKEN"] = "hush-token";
  const auto found = look(environment_credentials);
  ASSERT_TRUE(found && *found);
  EXPECT_EQ((*found)->session_token.reveal(), "hush-token");
  EXPECT_EQ((*found)->found_in, "the environment");
}

TEST_F(AwsEnvironment, IsNotAskedWhenTheConfigurationNamesAProfile) {
  environment_["AWS_ACCESS_KEY_ID"] = "k";
  environment_["AWS_SECRET_ACCESS_KEY"] = "hush";
  settings_.profile = "dev";
  EXPECT_FALSE(look(environment_credentials)->has_value());
  EXPECT_TRUE(keys_of_environment(settings())->has_value());
}

}  // namespace
}  // namespace forebay
