#include "net/credentials/aws.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "net/credentials/aws_endpoint.h"
#include "support/aws_fixture.h"

// Aim: credentials come from where Amazon's tools look, in their order, and an error says where
// that was without a secret in it.
namespace forebay {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const Time kNow{};

class AwsCredentialsTest : public test::AwsSourceTest {
 protected:
  AwsCredentialsTest() { environment_["AWS_EC2_METADATA_DISABLED"] = "true"; }

  AwsSettings settings(const std::map<std::string, std::string>& more = {}) {
    AwsSettings settings = AwsSourceTest::settings();
    for (const auto& [name, value] : more) settings.environment[name] = value;
    return settings;
  }
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
  EXPECT_EQ(missing.error().code, ErrorCode::invalid_config);
  EXPECT_THAT(missing.error().object, HasSubstr("[typo]"));
}

TEST_F(AwsCredentialsTest, AreMissedWithEveryPlaceThatWasLookedAtCRED5) {
  const auto missing = AwsCredentialChain(settings()).get(kNow);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::denied);
  EXPECT_THAT(
      missing.error().cause,
      AllOf(HasSubstr("AWS_ACCESS_KEY_ID"), HasSubstr(folder_ / ".aws/credentials [default]"),
            HasSubstr(folder_ / ".aws/config [default]"), HasSubstr("AWS_WEB_IDENTITY_TOKEN_FILE"),
            HasSubstr("AWS_CONTAINER_CREDENTIALS_FULL_URI"), HasSubstr("metadata service")));
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

// Each place is filled in turn, from the last in the order to the first.
TEST_F(AwsCredentialsTest, ComeFromTheFirstPlaceInTheOrderOfTheSdks) {
  environment_.erase("AWS_EC2_METADATA_DISABLED");
  const auto found_in = [&] {
    AwsCredentialChain chain(settings(), tools());
    const auto found = chain.get(now_);
    return found ? found->found_in : describe(found.error());
  };
  nearby_answers({test::answer(200, "t"), test::answer(200, "web-role"),
                  test::answer(200, credential_json())});
  EXPECT_EQ(found_in(), "the instance's role web-role");
  environment_["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"] = "/task";
  nearby_answers({test::answer(200, credential_json())});
  EXPECT_EQ(found_in(), "the container's credential service");
  folder_.write(".aws/credentials",
                "[default]\naws_access_key_id = k\naws_secret_access_key = hush\n");
  EXPECT_EQ(found_in(), folder_ / ".aws/credentials [default]");
  folder_.write("token", "hush\n");
  environment_["AWS_WEB_IDENTITY_TOKEN_FILE"] = folder_ / "token";
  environment_["AWS_ROLE_ARN"] = "arn:aws:iam::1:role/web";
  web_answers({test::answer(200, sts_xml("web-key"))});
  EXPECT_THAT(found_in(), ::testing::StartsWith("role arn:aws:iam::1:role/web with the token in"));
  environment_["AWS_ACCESS_KEY_ID"] = "k";
  environment_["AWS_SECRET_ACCESS_KEY"] = "hush";
  EXPECT_EQ(found_in(), "the environment");
}

TEST_F(AwsCredentialsTest, TakeTheRoleOfTheConfigurationOnTopOfWhatWasFound) {
  environment_["AWS_ACCESS_KEY_ID"] = "base";
  environment_["AWS_SECRET_ACCESS_KEY"] = "hush";
  settings_.role_arn = "arn:aws:iam::2:role/reader";
  web_answers({test::answer(200, sts_xml("role-key")), test::answer(500, ""),
               test::answer(200, sts_xml("newer", "2026-12-01T12:00:00Z"))});
  AwsCredentialChain chain(settings(), tools());
  EXPECT_EQ(chain.found_in(), std::nullopt);
  EXPECT_EQ(chain.get(now_)->access_key, "role-key");
  EXPECT_EQ(chain.found_in(), "role arn:aws:iam::2:role/reader with the environment");
  EXPECT_THAT(test::header(web_->requests.at(0), "authorization"), HasSubstr("Credential=base/"));
  // STS is down: what is still good for minutes stays, and STS is not asked before every request.
  const auto minutes = [](int n) { return std::chrono::minutes(n); };
  EXPECT_EQ(chain.get(now_ + minutes(56))->access_key, "role-key");
  EXPECT_EQ(chain.get(now_ + minutes(56))->access_key, "role-key");
  EXPECT_EQ(web_->requests.size(), 2U);
  EXPECT_EQ(chain.get(now_ + minutes(57))->access_key, "newer");
}

TEST_F(AwsCredentialsTest, SayWhyTheyAreGoneWhenTheyCannotBeRenewed) {
  environment_["AWS_ACCESS_KEY_ID"] = "base";
  environment_["AWS_SECRET_ACCESS_KEY"] = "hush";
  settings_.role_arn = "arn:aws:iam::2:role/reader";
  web_answers({test::answer(200, sts_xml("role-key")), test::answer(403, sts_error("AccessDenied")),
               test::answer(403, sts_error("AccessDenied"))});
  AwsCredentialChain chain(settings(), tools());
  const auto first = chain.get(now_);
  ASSERT_TRUE(first);
  const auto gone = refusal(chain.get(now_ + std::chrono::hours(1)), ErrorCode::denied);
  EXPECT_EQ(gone.object, "arn:aws:iam::2:role/reader");
  EXPECT_EQ(refusal(chain.renew(*first, now_), ErrorCode::denied).object, gone.object);
}

TEST_F(AwsCredentialsTest, AreRefusedWhenTheyWouldBreakAHeader) {
  environment_["AWS_ACCESS_KEY_ID"] = "k";
  environment_["AWS_SECRET_ACCESS_KEY"] = "hush\r\nx-evil: 1";
  EXPECT_EQ(refusal(AwsCredentialChain(settings()).get(now_), ErrorCode::invalid_config).object,
            "the environment");
}

TEST_F(AwsCredentialsTest, AreReadAgainWhenTheServerNoLongerTakesThemCRED1) {
  folder_.write(".aws/credentials", "[default]\naws_access_key_id=old\naws_secret_access_key=s\n");
  AwsCredentialChain chain(settings());
  const auto old = *chain.get(kNow);
  EXPECT_FALSE(*chain.renew(old, kNow));
  folder_.write(".aws/credentials", "[default]\naws_access_key_id=new\naws_secret_access_key=s\n");
  EXPECT_EQ(chain.get(kNow)->access_key, "old");
  EXPECT_TRUE(*chain.renew(old, kNow));
  EXPECT_EQ(chain.get(kNow)->access_key, "new");
  EXPECT_TRUE(*chain.renew(old, kNow)) << "another thread that still had the old ones";
}

TEST_F(AwsCredentialsTest, AreLookedForAgainShortlyBeforeTheyExpireCRED1) {
  int asked = 0;
  const AwsSource source = [&](AwsLookup&) {
    ++asked;
    return Result<std::optional<AwsCredentials>>(AwsCredentials{
        .access_key = "a", .secret_key = Secret("b"), .expires = kNow + std::chrono::hours(asked)});
  };
  AwsCredentialChain chain({}, {}, {source});
  ASSERT_TRUE(chain.get(kNow));
  ASSERT_TRUE(chain.get(kNow + std::chrono::minutes(54)));
  EXPECT_EQ(asked, 1);
  ASSERT_TRUE(chain.get(kNow + std::chrono::minutes(55)));
  EXPECT_EQ(asked, 2);
}

}  // namespace
}  // namespace forebay
