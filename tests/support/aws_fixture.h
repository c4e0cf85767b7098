#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/time_text.h"
#include "net/credentials/aws_lookup.h"
#include "support/fake_http.h"
#include "support/temp_folder.h"

namespace forebay::test {

// A home folder, an environment, and servers that play a script: all that a source of credentials
// may look at.
class AwsSourceTest : public ::testing::Test {
 protected:
  AwsSourceTest() { environment_["HOME"] = folder_.path(); }

  // What comes next from STS or IAM Identity Center, and from container or instance.
  void web_answers(std::vector<Result<HttpResponse>> answers) {
    web_ = std::make_shared<FakeHttp>(std::move(answers));
  }
  void nearby_answers(std::vector<Result<HttpResponse>> answers) {
    nearby_ = std::make_shared<FakeHttp>(std::move(answers));
  }

  AwsSettings settings() const {
    AwsSettings settings = settings_;
    settings.environment = environment_;
    return settings;
  }
  AwsTools tools() const { return {.web = web_, .nearby = nearby_}; }

  template <class Source>
  auto look(Source source) {
    looked_at_.clear();
    const AwsSettings now_settings = settings();
    const AwsTools now_tools = tools();
    AwsLookup lookup{
        .settings = now_settings, .tools = now_tools, .now = now_, .looked_at = looked_at_};
    return source(lookup);
  }

  // An error, and that none of it is a secret. Secrets of these tests have "hush" in them.
  template <class T>
  static Error refusal(const Result<T>& result, ErrorCode code) {
    EXPECT_FALSE(result.has_value());
    if (result.has_value()) return {};
    EXPECT_EQ(result.error().code, code) << describe(result.error());
    EXPECT_THAT(describe(result.error()), ::testing::Not(::testing::HasSubstr("hush")));
    return result.error();
  }

  // What STS answers. The secret is "hush-secret", the token "hush-token".
  static std::string sts_xml(const std::string& access_key,
                             const std::string& expires = "2026-12-01T11:00:00Z") {
    return "<AssumeRoleResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\">"
           "<AssumeRoleResult><AssumedRoleUser><Arn>a</Arn></AssumedRoleUser><Credentials>"
           "<AccessKeyId>" +
           access_key +
           "</AccessKeyId><SecretAccessKey>hush-secret</SecretAccessKey>"
           "<SessionToken>hush-token</SessionToken><Expiration>" +
           expires + "</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>";
  }
  static std::string sts_error(const std::string& code) {
    return "<ErrorResponse><Error><Type>Sender</Type><Code>" + code +
           "</Code><Message>why</Message></Error></ErrorResponse>";
  }
  // What container, instance and programs answer.
  static std::string credential_json(const std::string& more = "") {
    return R"({"AccessKeyId": "json-key", "SecretAccessKey": "hush-secret", )" + more +
           R"("Token": "hush-token", "Expiration": "2026-12-01T11:00:00Z"})";
  }

  TempFolder folder_;
  std::map<std::string, std::string> environment_;
  AwsSettings settings_;  // what is not of the environment
  const Time now_ = *parse_rfc3339("2026-12-01T10:00:00Z");
  std::shared_ptr<FakeHttp> web_ = std::make_shared<FakeHttp>(std::vector<Result<HttpResponse>>{});
  std::shared_ptr<FakeHttp> nearby_ =
      std::make_shared<FakeHttp>(std::vector<Result<HttpResponse>>{});
  std::vector<std::string> looked_at_;
};

}  // namespace forebay::test
