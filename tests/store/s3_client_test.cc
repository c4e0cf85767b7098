#include "store/s3_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/s3_script.h"
#include "support/temp_folder.h"

// Aim: a request goes out again at once with newer credentials, and otherwise as the retry policy
// says. What the answers mean is tested with store and reads.
namespace forebay::s3 {
namespace {

using test::Answer;
using test::error_xml;
using test::list_xml;
using ::testing::HasSubstr;
using ::testing::Not;

// Hands out answers and remembers requests; can do something just before an answer.
class FakeHttp final : public Http {
 public:
  explicit FakeHttp(std::vector<HttpResponse> answers) : answers_(std::move(answers)) {}

  Result<HttpHead> send(const HttpRequest& request, const HttpReceiver& receiver) override {
    requests.push_back(request);
    if (before_answer) before_answer();
    const HttpResponse& answer = answers_.at(requests.size() - 1);
    if (receiver.head) RETURN_IF_ERROR(receiver.head(answer.head));
    if (receiver.body) RETURN_IF_ERROR(receiver.body(std::as_bytes(std::span(answer.body))));
    return answer.head;
  }

  std::vector<HttpRequest> requests;
  std::function<void()> before_answer;

 private:
  std::vector<HttpResponse> answers_;
};

std::string header(const HttpRequest& request, const std::string& name) {
  for (const auto& [key, value] : request.headers) {
    if (key == name) return value;
  }
  return "";
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
      std::vector<HttpResponse>{{.head = {.status = 400}, .body = error_xml("ExpiredToken")},
                                {.head = {.status = 200}, .body = "fine"}});
  FakeHttp& seen = *http;
  seen.before_answer = [&] { write("new"); };
  test::FakeClock clock;
  Client client(
      {.address = {.bucket = "bucket", .region = "eu-west-1"},
       .credentials = {.environment = {{"AWS_SHARED_CREDENTIALS_FILE", folder / "keys"}}}},
      std::move(http), clock, [] { return 0.5; });
  EXPECT_EQ(client.fetch({.key = "k", .operation = "read"})->body, "fine");
  EXPECT_EQ(header(seen.requests.at(0), "x-amz-security-token"), "old");
  EXPECT_EQ(header(seen.requests.at(1), "x-amz-security-token"), "new");
  EXPECT_EQ(seen.requests[1].url, "https://bucket.s3.eu-west-1.amazonaws.com/k");
  EXPECT_TRUE(clock.naps().empty());
}

TEST(S3Client, SendsNoSignatureWhenAnonymous) {
  auto http =
      std::make_unique<FakeHttp>(std::vector<HttpResponse>{{.head = {.status = 200}, .body = ""}});
  FakeHttp& seen = *http;
  test::FakeClock clock;
  Client client({.address = {.bucket = "bucket", .region = "eu-west-1"}, .anonymous = true},
                std::move(http), clock, [] { return 0.5; });
  EXPECT_TRUE(client.fetch({.operation = "list"}));
  EXPECT_EQ(header(seen.requests.at(0), "authorization"), "");
}

TEST(S3Client, MovesToTheHostOfTheRegionThatTheAnswerTells) {
  auto http = std::make_unique<FakeHttp>(std::vector<HttpResponse>{
      {.head = {.status = 301, .headers = {{"x-amz-bucket-region", "eu-north-1"}}}, .body = ""},
      {.head = {.status = 200}, .body = ""}});
  FakeHttp& seen = *http;
  test::FakeClock clock;
  Client client({.address = {.bucket = "bucket", .region = "us-east-1"}, .anonymous = true},
                std::move(http), clock, [] { return 0.5; });
  EXPECT_TRUE(client.fetch({.operation = "list"}));
  EXPECT_THAT(seen.requests.at(1).url, HasSubstr("bucket.s3.eu-north-1.amazonaws.com"));
}

TEST(S3Client, SaysWhereItLookedForCredentialsAndSendsNothing) {
  auto http = std::make_unique<FakeHttp>(std::vector<HttpResponse>{});
  FakeHttp& seen = *http;
  test::FakeClock clock;
  Client client({.address = {.bucket = "bucket", .region = "us-east-1"}}, std::move(http), clock,
                [] { return 0.5; });
  EXPECT_EQ(client.fetch({.operation = "list"}).error().code, ErrorCode::denied);
  EXPECT_TRUE(seen.requests.empty());
}

TEST(S3Client, RefusesAnAnswerThatNeverEnds) {
  auto http = std::make_unique<FakeHttp>(std::vector<HttpResponse>{
      {.head = {.status = 200}, .body = std::string((16 << 20) + 1, 'x')}});
  test::FakeClock clock;
  Client client({.address = {.bucket = "bucket", .region = "us-east-1"}, .anonymous = true},
                std::move(http), clock, [] { return 0.5; });
  EXPECT_EQ(client.fetch({.operation = "list"}).error().code, ErrorCode::damaged);
}

}  // namespace
}  // namespace forebay::s3
