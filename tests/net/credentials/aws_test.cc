#include "net/credentials/aws.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temp_folder.h"

// Aim: credentials come from where Amazon's tools look, in their order, and an error says where
// that was without a secret in it.
namespace forebay {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const Time kNow{};

class AwsCredentialsTest : public ::testing::Test {
 protected:
  AwsSettings settings(std::map<std::string, std::string> more = {}) {
    more.emplace("HOME", folder_.path());
    return {.environment = std::move(more), .profile = {}};
  }
  test::TempFolder folder_;
};

TEST_F(AwsCredentialsTest, ComeFromTheEnvironmentFirst) {
  folder_.write(".aws/credentials", "[default]\naws_access_key_id=f\naws_secret_access_key=g\n");
  AwsCredentialChain chain(settings(
      {{"AWS_ACCESS_KEY_ID", "a"}, {"AWS_SECRET_ACCESS_KEY", "b"}, {"AWS_SESSION_TOKEN", "c"}}));
  const auto found = *chain.get(kNow);
  EXPECT_EQ(found.access_key, "a");
  EXPECT_EQ(found.secret_key.reveal(), "b");
  EXPECT_EQ(found.session_token.reveal(), "c");
}

TEST_F(AwsCredentialsTest, ComeFromTheProfilesFiles) {
  folder_.write(".aws/credentials",
                "[default]\naws_access_key_id=d\naws_secret_access_key=e\n[dev]\n"
                "aws_access_key_id=f\naws_secret_access_key=g\naws_session_token=h\n");
  folder_.write(".aws/config",
                "[default]\nregion=eu-west-1\n[profile dev]\nregion=eu-north-1\n[profile other]\n"
                "aws_access_key_id=i\naws_secret_access_key=j\n");
  EXPECT_EQ(AwsCredentialChain(settings()).get(kNow)->access_key, "d");
  EXPECT_EQ(AwsCredentialChain(settings({{"AWS_PROFILE", "dev"}})).get(kNow)->access_key, "f");
  EXPECT_EQ(AwsCredentialChain(settings({{"AWS_PROFILE", "other"}})).get(kNow)->access_key, "i");
  EXPECT_EQ(aws_region(settings()), "eu-west-1");
  EXPECT_EQ(aws_region(settings({{"AWS_PROFILE", "dev"}})), "eu-north-1");
  EXPECT_EQ(aws_region(settings({{"AWS_REGION", "us-west-2"}})), "us-west-2");
  EXPECT_EQ(aws_region(settings({{"AWS_PROFILE", "none"}})), "");
}

TEST_F(AwsCredentialsTest, ComeFromFilesThatVariablesName) {
  folder_.write("keys", "[default]\naws_access_key_id=k\naws_secret_access_key=l\n");
  AwsCredentialChain chain(settings({{"AWS_SHARED_CREDENTIALS_FILE", folder_ / "keys"}}));
  EXPECT_EQ(chain.get(kNow)->access_key, "k");
}

TEST_F(AwsCredentialsTest, ComeFromAProfileThatTheConfigurationNamesBeforeTheEnvironment) {
  folder_.write(".aws/credentials", "[dev]\naws_access_key_id=f\naws_secret_access_key=g\n");
  auto named = settings({{"AWS_ACCESS_KEY_ID", "a"}, {"AWS_SECRET_ACCESS_KEY", "b"}});
  named.profile = "dev";
  EXPECT_EQ(AwsCredentialChain(named).get(kNow)->access_key, "f");
  named.profile = "typo";
  const auto missing = AwsCredentialChain(named).get(kNow);
  EXPECT_EQ(missing.error().code, ErrorCode::denied);
  EXPECT_THAT(missing.error().cause, HasSubstr("[typo]"));
}

TEST_F(AwsCredentialsTest, AreMissedWithEveryPlaceThatWasLookedAtCRED5) {
  const auto missing = AwsCredentialChain(settings()).get(kNow);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::denied);
  EXPECT_THAT(missing.error().cause, AllOf(HasSubstr("AWS_ACCESS_KEY_ID"),
                                           HasSubstr(folder_ / ".aws/credentials [default]"),
                                           HasSubstr(folder_ / ".aws/config [default]")));
  EXPECT_THAT(missing.error().hint, HasSubstr("anonymous"));
}

TEST_F(AwsCredentialsTest, AreRefusedWhenHalfOfThemIsThere) {
  const auto variables =
      AwsCredentialChain(settings({{"AWS_SECRET_ACCESS_KEY", "hush"}})).get(kNow);
  EXPECT_EQ(variables.error().code, ErrorCode::invalid_config);
  EXPECT_THAT(describe(variables.error()), Not(HasSubstr("hush")));
  folder_.write(".aws/credentials", "[default]\naws_secret_access_key=hush\n");
  const auto file = AwsCredentialChain(settings()).get(kNow);
  EXPECT_EQ(file.error().code, ErrorCode::invalid_config);
  EXPECT_THAT(describe(file.error()), Not(HasSubstr("hush")));
}

TEST_F(AwsCredentialsTest, AreRefusedWhereAProfileAsksForWhatIsNotBuilt) {
  folder_.write(".aws/config", "[default]\nrole_arn = arn:aws:iam::1:role/x\n");
  const auto refused = AwsCredentialChain(settings()).get(kNow);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid_config);
  EXPECT_THAT(refused.error().cause, HasSubstr("role_arn"));
}

TEST_F(AwsCredentialsTest, AreReadAgainWhenTheServerNoLongerTakesThemCRED1) {
  folder_.write(".aws/credentials", "[default]\naws_access_key_id=old\naws_secret_access_key=s\n");
  AwsCredentialChain chain(settings());
  const auto old = *chain.get(kNow);
  EXPECT_FALSE(chain.renew(old));
  folder_.write(".aws/credentials", "[default]\naws_access_key_id=new\naws_secret_access_key=s\n");
  EXPECT_EQ(chain.get(kNow)->access_key, "old");
  EXPECT_TRUE(chain.renew(old));
  EXPECT_EQ(chain.get(kNow)->access_key, "new");
  EXPECT_TRUE(chain.renew(old)) << "another thread that still had the old ones";
}

TEST_F(AwsCredentialsTest, AreLookedForAgainShortlyBeforeTheyExpireCRED1) {
  int asked = 0;
  const AwsSource source = [&](const AwsSettings&, std::vector<std::string>&) {
    ++asked;
    return Result<std::optional<AwsCredentials>>(AwsCredentials{
        .access_key = "a", .secret_key = Secret("b"), .expires = kNow + std::chrono::hours(asked)});
  };
  AwsCredentialChain chain({}, {source});
  ASSERT_TRUE(chain.get(kNow));
  ASSERT_TRUE(chain.get(kNow + std::chrono::minutes(54)));
  EXPECT_EQ(asked, 1);
  ASSERT_TRUE(chain.get(kNow + std::chrono::minutes(55)));
  EXPECT_EQ(asked, 2);
}

}  // namespace
}  // namespace forebay
