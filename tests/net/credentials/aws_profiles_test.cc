#include "net/credentials/aws_profiles.h"

#include "support/aws_fixture.h"

// Aim: a profile is what both shared files say of it together, as the AWS tools read them.
namespace forebay {
namespace {

using ::testing::ElementsAre;

class AwsProfilesTest : public test::AwsSourceTest {};

TEST_F(AwsProfilesTest, AreWhatBothFilesSay) {
  folder_.write(".aws/credentials", "[dev]\naws_access_key_id = c\n[default]\nregion = a\n");
  folder_.write(".aws/config",
                "[profile dev]\naws_access_key_id = d\nregion = r\n[dev]\nregion = wrong\n"
                "[sso-session corp]\nsso_region = s\n");
  const auto profiles = AwsProfiles::read(settings());
  const auto dev = profiles.profile("dev");
  EXPECT_EQ(dev.get("aws_access_key_id"), "c");
  EXPECT_EQ(dev.get("region"), "r");
  EXPECT_EQ(dev.get("none"), "");
  EXPECT_THAT(dev.places, ElementsAre(folder_ / ".aws/config [profile dev]",
                                      folder_ / ".aws/credentials [dev]"));
  EXPECT_EQ(profiles.profile("default").get("region"), "a");
  EXPECT_FALSE(profiles.profile("nobody").exists());
  EXPECT_EQ(profiles.sso_session("corp").get("sso_region"), "s");
  EXPECT_FALSE(profiles.sso_session("dev").exists());
}

TEST_F(AwsProfilesTest, SayWhereAProfileWouldStand) {
  EXPECT_THAT(AwsProfiles::read(settings()).places_of("x"),
              ElementsAre(folder_ / ".aws/credentials [x]", folder_ / ".aws/config [profile x]"));
  environment_.clear();
  EXPECT_THAT(AwsProfiles::read(settings()).places_of("x"), ElementsAre());
}

TEST_F(AwsProfilesTest, AreNamedByTheConfigurationThenByTheEnvironment) {
  EXPECT_EQ(AwsProfiles::name_of(settings()), "default");
  environment_["AWS_PROFILE"] = "env";
  EXPECT_EQ(AwsProfiles::name_of(settings()), "env");
  settings_.profile = "conf";
  EXPECT_EQ(AwsProfiles::name_of(settings()), "conf");
}

}  // namespace
}  // namespace forebay
