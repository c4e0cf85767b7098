#include "store/s3_address.h"

#include <gtest/gtest.h>

// Aim: requests go to the host that holds the bucket, named as its certificate and its signature
// want it.
namespace forebay::s3 {
namespace {

Address address(AddressOptions options) { return address_of(options).value_or(Address{}); }

TEST(S3Address, IsTheBucketsOwnHostAtAmazon) {
  const auto found = address({.bucket = "acme-lake", .region = "eu-west-1"});
  EXPECT_EQ(found.origin, "https://acme-lake.s3.eu-west-1.amazonaws.com");
  EXPECT_EQ(found.host, "acme-lake.s3.eu-west-1.amazonaws.com");
  EXPECT_EQ(found.base_path, "/");
  EXPECT_EQ(address({.bucket = "acme", .region = "cn-north-1"}).host,
            "acme.s3.cn-north-1.amazonaws.com.cn");
}

TEST(S3Address, IsPathStyleForNamesThatNoHostCanHave) {
  for (const char* bucket : {"my_bucket", "a.b", "Upper", "ab"}) {
    const auto found = address({.bucket = bucket, .region = "us-east-1"});
    EXPECT_EQ(found.host, "s3.us-east-1.amazonaws.com");
    EXPECT_EQ(found.base_path, std::string("/") + bucket);
  }
}

TEST(S3Address, IsPathStyleAtAnEndpointUnlessToldOtherwise) {
  const auto path = address({.bucket = "b-1", .region = "x", .endpoint = "http://127.0.0.1:8333/"});
  EXPECT_EQ(path.origin, "http://127.0.0.1:8333");
  EXPECT_EQ(path.base_path, "/b-1");
  const auto host = address(
      {.bucket = "b-1", .region = "x", .endpoint = "https://store.example", .path_style = false});
  EXPECT_EQ(host.origin, "https://b-1.store.example");
  EXPECT_EQ(host.base_path, "/");
}

TEST(S3Address, LeavesTheSchemesOwnPortOut) {
  EXPECT_EQ(address({.bucket = "b", .region = "x", .endpoint = "https://h:443"}).host, "h");
  EXPECT_EQ(address({.bucket = "b", .region = "x", .endpoint = "http://h:80"}).host, "h");
  EXPECT_EQ(address({.bucket = "b", .region = "x", .endpoint = "http://h:443"}).host, "h:443");
}

TEST(S3Address, RefusesWhatIsNoBucketOrNoEndpoint) {
  for (const char* bucket : {"", "a/b", "a?b", "..", "b\xc3\xa4r", "a b"}) {
    EXPECT_EQ(address_of({.bucket = bucket, .region = "x"}).error().code,
              ErrorCode::invalid_config);
  }
  for (const char* endpoint : {"", "h:80", "ftp://h", "http://", "http://h/path", "http://u@h"}) {
    EXPECT_EQ(address_of({.bucket = "b", .region = "x", .endpoint = endpoint}).error().code,
              ErrorCode::invalid_config)
        << endpoint;
  }
}

}  // namespace
}  // namespace forebay::s3
