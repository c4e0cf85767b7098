#include "store/s3_sign.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/digest.h"
#include "base/time_text.h"

// Aim: signatures equal those that Amazon publishes for its examples of Signature Version 4 in S3's
// documentation ("Signature Calculations for the Authorization Header").
namespace forebay::s3 {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

const AwsCredentials kExample{.access_key = "AKIAIOSFODNN7EXAMPLE",
                              .secret_key = Secret("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")};

Scope example_scope() {
  return {.region = "us-east-1", .time = *parse_rfc3339("2013-05-24T00:00:00Z")};
}

std::string authorization(const Unsigned& request, const AwsCredentials& credentials = kExample) {
  for (const auto& [name, value] : sign(request, credentials, example_scope())) {
    if (name == "authorization") return value;
  }
  return "";
}

Unsigned example(std::string path) {
  return {.host = "examplebucket.s3.amazonaws.com", .path = std::move(path)};
}

TEST(S3Sign, AgreesWithTheExampleOfAGetWithARange) {
  auto request = example("/test.txt");
  request.headers = {{"range", "bytes=0-9"}};
  EXPECT_EQ(authorization(request),
            "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
            "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,"
            "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
}

TEST(S3Sign, AgreesWithTheExampleOfAPut) {
  auto request = example("/test$file.text");
  request.method = "PUT";
  request.headers = {{"date", "Fri, 24 May 2013 00:00:00 GMT"},
                     {"x-amz-storage-class", "REDUCED_REDUNDANCY"}};
  request.payload_hash = sha256_hex("Welcome to Amazon S3.");
  EXPECT_THAT(
      authorization(request),
      EndsWith("Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"));
}

TEST(S3Sign, AgreesWithTheExampleOfALifecycleRequest) {
  auto request = example("/");
  request.query = {{"lifecycle", ""}};
  EXPECT_THAT(
      authorization(request),
      EndsWith("Signature=fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"));
}

TEST(S3Sign, AgreesWithTheExampleOfAListing) {
  auto request = example("/");
  request.query = {{"prefix", "J"}, {"max-keys", "2"}};
  EXPECT_THAT(
      authorization(request),
      EndsWith("Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"));
}

TEST(S3Sign, EncodesEveryByteOfAKeyOnceCHAR2) {
  auto request = example("/a b+c%2B/./x//..?#&='\"[]\n\xf0\x9f\x90\x9f");
  EXPECT_EQ(encoded_target(request),
            "/a%20b%2Bc%252B/./x//..%3F%23%26%3D%27%22%5B%5D%0A%F0%9F%90%9F");
}

TEST(S3Sign, EncodesTheQueryInOrderOfItsNames) {
  auto request = example("/");
  request.query = {{"prefix", "a/b +"}, {"continuation-token", "1+/="}, {"list-type", "2"}};
  EXPECT_EQ(encoded_target(request),
            "/?continuation-token=1%2B%2F%3D&list-type=2&prefix=a%2Fb%20%2B");
}

TEST(S3Sign, SignsTheSessionToken) {
  auto credentials = kExample;
  credentials.session_token = Secret("token");
  EXPECT_THAT(
      authorization(example("/x"), credentials),
      HasSubstr("SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token,"));
}

TEST(S3Sign, FoldsSpacesInSignedHeaders) {
  const auto text = canonical_request(example("/"), {{"b", "  x   y "}, {"a", "1"}});
  EXPECT_THAT(text, HasSubstr("\na:1\nb:x y\n\na;b\n"));
}

TEST(S3Sign, SaysWhichRegionAndServiceAndDayASignatureIsFor) {
  EXPECT_THAT(string_to_sign("", {.region = "eu-west-1", .time = example_scope().time}),
              HasSubstr("20130524T000000Z\n20130524/eu-west-1/s3/aws4_request\n"));
}

}  // namespace
}  // namespace forebay::s3
