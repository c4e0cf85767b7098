// Aim: nothing is sent to a server whose certificate does not hold, and a proxy learns no more than
// it needs. Method: real TLS servers and a real proxy (tests/support/tls_servers.py), which write
// down all they are told.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "store/stores.h"
#include "support/fake_clock.h"
#include "support/paths.h"
#include "support/server_process.h"
#include "support/temp_folder.h"

namespace forebay::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Tls : public ::testing::Test {
 protected:
  Tls()
      : servers_({(deps_dir() / "venv/bin/python").string(),
                  (source_dir() / "tests/support/tls_servers.py").string(), folder_.path()},
                 folder_ / "log") {
    servers_.wait_until([&] { return std::filesystem::exists(folder_ / "ports.json"); });
    ports_ = nlohmann::json::parse(text("ports.json"));
  }

  std::string text(const std::string& name) const {
    std::ifstream in(folder_ / name);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::string address(const std::string& scheme, const std::string& server) const {
    return fmt::format("{}127.0.0.1:{}", scheme, ports_.at(server).get<int>());
  }
  S3StoreOptions bucket(const std::string& endpoint) const {
    return {.bucket = "bucket",
            .endpoint = endpoint,
            .ca_file = folder_ / "ca.pem",
            .retry_for = std::chrono::seconds(1),
            .environment = {{"AWS_ACCESS_KEY_ID", "key"},
                            {"AWS_SECRET_ACCESS_KEY", "hush"},
                            {"AWS_SESSION_TOKEN", "hush-token"}}};
  }
  Result<ListPage> list(S3StoreOptions options) {
    const auto store = open_s3_store(std::move(options), clock_);
    if (!store) return fail(store.error());
    return (*store)->list({});
  }

  TempFolder folder_;
  ServerProcess servers_;
  nlohmann::json ports_;
  FakeClock clock_;
};

TEST_F(Tls, TrustsWhomTheCertificatesOfCaFileTrust) {
  const auto page = list(bucket(address("https://", "good")));
  EXPECT_TRUE(page) << describe(page.error());
  EXPECT_THAT(text("good.seen"), HasSubstr("authorization: AWS4-HMAC-SHA256"));
}

TEST_F(Tls, TakesTheVariableOfTheAwsToolsForCaFile) {
  auto options = bucket(address("https://", "good"));
  options.environment["AWS_CA_BUNDLE"] = *options.ca_file;
  options.ca_file.reset();
  EXPECT_TRUE(list(options));
}

TEST_F(Tls, SendsNothingToAnybodyElse) {
  auto nobody_trusts = bucket(address("https://", "good"));
  nobody_trusts.ca_file.reset();
  const auto expect_refused = [&](const S3StoreOptions& options) {
    const auto page = list(options);
    ASSERT_FALSE(page);
    EXPECT_EQ(page.error().code, ErrorCode::invalid_config) << describe(page.error());
    EXPECT_THAT(page.error().hint, HasSubstr("ca_file"));
    EXPECT_THAT(describe(page.error()), Not(HasSubstr("hush")));
  };
  expect_refused(nobody_trusts);
  for (const char* server : {"other_ca", "other_host", "expired"}) {
    SCOPED_TRACE(server);
    expect_refused(bucket(address("https://", server)));
    EXPECT_EQ(text(std::string(server) + ".seen"), "");
  }
  EXPECT_EQ(text("good.seen"), "");
}

TEST_F(Tls, AProxyOfATlsConnectionLearnsTheHostAndNoMore) {
  auto options = bucket(address("https://", "good"));
  options.proxy = address("http://user:hush@", "proxy");
  EXPECT_TRUE(list(options));
  EXPECT_THAT(text("proxy.seen"), AllOf(HasSubstr("CONNECT 127.0.0.1:"), Not(HasSubstr("/bucket")),
                                        Not(HasSubstr("AWS4")), Not(HasSubstr("hush-token"))));
  EXPECT_THAT(text("good.seen"),
              AllOf(HasSubstr("GET /bucket?"), Not(HasSubstr("Proxy-Authorization"))));
}

TEST_F(Tls, AProxyHandsOnWhatIsNotEncrypted) {
  auto options = bucket(address("http://", "plain"));
  options.proxy = address("http://user:hush@", "proxy");
  EXPECT_TRUE(list(options));
  EXPECT_THAT(text("proxy.seen"), HasSubstr("GET http://127.0.0.1:"));
}

TEST_F(Tls, AProxyThatWantsAnotherPasswordIsNamedAndThePasswordIsNot) {
  auto options = bucket(address("https://", "good"));
  options.proxy = address("http://user:hush-wrong@", "proxy");
  const auto page = list(options);
  ASSERT_FALSE(page);
  EXPECT_EQ(page.error().code, ErrorCode::invalid_config);
  EXPECT_THAT(describe(page.error()), AllOf(HasSubstr("proxy"), Not(HasSubstr("hush"))));
}

}  // namespace
}  // namespace forebay::test
