#include "net/credentials/aws_container.h"

#include "support/aws_fixture.h"

// Aim: the token of a task or pod goes to its own host, this machine or over TLS, and nowhere else.
namespace forebay {
namespace {

using ::testing::HasSubstr;

class AwsContainer : public test::AwsSourceTest {
 protected:
  auto found() { return look(container_credentials); }
  void full(const std::string& url) { environment_["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = url; }
};

TEST_F(AwsContainer, IsPassedOverWhereNothingIsSet) {
  EXPECT_FALSE(found()->has_value());
  EXPECT_THAT(looked_at_, ::testing::ElementsAre(HasSubstr("AWS_CONTAINER_CREDENTIALS")));
}

TEST_F(AwsContainer, AsksTheAddressOfEcs) {
  environment_["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"] = "/v2/credentials/1";
  full("http://evil.example/");  // the relative one goes first
  nearby_answers({test::answer(200, credential_json())});
  const auto credentials = found();
  ASSERT_TRUE(credentials && *credentials) << describe(credentials.error());
  EXPECT_EQ((*credentials)->access_key, "json-key");
  EXPECT_EQ(nearby_->requests.at(0).url, "http://169.254.170.2/v2/credentials/1");
  environment_["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"] = "@evil.example/";
  refusal(found(), ErrorCode::invalid_config);
}

TEST_F(AwsContainer, SendsTheTokenOfThePod) {
  full("http://169.254.170.23/v1/credentials");
  environment_["AWS_CONTAINER_AUTHORIZATION_TOKEN"] = "hush-plain";
  nearby_answers({test::answer(200, credential_json()), test::answer(200, credential_json())});
  EXPECT_TRUE(found()->has_value());
  EXPECT_EQ(test::header(nearby_->requests.at(0), "authorization"), "hush-plain");
  folder_.write("token", "hush-file\n");
  environment_["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"] = folder_ / "token";
  EXPECT_TRUE(found()->has_value());
  EXPECT_EQ(test::header(nearby_->requests.at(1), "authorization"), "hush-file");
}

TEST_F(AwsContainer, SendsItNowhereElse) {
  for (const char* url :
       {"https://credentials.example/x", "http://127.0.0.1:80/x", "http://localhost/x",
        "http://[::1]:9/x", "http://[fd00:ec2::23]/v1/credentials", "http://169.254.170.2/x"}) {
    full(url);
    nearby_answers({test::answer(200, credential_json())});
    EXPECT_TRUE(found()) << url;
  }
  for (const char* url : {"http://credentials.example/x", "http://169.254.170.2.example/",
                          "http://169.254.170.2@evil.example/", "http://localhost:80@evil.example/",
                          "http://[::1].evil.example/", "ftp://127.0.0.1/", "169.254.170.2"}) {
    full(url);
    nearby_answers({test::answer(200, credential_json())});
    refusal(found(), ErrorCode::invalid_config);
    EXPECT_TRUE(nearby_->requests.empty()) << url;
  }
}

TEST_F(AwsContainer, RefusesTokensThatWouldBreakTheHeader) {
  full("http://127.0.0.1/x");
  environment_["AWS_CONTAINER_AUTHORIZATION_TOKEN"] = "hush\r\nx: y";
  refusal(found(), ErrorCode::invalid_config);
}

TEST_F(AwsContainer, SaysOfEachRefusalWhetherWaitingHelps) {
  full("http://127.0.0.1/x");
  const auto refused = [&](int status, ErrorCode code) {
    nearby_answers({test::answer(status, "hush")});
    refusal(found(), code);
  };
  refused(401, ErrorCode::denied);
  refused(429, ErrorCode::throttled);
  refused(500, ErrorCode::unavailable);
  refused(200, ErrorCode::invalid_config);
  nearby_answers({});
  refusal(found(), ErrorCode::unavailable);
}

}  // namespace
}  // namespace forebay
