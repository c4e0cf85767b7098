#include "net/credentials/aws_sts.h"

#include "support/aws_fixture.h"

// Aim: a role is asked for as STS's API reference says, where the user's region is, and each
// refusal says whether waiting helps. Method: an Http that plays STS; the real one is played by
// moto in tests/system/aws_credentials_test.cc.
namespace forebay {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const AwsCredentials kBase{.access_key = "base",
                           .secret_key = Secret("hush"),
                           .session_token = Secret("hush-base"),
                           .found_in = "the environment"};

class AwsSts : public test::AwsSourceTest {
 protected:
  Result<AwsCredentials> assume(const AwsRole& role) {
    return look([&](AwsLookup& lookup) { return assume_role(lookup, kBase, role); });
  }
  const HttpRequest& request() { return web_->requests.at(0); }
};

TEST_F(AwsSts, AsksForARoleWithASignature) {
  web_answers({test::answer(200, sts_xml("role-key"))});
  settings_.region = "eu-west-1";
  const auto found = assume({.arn = "arn:aws:iam::1:role/a b",
                             .session_name = "night",
                             .external_id = "x&y",
                             .duration = std::chrono::seconds(900)});
  ASSERT_TRUE(found) << describe(found.error());
  EXPECT_EQ(found->access_key, "role-key");
  EXPECT_EQ(found->found_in, "role arn:aws:iam::1:role/a b with the environment");
  EXPECT_EQ(request().method, "POST");
  EXPECT_EQ(request().url, "https://sts.eu-west-1.amazonaws.com/");
  EXPECT_EQ(request().body,
            "Action=AssumeRole&Version=2011-06-15&RoleArn=arn%3Aaws%3Aiam%3A%3A1%3Arole%2Fa%20b&"
            "RoleSessionName=night&DurationSeconds=900&ExternalId=x%26y");
  EXPECT_THAT(test::header(request(), "authorization"),
              HasSubstr("Credential=base/20261201/eu-west-1/sts/aws4_request,"
                        "SignedHeaders=content-type;host;x-amz-content-sha256;x-amz-date;"
                        "x-amz-security-token,"));
  EXPECT_EQ(test::header(request(), "x-amz-security-token"), "hush-base");
}

TEST_F(AwsSts, GoesToTheRegionOfTheProfileThenOfTheUserThenOfTheBucket) {
  const auto address = [&](const AwsRole& role) {
    web_answers({test::answer(200, sts_xml("k"))});
    EXPECT_TRUE(assume(role));
    return request().url;
  };
  EXPECT_EQ(address({.arn = "a"}), "https://sts.us-east-1.amazonaws.com/");
  settings_.region = "auto";
  EXPECT_EQ(address({.arn = "a"}), "https://sts.us-east-1.amazonaws.com/");
  settings_.region = "eu-west-1";
  EXPECT_EQ(address({.arn = "a"}), "https://sts.eu-west-1.amazonaws.com/");
  environment_["AWS_REGION"] = "eu-west-2";
  EXPECT_EQ(address({.arn = "a"}), "https://sts.eu-west-2.amazonaws.com/");
  EXPECT_EQ(address({.arn = "a", .region = "eu-west-3"}), "https://sts.eu-west-3.amazonaws.com/");
}

TEST_F(AwsSts, NamesTheSession) {
  web_answers({test::answer(200, sts_xml("k"))});
  EXPECT_TRUE(assume({.arn = "a"}));
  EXPECT_THAT(request().body, HasSubstr("&RoleSessionName=forebay&DurationSeconds=3600"));
  environment_["AWS_ROLE_SESSION_NAME"] = "nightly";
  web_answers({test::answer(200, sts_xml("k"))});
  EXPECT_TRUE(assume({.arn = "a"}));
  EXPECT_THAT(request().body, HasSubstr("&RoleSessionName=nightly&"));
}

TEST_F(AwsSts, SaysOfEachRefusalWhetherWaitingHelps) {
  const auto refused = [&](int status, const std::string& code, ErrorCode expected) {
    web_answers({test::answer(status, sts_error(code))});
    return refusal(assume({.arn = "arn:aws:iam::1:role/a"}), expected);
  };
  const Error denied = refused(403, "AccessDenied", ErrorCode::denied);
  EXPECT_EQ(denied.object, "arn:aws:iam::1:role/a");
  EXPECT_THAT(denied.cause, HasSubstr("403 AccessDenied: why"));
  EXPECT_THAT(denied.hint, HasSubstr("trust policy has to allow the environment"));
  refused(400, "Throttling", ErrorCode::throttled);
  refused(429, "x", ErrorCode::throttled);
  refused(500, "InternalFailure", ErrorCode::unavailable);
  refused(400, "IDPCommunicationError", ErrorCode::unavailable);
  EXPECT_THAT(refused(403, "ExpiredToken", ErrorCode::denied).hint, HasSubstr("renew"));
  EXPECT_THAT(refused(403, "RequestExpired", ErrorCode::denied).hint, HasSubstr("clock"));
  EXPECT_EQ(refused(302, "x", ErrorCode::invalid_config).object, "arn:aws:iam::1:role/a");
  web_answers({test::answer(200, "<html/>")});
  refusal(assume({.arn = "a"}), ErrorCode::unavailable);
  web_answers({});
  refusal(assume({.arn = "a"}), ErrorCode::unavailable);
}

TEST_F(AwsSts, AsksWithAWebIdentityUnsigned) {
  folder_.write("token", "hush.jwt\n");
  environment_["AWS_WEB_IDENTITY_TOKEN_FILE"] = folder_ / "token";
  refusal(look(web_identity_credentials), ErrorCode::invalid_config);
  environment_["AWS_ROLE_ARN"] = "arn:aws:iam::1:role/pod";
  web_answers({test::answer(200, sts_xml("pod-key"))});
  const auto found = look(web_identity_credentials);
  ASSERT_TRUE(found && *found);
  EXPECT_EQ((*found)->access_key, "pod-key");
  EXPECT_THAT(request().body, AllOf(HasSubstr("Action=AssumeRoleWithWebIdentity&"),
                                    HasSubstr("&WebIdentityToken=hush.jwt")));
  EXPECT_EQ(test::header(request(), "authorization"), "");
  EXPECT_THAT(request().shown, Not(HasSubstr("hush")));
}

TEST_F(AwsSts, ReadsTheWebIdentityAnewEachTime) {
  environment_["AWS_WEB_IDENTITY_TOKEN_FILE"] = folder_ / "token";
  environment_["AWS_ROLE_ARN"] = "arn:aws:iam::1:role/pod";
  web_answers({test::answer(400, sts_error("ExpiredTokenException")),
               test::answer(200, sts_xml("pod-key"))});
  folder_.write("token", "hush-old");
  refusal(look(web_identity_credentials), ErrorCode::denied);
  folder_.write("token", "hush-new");
  EXPECT_TRUE(look(web_identity_credentials));
  EXPECT_THAT(web_->requests.at(1).body, HasSubstr("hush-new"));
}

TEST_F(AwsSts, HasNoWebIdentityWhereTheConfigurationNamesAProfileOrNothingIsSet) {
  EXPECT_FALSE(look(web_identity_credentials)->has_value());
  EXPECT_EQ(looked_at_.size(), 1U);
  environment_["AWS_WEB_IDENTITY_TOKEN_FILE"] = folder_ / "missing";
  environment_["AWS_ROLE_ARN"] = "arn:aws:iam::1:role/pod";
  EXPECT_EQ(refusal(look(web_identity_credentials), ErrorCode::invalid_config).object,
            folder_ / "missing");
  settings_.profile = "dev";
  EXPECT_FALSE(look(web_identity_credentials)->has_value());
}

}  // namespace
}  // namespace forebay
