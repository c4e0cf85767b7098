#include "net/credentials/aws_profile_source.h"

#include "support/aws_fixture.h"

// Aim: what a profile asks for is done exactly, with whose credentials it says, or refused with the
// file and section that are wrong.
namespace forebay {
namespace {

using ::testing::HasSubstr;

class AwsProfileSource : public test::AwsSourceTest {
 protected:
  auto found(const std::string& config) {
    folder_.write(".aws/config", config);
    return look(profile_credentials);
  }
  Error refused(const std::string& config, ErrorCode code = ErrorCode::invalid_config) {
    return refusal(found(config), code);
  }
};

TEST_F(AwsProfileSource, HoldsKeys) {
  const auto keys = found("[default]\naws_access_key_id=k\naws_secret_access_key=hush\n");
  ASSERT_TRUE(keys && *keys);
  EXPECT_EQ((*keys)->access_key, "k");
  EXPECT_EQ((*keys)->found_in, folder_ / ".aws/config [default]");
  EXPECT_THAT(refused("[default]\naws_secret_access_key=hush\n").cause, HasSubstr("only one of"));
}

TEST_F(AwsProfileSource, LetsTheNextPlaceBeAskedOnlyWhereNoProfileIsNamed) {
  EXPECT_FALSE(found("[default]\nregion = x\n")->has_value());
  EXPECT_THAT(looked_at_, ::testing::Contains(folder_ / ".aws/config [default]"));
  EXPECT_FALSE(found("")->has_value());
  environment_["AWS_PROFILE"] = "typo";
  EXPECT_THAT(refused("").cause, HasSubstr("there is no profile 'typo'"));
  EXPECT_FALSE(found("[profile typo]\nregion = x\n")->has_value());
}

TEST_F(AwsProfileSource, AsksForARoleWithTheKeysOfAnotherProfile) {
  web_answers({test::answer(200, sts_xml("role-key"))});
  const auto role = found(
      "[default]\nrole_arn = arn:role/a\nsource_profile = base\nexternal_id = ext\n"
      "role_session_name = night\nduration_seconds = 1800\nregion = eu-west-1\n"
      "[profile base]\naws_access_key_id = base-key\naws_secret_access_key = hush\n");
  ASSERT_TRUE(role && *role);
  EXPECT_EQ((*role)->access_key, "role-key");
  const HttpRequest& request = web_->requests.at(0);
  EXPECT_EQ(request.url, "https://sts.eu-west-1.amazonaws.com/");
  EXPECT_THAT(request.body,
              HasSubstr("&RoleSessionName=night&DurationSeconds=1800&ExternalId=ext"));
  EXPECT_THAT(test::header(request, "authorization"), HasSubstr("Credential=base-key/"));
}

TEST_F(AwsProfileSource, FollowsAChainOfRoles) {
  web_answers({test::answer(200, sts_xml("middle")), test::answer(200, sts_xml("outer"))});
  const auto role = found(
      "[default]\nrole_arn = arn:role/outer\nsource_profile = middle\n"
      "[profile middle]\nrole_arn = arn:role/middle\nsource_profile = base\n"
      "[profile base]\naws_access_key_id = base-key\naws_secret_access_key = hush\n");
  ASSERT_TRUE(role && *role);
  EXPECT_EQ((*role)->access_key, "outer");
  EXPECT_THAT(web_->requests.at(0).body, HasSubstr("role%2Fmiddle"));
  EXPECT_THAT(test::header(web_->requests.at(0), "authorization"), HasSubstr("=base-key/"));
  EXPECT_THAT(web_->requests.at(1).body, HasSubstr("role%2Fouter"));
  EXPECT_THAT(test::header(web_->requests.at(1), "authorization"), HasSubstr("=middle/"));
  EXPECT_EQ(test::header(web_->requests.at(1), "x-amz-security-token"), "hush-token");
}

TEST_F(AwsProfileSource, MeansItsOwnKeysWhereItPointsToItself) {
  web_answers({test::answer(200, sts_xml("role-key"))});
  const auto role = found(
      "[default]\nrole_arn = arn:role/a\nsource_profile = default\n"
      "aws_access_key_id = own\naws_secret_access_key = hush\n");
  ASSERT_TRUE(role && *role);
  EXPECT_EQ((*role)->access_key, "role-key");
  EXPECT_THAT(test::header(web_->requests.at(0), "authorization"), HasSubstr("=own/"));
}

TEST_F(AwsProfileSource, RefusesACircle) {
  EXPECT_THAT(refused("[default]\nrole_arn = r\nsource_profile = default\n").cause,
              HasSubstr("default -> default"));
  EXPECT_THAT(refused("[default]\nrole_arn = r\nsource_profile = b\n"
                      "[profile b]\nrole_arn = r\nsource_profile = c\n"
                      "[profile c]\nrole_arn = r\nsource_profile = b\n")
                  .cause,
              HasSubstr("default -> b -> c -> b"));
  EXPECT_TRUE(web_->requests.empty());
}

TEST_F(AwsProfileSource, RefusesARoleThatDoesNotSayWhoAsks) {
  const Error neither = refused("[default]\nrole_arn = r\n");
  EXPECT_THAT(neither.cause, HasSubstr("exactly one of"));
  EXPECT_EQ(neither.object, folder_ / ".aws/config [default]");
  refused("[default]\nrole_arn = r\nsource_profile = x\ncredential_source = Environment\n");
  EXPECT_THAT(refused("[default]\nrole_arn = r\nsource_profile = x\n").cause,
              HasSubstr("'x' does not stand anywhere"));
  refused("[default]\nrole_arn = r\nsource_profile = x\n[profile x]\nregion = y\n");
  refused("[default]\nrole_arn = r\ncredential_source = Elsewhere\n");
  EXPECT_THAT(refused("[default]\nrole_arn = r\nsource_profile = x\nmfa_serial = m\n").cause,
              HasSubstr("mfa_serial"));
  for (const char* seconds : {"899", "43201", "1h", "-1", "3600x"}) {
    refused(
        std::string("[default]\nrole_arn = r\nsource_profile = default\n"
                    "aws_access_key_id = k\naws_secret_access_key = hush\nduration_seconds = ") +
        seconds + "\n");
  }
}

TEST_F(AwsProfileSource, AsksForARoleWithTheCredentialsOfThePlaceItNames) {
  const std::string role = "[default]\nrole_arn = arn:role/a\ncredential_source = ";
  refused(role + "Environment\n", ErrorCode::denied);
  environment_["AWS_ACCESS_KEY_ID"] = "env-key";
  environment_["AWS_SECRET_ACCESS_KEY"] = "hush";
  web_answers({test::answer(200, sts_xml("a")), test::answer(200, sts_xml("b")),
               test::answer(200, sts_xml("c"))});
  EXPECT_TRUE(found(role + "Environment\n")->has_value());
  EXPECT_THAT(test::header(web_->requests.at(0), "authorization"), HasSubstr("=env-key/"));
  environment_["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"] = "/x";
  nearby_answers({test::answer(200, credential_json())});
  EXPECT_TRUE(found(role + "EcsContainer\n")->has_value());
  EXPECT_THAT(test::header(web_->requests.at(1), "authorization"), HasSubstr("=json-key/"));
  nearby_answers(
      {test::answer(200, "t"), test::answer(200, "r"), test::answer(200, credential_json())});
  EXPECT_TRUE(found(role + "Ec2InstanceMetadata\n")->has_value());
  EXPECT_THAT(test::header(web_->requests.at(2), "authorization"), HasSubstr("=json-key/"));
}

TEST_F(AwsProfileSource, AsksForARoleWithAWebIdentity) {
  folder_.write("token", "hush");
  web_answers({test::answer(200, sts_xml("web-key"))});
  const auto role = found(
      "[default]\nrole_arn = arn:role/a\nweb_identity_token_file = " + (folder_ / "token") + "\n");
  ASSERT_TRUE(role && *role);
  EXPECT_EQ((*role)->access_key, "web-key");
}

TEST_F(AwsProfileSource, RunsAProgramAndLogsIn) {
  folder_.write("answer", R"({"Version": 1, "AccessKeyId": "k", "SecretAccessKey": "hush"})");
  const auto program = found("[default]\ncredential_process = cat " + (folder_ / "answer") + "\n");
  ASSERT_TRUE(program && *program) << describe(program.error());
  EXPECT_EQ((*program)->access_key, "k");
  EXPECT_THAT(refused("[default]\nsso_start_url = u\nsso_region = eu-west-1\nsso_account_id = 1\n"
                      "sso_role_name = r\n",
                      ErrorCode::denied)
                  .hint,
              "run: aws sso login --profile default");
}

}  // namespace
}  // namespace forebay
