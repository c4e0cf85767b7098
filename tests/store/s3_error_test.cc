#include "store/s3_error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

// Aim: each refusal of S3 says what to do next, and a missing bucket, a missing key and missing
// rights are never taken for one another.
namespace forebay::s3 {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const Named kNamed{.operation = "read", .object = "s3://b/k", .bucket = "s3://b"};

Error refused(int status, const std::string& code = "", const std::string& message = "why") {
  Refusal refusal{.head = {.status = status, .headers = {}}, .document = {}};
  if (!code.empty()) refusal.document = {.code = code, .message = message, .region = ""};
  return to_error(refusal, kNamed);
}

TEST(S3Error, TellsBucketKeyAndRightsApartCRED5) {
  EXPECT_EQ(refused(404, "NoSuchKey").code, ErrorCode::not_found);
  EXPECT_EQ(refused(404, "NoSuchKey").object, "s3://b/k");
  EXPECT_EQ(refused(404, "NoSuchBucket").code, ErrorCode::not_found);
  EXPECT_EQ(refused(404, "NoSuchBucket").object, "s3://b");
  EXPECT_FALSE(refused(404, "NoSuchBucket").hint.empty());
  EXPECT_EQ(refused(403, "AccessDenied").code, ErrorCode::denied);
  EXPECT_EQ(refused(403).code, ErrorCode::denied);
  EXPECT_EQ(refused(404).code, ErrorCode::not_found);
}

TEST(S3Error, GoesByStatusWhereNoDocumentTellsRETRY6) {
  const std::pair<int, ErrorCode> expected[] = {
      {301, ErrorCode::invalid_config}, {307, ErrorCode::invalid_config},
      {400, ErrorCode::invalid_config}, {401, ErrorCode::denied},
      {408, ErrorCode::unavailable},    {412, ErrorCode::changed},
      {416, ErrorCode::damaged},        {429, ErrorCode::throttled},
      {500, ErrorCode::unavailable},    {502, ErrorCode::unavailable},
      {503, ErrorCode::throttled},      {504, ErrorCode::unavailable}};
  for (const auto& [status, code] : expected) EXPECT_EQ(refused(status).code, code) << status;
}

TEST(S3Error, GoesByCodeBeforeStatusRETRY1) {
  EXPECT_EQ(refused(503, "SlowDown").code, ErrorCode::throttled);
  EXPECT_EQ(refused(503, "InternalError").code, ErrorCode::unavailable);
  EXPECT_EQ(refused(400, "RequestTimeout").code, ErrorCode::unavailable);
  EXPECT_EQ(refused(400, "ExpiredToken").code, ErrorCode::denied);
  EXPECT_EQ(refused(403, "RequestTimeTooSkewed").code, ErrorCode::denied);
  EXPECT_THAT(refused(403, "RequestTimeTooSkewed").hint, HasSubstr("clock"));
  EXPECT_EQ(refused(200, "InternalError").code, ErrorCode::unavailable);
  EXPECT_EQ(refused(200, "SomethingNew").code, ErrorCode::unavailable);
}

TEST(S3Error, RepeatsCodeAndMessageInOneShortLine) {
  const auto error = refused(500, "Code\nX", std::string(5000, 'm') + "\n");
  EXPECT_THAT(error.cause, HasSubstr("500 Code X: mmm"));
  EXPECT_THAT(error.cause, Not(HasSubstr("\n")));
  EXPECT_LT(error.cause.size(), 700U);
}

TEST(S3Error, KnowsATokenThatHasRunOutCRED1) {
  EXPECT_TRUE(
      says_expired({.head = {.status = 400}, .document = ErrorDocument{.code = "ExpiredToken"}}));
  EXPECT_FALSE(
      says_expired({.head = {.status = 403}, .document = ErrorDocument{.code = "AccessDenied"}}));
  EXPECT_FALSE(says_expired({.head = {.status = 400}, .document = {}}));
}

TEST(S3Error, FindsTheRegionThatAnAnswerTells) {
  Refusal refusal{.head = {.status = 301, .headers = {{"x-amz-bucket-region", "eu-west-1"}}},
                  .document = {}};
  EXPECT_EQ(told_region(refusal), "eu-west-1");
  refusal.head.status = 500;
  EXPECT_EQ(told_region(refusal), std::nullopt);
  refusal = {
      .head = {.status = 400},
      .document = ErrorDocument{.code = "AuthorizationHeaderMalformed", .region = "eu-west-2"}};
  EXPECT_EQ(told_region(refusal), "eu-west-2");
  refusal.document->code = "AccessDenied";
  EXPECT_EQ(told_region(refusal), std::nullopt);
}

TEST(S3Error, FindsTheRegionInTheNameOfTheHostThatARedirectNames) {
  const auto told = [](const std::string& endpoint) {
    return told_region(
        {.head = {.status = 301},
         .document = ErrorDocument{.code = "PermanentRedirect", .endpoint = endpoint}});
  };
  EXPECT_EQ(told("bucket.s3.eu-west-1.amazonaws.com"), "eu-west-1");
  EXPECT_EQ(told("bucket.s3-eu-west-1.amazonaws.com"), "eu-west-1");
  EXPECT_EQ(told("s3.cn-north-1.amazonaws.com.cn"), "cn-north-1");
  EXPECT_EQ(told("s3-us-west-2.amazonaws.com"), "us-west-2");
  for (const char* host : {"s3.amazonaws.com", "bucket.s3.eu-west-1.evil.example", "",
                           "bucket.s3.eu-west-1.amazonaws.com.evil.example", "s3."})
    EXPECT_EQ(told(host), std::nullopt) << host;
}

}  // namespace
}  // namespace forebay::s3
