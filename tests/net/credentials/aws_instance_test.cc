#include "net/credentials/aws_instance.h"

#include "support/aws_fixture.h"

// Aim: an instance's role comes by version 2 of its metadata service alone, and where there is no
// such service nobody waits for it.
namespace forebay {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class AwsInstance : public test::AwsSourceTest {
 protected:
  auto found() { return look(instance_credentials); }
};

TEST_F(AwsInstance, GivesItsRolesCredentials) {
  nearby_answers({test::answer(200, "hush-imds"), test::answer(200, "reader/x\n"),
                  test::answer(200, credential_json(R"("Code": "Success", )"))});
  const auto credentials = found();
  ASSERT_TRUE(credentials && *credentials) << describe(credentials.error());
  EXPECT_EQ((*credentials)->access_key, "json-key");
  EXPECT_EQ((*credentials)->found_in, "the instance's role reader/x");
  const auto& requests = nearby_->requests;
  ASSERT_EQ(requests.size(), 3U);
  EXPECT_EQ(requests[0].method, "PUT");
  EXPECT_EQ(requests[0].url, "http://169.254.169.254/latest/api/token");
  EXPECT_EQ(test::header(requests[0], "x-aws-ec2-metadata-token-ttl-seconds"), "21600");
  EXPECT_EQ(requests[1].url, "http://169.254.169.254/latest/meta-data/iam/security-credentials/");
  EXPECT_EQ(test::header(requests[1], "x-aws-ec2-metadata-token"), "hush-imds");
  EXPECT_THAT(requests[2].url, ::testing::EndsWith("/security-credentials/reader%2Fx"));
  for (const auto& request : requests) {
    EXPECT_LE(request.connect_timeout, std::chrono::seconds(1));
    EXPECT_LE(request.stall_timeout, std::chrono::seconds(1));
  }
}

TEST_F(AwsInstance, IsAskedWhereTheEnvironmentSays) {
  const auto address = [&] {
    nearby_answers({test::answer(404, "")});
    EXPECT_FALSE(found()->has_value());
    return nearby_->requests.at(0).url;
  };
  environment_["AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE"] = "ipv6";
  EXPECT_EQ(address(), "http://[fd00:ec2::254]/latest/api/token");
  environment_["AWS_EC2_METADATA_SERVICE_ENDPOINT"] = "http://127.0.0.1:8080/";
  EXPECT_EQ(address(), "http://127.0.0.1:8080/latest/api/token");
  environment_["AWS_EC2_METADATA_DISABLED"] = "True";
  nearby_answers({});
  EXPECT_FALSE(found()->has_value());
  EXPECT_TRUE(nearby_->requests.empty());
}

TEST_F(AwsInstance, IsPassedOverWhereThereIsNoneOrItHasNoRole) {
  nearby_answers({});
  EXPECT_FALSE(found()->has_value());
  EXPECT_THAT(looked_at_, ElementsAre(HasSubstr("no answer")));
  nearby_answers({test::answer(403, "")});
  EXPECT_FALSE(found()->has_value());
  nearby_answers({test::answer(200, "t"), test::answer(404, "")});
  EXPECT_FALSE(found()->has_value());
  EXPECT_THAT(looked_at_, ElementsAre(HasSubstr("no role")));
}

TEST_F(AwsInstance, IsAskedAgainLaterWhenItFailsHalfWay) {
  nearby_answers({test::answer(200, "t"), test::answer(500, "hush")});
  refusal(found(), ErrorCode::unavailable);
  nearby_answers({test::answer(200, "t"), test::answer(200, "r"), test::answer(500, "hush")});
  refusal(found(), ErrorCode::unavailable);
  nearby_answers({test::answer(200, "t"), test::answer(200, "r"), test::answer(200, "hush")});
  refusal(found(), ErrorCode::invalid_config);
}

}  // namespace
}  // namespace forebay
