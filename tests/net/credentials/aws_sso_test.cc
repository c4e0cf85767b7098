#include "net/credentials/aws_sso.h"

#include "base/digest.h"
#include "support/aws_fixture.h"

// Aim: the token that `aws sso login` left is used while it is good, sent to IAM Identity Center
// and nowhere else, and otherwise the command to type is named.
namespace forebay {
namespace {

using ::testing::HasSubstr;

constexpr const char* kSession =
    "[default]\nsso_session = corp\nsso_account_id = 123\nsso_role_name = Read Only\n"
    "[sso-session corp]\nsso_region = eu-west-1\nsso_start_url = https://corp.example/start\n";
constexpr const char* kLegacy =
    "[default]\nsso_start_url = https://corp.example/start\nsso_region = eu-west-1\n"
    "sso_account_id = 123\nsso_role_name = Read Only\n";
constexpr const char* kAnswer =
    R"({"roleCredentials": {"accessKeyId": "sso-key", "secretAccessKey": "hush-secret",
        "sessionToken": "hush-token", "expiration": 1796122800000}})";

class AwsSso : public test::AwsSourceTest {
 protected:
  void cache(const std::string& name, const std::string& expires) {
    folder_.write(".aws/sso/cache/" + sha1_hex(name) + ".json",
                  R"({"accessToken": "hush-sso", "expiresAt": ")" + expires + R"("})");
  }
  Result<AwsCredentials> found(const char* config) {
    folder_.write(".aws/config", config);
    return look([](AwsLookup& lookup) {
      const auto profiles = AwsProfiles::read(lookup.settings);
      return sso_credentials(lookup, profiles, profiles.profile("default"));
    });
  }
};

TEST_F(AwsSso, GivesTheRolesCredentials) {
  cache("corp", "2026-12-01T11:00:00Z");
  web_answers({test::answer(200, kAnswer)});
  const auto credentials = found(kSession);
  ASSERT_TRUE(credentials) << describe(credentials.error());
  EXPECT_EQ(credentials->access_key, "sso-key");
  EXPECT_EQ(credentials->expires, parse_rfc3339("2026-12-01T11:00:00Z"));
  EXPECT_THAT(credentials->found_in, HasSubstr("[default] (IAM Identity Center)"));
  const HttpRequest& request = web_->requests.at(0);
  EXPECT_EQ(request.url,
            "https://portal.sso.eu-west-1.amazonaws.com/federation/credentials?"
            "role_name=Read%20Only&account_id=123");
  EXPECT_EQ(test::header(request, "x-amz-sso_bearer_token"), "hush-sso");
}

TEST_F(AwsSso, KnowsTheOlderForm) {
  cache("https://corp.example/start", "2026-12-01T11:00:00UTC");
  web_answers({test::answer(200, kAnswer)});
  EXPECT_EQ(found(kLegacy)->access_key, "sso-key");
}

TEST_F(AwsSso, SaysWhatToTypeWhenTheTokenIsMissingOrHasRunOut) {
  EXPECT_EQ(refusal(found(kSession), ErrorCode::denied).hint,
            "run: aws sso login --sso-session corp");
  EXPECT_EQ(refusal(found(kLegacy), ErrorCode::denied).hint,
            "run: aws sso login --profile default");
  cache("corp", "2026-12-01T10:00:00Z");
  EXPECT_THAT(refusal(found(kSession), ErrorCode::denied).cause, HasSubstr("has run out"));
  cache("corp", "hush");
  refusal(found(kSession), ErrorCode::denied);
  folder_.write(".aws/sso/cache/" + sha1_hex("corp") + ".json", "hush");
  refusal(found(kSession), ErrorCode::denied);
  EXPECT_TRUE(web_->requests.empty());
  cache("corp", "2026-12-01T11:00:00Z");
  web_answers({test::answer(401, "hush")});
  EXPECT_EQ(refusal(found(kSession), ErrorCode::denied).hint,
            "run: aws sso login --sso-session corp");
}

TEST_F(AwsSso, SaysOfEachRefusalWhetherWaitingHelps) {
  cache("corp", "2026-12-01T11:00:00Z");
  const auto refused = [&](int status, const char* body, ErrorCode code) {
    web_answers({test::answer(status, body)});
    return refusal(found(kSession), code);
  };
  EXPECT_THAT(refused(403, "hush", ErrorCode::denied).hint, HasSubstr("sso_account_id 123"));
  refused(429, "hush", ErrorCode::throttled);
  refused(500, "hush", ErrorCode::unavailable);
  refused(200, "hush", ErrorCode::unavailable);
  refused(200, R"({"roleCredentials": {"secretAccessKey": "hush"}})", ErrorCode::unavailable);
}

TEST_F(AwsSso, RefusesAProfileThatLacksAPartOrNamesARegionThatIsNone) {
  refusal(found("[default]\nsso_session = nobody\n"), ErrorCode::invalid_config);
  refusal(found("[default]\nsso_start_url = x\n"), ErrorCode::invalid_config);
  cache("x", "2026-12-01T11:00:00Z");
  refusal(found("[default]\nsso_start_url = x\nsso_region = evil.example/\nsso_account_id = 1\n"
                "sso_role_name = r\n"),
          ErrorCode::invalid_config);
  EXPECT_TRUE(web_->requests.empty());
}

}  // namespace
}  // namespace forebay
