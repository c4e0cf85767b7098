#include "net/credentials/aws_endpoint.h"

#include "support/aws_fixture.h"

// Aim: secrets go to Amazon's own hosts or to where the user says, never in the clear over a
// network, and no region's name can lead elsewhere.
namespace forebay {
namespace {

class AwsEndpoint : public test::AwsSourceTest {
 protected:
  std::string sts(std::string_view region) {
    const auto address = aws_service_address(settings(), "STS", "sts", region);
    return address ? *address : std::string(to_string(address.error().code));
  }
};

TEST_F(AwsEndpoint, IsTheRegionsOwn) {
  EXPECT_EQ(sts("eu-west-1"), "https://sts.eu-west-1.amazonaws.com");
  EXPECT_EQ(sts("cn-north-1"), "https://sts.cn-north-1.amazonaws.com.cn");
  EXPECT_EQ(sts("us-gov-west-1"), "https://sts.us-gov-west-1.amazonaws.com");
  EXPECT_EQ(sts("us-iso-east-1"), "https://sts.us-iso-east-1.c2s.ic.gov");
  EXPECT_EQ(sts("us-isob-east-1"), "https://sts.us-isob-east-1.sc2s.sgov.gov");
  EXPECT_EQ(sts("eusc-de-east-1"), "https://sts.eusc-de-east-1.amazonaws.eu");
}

TEST_F(AwsEndpoint, TakesNoRegionThatLeadsElsewhere) {
  for (const char* region : {"", "x.evil.example", "evil.example/", "a@b", "a#", "a?", "EU", "a b"})
    EXPECT_EQ(sts(region), "invalid_config") << region;
  EXPECT_FALSE(is_aws_region(std::string(64, 'a')));
  EXPECT_TRUE(is_aws_region(std::string(63, 'a')));
}

TEST_F(AwsEndpoint, IsWhatTheEnvironmentNames) {
  environment_["AWS_ENDPOINT_URL"] = "https://all.example";
  EXPECT_EQ(sts("eu-west-1"), "https://all.example");
  environment_["AWS_ENDPOINT_URL_STS"] = "http://127.0.0.1:5000/";
  EXPECT_EQ(sts("eu-west-1"), "http://127.0.0.1:5000");
  EXPECT_EQ(aws_configured_address(settings(), "S3"), "https://all.example");
  environment_["AWS_ENDPOINT_URL_STS"] = "http://sts.example";
  EXPECT_EQ(sts("eu-west-1"), "invalid_config");
  environment_["AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"] = "true";
  EXPECT_EQ(sts("eu-west-1"), "https://sts.eu-west-1.amazonaws.com");
  EXPECT_EQ(aws_configured_address(settings(), "S3"), std::nullopt);
}

TEST_F(AwsEndpoint, KnowsTheRegionThatUsersMean) {
  EXPECT_EQ(aws_region(settings()), "");
  folder_.write(".aws/config", "[default]\nregion = eu-west-3\n");
  EXPECT_EQ(aws_region(settings()), "eu-west-3");
  environment_["AWS_DEFAULT_REGION"] = "eu-west-2";
  EXPECT_EQ(aws_region(settings()), "eu-west-2");
  environment_["AWS_REGION"] = "eu-west-1";
  EXPECT_EQ(aws_region(settings()), "eu-west-1");
}

}  // namespace
}  // namespace forebay
