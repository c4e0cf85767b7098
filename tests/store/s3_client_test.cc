#include "store/s3_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/fake_http.h"
#include "support/s3_script.h"
#include "support/temp_folder.h"

// Aim: a request goes out again at once with newer credentials, and otherwise as the retry policy
// says. What the answers mean is tested with store and reads.
namespace forebay::s3 {
namespace {

using test::answer;
using test::error_xml;
using test::FakeHttp;
using test::header;
using ::testing::HasSubstr;

std::shared_ptr<AwsCredentialChain> credentials(std::map<std::string, std::string> environment) {
  return std::make_shared<AwsCredentialChain>(AwsSettings{.environment = std::move(environment)});
}

Result<HttpResponse> redirect_to(const std::string& region) {
  return HttpResponse{.head = {.status = 301, .headers = {{"x-amz-bucket-region", region}}},
                      .body = ""};
}

TEST(S3Client, SendsARequestAgainWithTheNewTokenThatAFileHoldsCRED1) {
  const test::TempFolder folder;
  const auto write = [&](const char* token) {
    folder.write("keys", std::string("[default]\naws_access_key_id=k\naws_secret_access_key=s\n"
                                     "aws_session_token=") +
                             token + "\n");
  };
  write("old");
  auto http = std::make_unique<FakeHttp>(
      std::vector{answer(400, error_xml("ExpiredToken")), answer(200, "fine")});
  FakeHttp& seen = *http;
  seen.before_answer = [&] { write("new"); };
  test::FakeClock clock;
  Client client({.address = {.bucket = "bucket", .region = "eu-west-1"},
                 .credentials = credentials({{"AWS_SHARED_CREDENTIALS_FILE", folder / "keys"}})},
                std::move(http), clock, [] { return 0.5; });
  EXPECT_EQ(client.fetch({.key = "k", .operation = "read"})->body, "fine");
  EXPECT_EQ(header(seen.requests.at(0), "x-amz-security-token"), "old");
  EXPECT_EQ(header(seen.requests.at(1), "x-amz-security-token"), "new");
  EXPECT_EQ(seen.requests[1].url, "https://bucket.s3.eu-west-1.amazonaws.com/k");
  EXPECT_TRUE(clock.naps().empty());
}

TEST(S3Client, SendsNoSignatureWhenAnonymous) {
  auto http = std::make_unique<FakeHttp>(std::vector{answer(200, "")});
  FakeHttp& seen = *http;
  test::FakeClock clock;
  Client client({.address = {.bucket = "bucket", .region = "eu-west-1"}}, std::move(http), clock,
                [] { return 0.5; });
  EXPECT_TRUE(client.fetch({.operation = "list"}));
  EXPECT_EQ(header(seen.requests.at(0), "authorization"), "");
}

TEST(S3Client, MovesToTheHostOfTheRegionThatTheAnswerTells) {
  auto http = std::make_unique<FakeHttp>(std::vector{redirect_to("eu-north-1"), answer(200, "")});
  FakeHttp& seen = *http;
  test::FakeClock clock;
  Client client({.address = {.bucket = "bucket", .region = "us-east-1"}}, std::move(http), clock,
                [] { return 0.5; });
  EXPECT_TRUE(client.fetch({.operation = "list"}));
  EXPECT_THAT(seen.requests.at(1).url, HasSubstr("bucket.s3.eu-north-1.amazonaws.com"));
}

// The answer may come from anybody who can answer for the first host. A signature that goes to a
// host of their choice could be used there.
TEST(S3Client, NeverFollowsARegionOutOfTheDomainOfTheFirstAddress) {
  for (const char* region : {"x.evil.example", "evil.example/", "a@evil.example", "eu-west-1#",
                             "cn-north-1", "us-iso-east-1", "EU", "", "..", "a b"}) {
    auto http = std::make_unique<FakeHttp>(std::vector{redirect_to(region), answer(200, "")});
    FakeHttp& seen = *http;
    test::FakeClock clock;
    Client client(
        {.address = {.bucket = "bucket", .region = "us-east-1"},
         .credentials = credentials({{"AWS_ACCESS_KEY_ID", "k"}, {"AWS_SECRET_ACCESS_KEY", "s"}})},
        std::move(http), clock, [] { return 0.5; });
    EXPECT_EQ(client.fetch({.operation = "list"}).error().code, ErrorCode::invalid_config);
    EXPECT_EQ(seen.requests.size(), 1U) << region;
  }
}

TEST(S3Client, StaysAtTheEndpointWhateverRegionIsTold) {
  auto http = std::make_unique<FakeHttp>(std::vector{redirect_to("eu-north-1"), answer(200, "")});
  FakeHttp& seen = *http;
  test::FakeClock clock;
  Client client(
      {.address = {.bucket = "bucket",
                   .region = "us-east-1",
                   .endpoint = "https://minio.example:9000"},
       .credentials = credentials({{"AWS_ACCESS_KEY_ID", "k"}, {"AWS_SECRET_ACCESS_KEY", "s"}})},
      std::move(http), clock, [] { return 0.5; });
  EXPECT_TRUE(client.fetch({.operation = "list"}));
  for (const auto& request : seen.requests)
    EXPECT_THAT(request.url, ::testing::StartsWith("https://minio.example:9000/bucket"));
  EXPECT_THAT(header(seen.requests.at(1), "authorization"), HasSubstr("/eu-north-1/s3/"));
}

TEST(S3Client, SaysThatTheReaderPaysAndSignsIt) {
  auto http = std::make_unique<FakeHttp>(std::vector{answer(200, ""), answer(200, "")});
  FakeHttp& seen = *http;
  test::FakeClock clock;
  Client client(
      {.address = {.bucket = "bucket", .region = "us-east-1"},
       .credentials = credentials({{"AWS_ACCESS_KEY_ID", "k"}, {"AWS_SECRET_ACCESS_KEY", "s"}}),
       .request_payer = true},
      std::move(http), clock, [] { return 0.5; });
  EXPECT_TRUE(client.fetch({.operation = "list"}));
  EXPECT_TRUE(client.fetch({.method = "HEAD", .key = "k", .operation = "stat"}));
  for (const auto& request : seen.requests) {
    EXPECT_EQ(header(request, "x-amz-request-payer"), "requester");
    EXPECT_THAT(header(request, "authorization"), HasSubstr(";x-amz-request-payer,"));
  }
}

TEST(S3Client, TellsPeopleHowTheBucketIsReached) {
  auto http = std::make_unique<FakeHttp>(std::vector{redirect_to("eu-north-1"), answer(200, "")});
  test::FakeClock clock;
  Client client(
      {.address = {.bucket = "bucket", .region = "us-east-1"},
       .credentials = credentials({{"AWS_ACCESS_KEY_ID", "k"}, {"AWS_SECRET_ACCESS_KEY", "s"}})},
      std::move(http), clock, [] { return 0.5; });
  EXPECT_TRUE(client.fetch({.operation = "list"}));
  EXPECT_THAT(client.access(),
              ::testing::ElementsAre(
                  std::pair<std::string, std::string>("region", "eu-north-1"),
                  std::pair<std::string, std::string>(
                      "address", "https://bucket.s3.eu-north-1.amazonaws.com/"),
                  std::pair<std::string, std::string>("credentials", "the environment")));
}

TEST(S3Client, SaysWhatHasRunOutWhenNewCredentialsCannotBeHad) {
  auto http = std::make_unique<FakeHttp>(std::vector{answer(400, error_xml("ExpiredToken"))});
  test::FakeClock clock;
  int asked = 0;
  const AwsSource once = [&](AwsLookup&) -> Result<std::optional<AwsCredentials>> {
    if (++asked == 1) return AwsCredentials{.access_key = "k", .secret_key = Secret("s")};
    return fail(credential_error(ErrorCode::denied, "profile", "the login has run out", "log in"));
  };
  Client client({.address = {.bucket = "bucket", .region = "us-east-1"},
                 .credentials = std::make_shared<AwsCredentialChain>(AwsSettings{}, AwsTools{},
                                                                     std::vector<AwsSource>{once})},
                std::move(http), clock, [] { return 0.5; });
  EXPECT_EQ(client.fetch({.operation = "list"}).error().cause, "the login has run out");
}

TEST(S3Client, SaysWhereItLookedForCredentialsAndSendsNothing) {
  auto http = std::make_unique<FakeHttp>(std::vector<Result<HttpResponse>>{});
  FakeHttp& seen = *http;
  test::FakeClock clock;
  Client client({.address = {.bucket = "bucket", .region = "us-east-1"},
                 .credentials = credentials({{"AWS_EC2_METADATA_DISABLED", "true"}})},
                std::move(http), clock, [] { return 0.5; });
  EXPECT_EQ(client.fetch({.operation = "list"}).error().code, ErrorCode::denied);
  EXPECT_TRUE(seen.requests.empty());
}

TEST(S3Client, RefusesAnAnswerThatNeverEnds) {
  auto http =
      std::make_unique<FakeHttp>(std::vector{answer(200, std::string((16 << 20) + 1, 'x'))});
  test::FakeClock clock;
  Client client({.address = {.bucket = "bucket", .region = "us-east-1"}}, std::move(http), clock,
                [] { return 0.5; });
  EXPECT_EQ(client.fetch({.operation = "list"}).error().code, ErrorCode::damaged);
}

}  // namespace
}  // namespace forebay::s3
