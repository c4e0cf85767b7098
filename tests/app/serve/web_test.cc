// The server over real sockets on loopback, and clients that behave badly.
#include "app/serve/web.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <mutex>
#include <vector>

#include "support/tcp_client.h"

namespace forebay {
namespace {

using test::http_request;
using test::HttpAnswer;
using test::TcpClient;
using testing::HasSubstr;
using testing::StartsWith;

class WebTest : public ::testing::Test {
 protected:
  WebTest() {
    auto started = start_web_server({.host = "127.0.0.1"}, [this](const WebRequest& request) {
      const std::lock_guard lock(mutex_);
      seen_.push_back(request);
      return WebReply{.status = request.target == "/gone" ? 410 : 200,
                      .type = "text/x",
                      .body = body_,
                      .headers = {{"X-Two", "1"}, {"X-Two", "2"}}};
    });
    EXPECT_TRUE(started);
    server_ = std::move(*started);
  }

  std::vector<WebRequest> seen() {
    const std::lock_guard lock(mutex_);
    return seen_;
  }

  std::mutex mutex_;
  std::vector<WebRequest> seen_;
  std::string body_ = "hello";
  std::unique_ptr<WebServer> server_;
};

TEST_F(WebTest, AnswersAndCloses) {
  const HttpAnswer answer = http_request(server_->port(), "GET", "/a?b=c",
                                         {"Host: localhost:1", "Authorization: Bearer x"});
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, "hello");
  EXPECT_EQ(answer.header("content-type"), "text/x");
  EXPECT_EQ(answer.header("content-length"), "5");
  EXPECT_EQ(answer.header("connection"), "close");
  EXPECT_EQ(answer.header("cache-control"), "no-store");
  EXPECT_EQ(answer.header("x-content-type-options"), "nosniff");
  EXPECT_EQ(answer.headers.count("x-two"), 2U);
  ASSERT_EQ(seen().size(), 1U);
  EXPECT_EQ(seen()[0].target, "/a?b=c");
  EXPECT_EQ(seen()[0].host, "localhost:1");
  EXPECT_EQ(seen()[0].authorization, "Bearer x");
  EXPECT_EQ(http_request(server_->port(), "GET", "/gone").status, 410);
}

TEST_F(WebTest, SendsNoBodyToAHead) {
  const HttpAnswer answer = http_request(server_->port(), "HEAD", "/");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.header("content-length"), "5");
  EXPECT_EQ(answer.body, "");
}

TEST_F(WebTest, SendsLargePagesWhole) {
  {
    const std::lock_guard lock(mutex_);
    body_ = std::string(5'000'000, 'x');
  }
  EXPECT_EQ(http_request(server_->port(), "GET", "/").body, body_);
}

TEST_F(WebTest, RefusesAHeadThatIsTooLongWithoutReadingIt) {
  TcpClient client(server_->port());
  ASSERT_TRUE(client.send("GET / HTTP/1.1\r\nX: "));
  const std::string part(64 * 1024, 'a');
  bool open = true;
  for (int i = 0; i < 1'000 && open; ++i) open = client.send(part);
  EXPECT_FALSE(open);  // it was cut off long before 64 MB
  EXPECT_TRUE(seen().empty());
  EXPECT_EQ(http_request(server_->port(), "GET", "/").status, 200);
}

TEST_F(WebTest, TakesAHeadOfTheLargestSizeAndNoneBeyond) {
  const std::string start = "X-Pad: ";
  const auto padded = [&](std::size_t bytes) {
    return http_request(server_->port(), "GET", "/", {start + std::string(bytes, 'a')}).status;
  };
  EXPECT_EQ(padded(kMostHeaderBytes - 200), 200);
  EXPECT_NE(padded(kMostHeaderBytes + 1), 200);
}

TEST_F(WebTest, RefusesWhatIsNoRequest) {
  TcpClient client(server_->port());
  ASSERT_TRUE(client.send("\x16\x03\x01 this is TLS or worse\r\n\r\n"));
  EXPECT_THAT(client.read_to_end(), StartsWith("HTTP/1.1 400"));
  EXPECT_TRUE(seen().empty());
}

// As many silent clients as there may be, and one that asks: it is served as soon as they are cut
// off, and none of them longer than kRequestWithin.
TEST_F(WebTest, CutsOffClientsThatDoNotAsk) {
  std::vector<std::unique_ptr<TcpClient>> silent;
  for (std::size_t i = 0; i < kMostConnections; ++i) {
    silent.push_back(std::make_unique<TcpClient>(server_->port()));
    ASSERT_TRUE(silent.back()->send("GET / HT"));
  }
  EXPECT_EQ(http_request(server_->port(), "GET", "/").status, 200);
  for (const auto& client : silent) EXPECT_EQ(client->read_to_end(), "");
  EXPECT_EQ(seen().size(), 1U);
}

TEST_F(WebTest, EndsWhileClientsAreThere) {
  TcpClient silent(server_->port());
  ASSERT_TRUE(silent.send("GET /"));
  EXPECT_EQ(http_request(server_->port(), "GET", "/").status, 200);
  server_.reset();
  EXPECT_EQ(silent.read_to_end(), "");
}

TEST_F(WebTest, SaysThatSomebodyListensThereAlready) {
  const auto second = start_web_server({.host = "127.0.0.1", .port = server_->port()},
                                       [](const WebRequest&) { return WebReply{}; });
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::busy);
  EXPECT_THAT(second.error().object, HasSubstr("127.0.0.1:"));
  const auto nowhere = start_web_server({.host = "192.0.2.1", .port = 1024},
                                        [](const WebRequest&) { return WebReply{}; });
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().code, ErrorCode::invalid_config);
}

TEST(ParseListen, TakesAddressesAndPorts) {
  const auto parsed = parse_listen("127.0.0.1:0", "--listen");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->host, "127.0.0.1");
  EXPECT_TRUE(parsed->loopback);
  EXPECT_TRUE(parse_listen("localhost:65535", "")->loopback);
  EXPECT_EQ(parse_listen("[::1]:80", "")->host, "::1");
  EXPECT_TRUE(parse_listen("[::1]:80", "")->loopback);
  EXPECT_TRUE(parse_listen("127.9.9.9:80", "")->loopback);
  for (const char* open : {"0.0.0.0:80", "[::]:80", "10.1.2.3:80"})
    EXPECT_FALSE(parse_listen(open, "")->loopback) << open;
  for (const char* wrong : {"", ":", ":80", "80", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536",
                            "127.0.0.1:-1", "127.0.0.1:8o", "::1:80", "[127.0.0.1]:80", "[::1:80",
                            "example.com:80", "127.0.0.1:000080", "1.2.3:80 "}) {
    const auto refused = parse_listen(wrong, "--listen");
    ASSERT_FALSE(refused) << wrong;
    EXPECT_EQ(refused.error().code, ErrorCode::invalid_config);
    EXPECT_EQ(refused.error().object, "--listen");
  }
}

}  // namespace
}  // namespace forebay
