#include "net/credentials/google.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/encode.h"
#include "support/scripted_server.h"
#include "support/temp_folder.h"
#include "support/test_key.h"

// Aim: every kind of credentials file leads to a token, in the order that Google's own programs
// look for them, and no message tells a secret. Method: files made here, against a scripted server
// that plays token server, IAM and metadata server.
namespace forebay::google {
namespace {

using test::Answer;
using ::testing::HasSubstr;
using ::testing::Not;

const Time kNow{std::chrono::hours(490'000)};

TokenTools tools() { return {.web = open_http({}), .nearby = open_http({})}; }

Answer token(std::string_view name) {
  return Answer::with(200, fmt::format(R"({{"access_token":"{}","expires_in":3599}})", name));
}

// The form's value in a request.
std::string form_value(const std::string& request, const std::string& name) {
  const std::string body = "&" + request.substr(request.find("\r\n\r\n") + 4);
  const std::size_t at = body.find("&" + name + "=");
  if (at == std::string::npos) return {};
  const std::size_t begin = at + name.size() + 2;
  return percent_decode(body.substr(begin, body.find('&', begin) - begin)).value_or("");
}

TEST(Google, AServiceAccountSignsAStatement) {
  const test::TestKey key;
  test::ScriptedServer server({token("t")});
  const nlohmann::json file{{"type", "service_account"},
                            {"client_email", "loader@p.iam.gserviceaccount.com"},
                            {"private_key_id", "k1"},
                            {"private_key", key.private_pem()},
                            {"token_uri", server.endpoint() + "/token"}};
  const auto found = token_of_file(file.dump(), "/sa.json", tools(), kNow);
  ASSERT_TRUE(found) << describe(found.error());
  EXPECT_EQ(found->token.reveal(), "t");
  EXPECT_EQ(found->expires, kNow + std::chrono::seconds(3599));
  EXPECT_EQ(found->found_in, "the service account loader@p.iam.gserviceaccount.com in /sa.json");
  const std::string request = server.requests().at(0);
  EXPECT_EQ(form_value(request, "grant_type"), "urn:ietf:params:oauth:grant-type:jwt-bearer");
  const std::string statement = form_value(request, "assertion");
  EXPECT_TRUE(key.verifies(statement));
  const auto claims = nlohmann::json::parse(test::jwt_parts(statement).claims);
  EXPECT_EQ(claims["iss"], "loader@p.iam.gserviceaccount.com");
  EXPECT_EQ(claims["aud"], server.endpoint() + "/token");
  EXPECT_EQ(claims["scope"], kStorageScope);
  EXPECT_EQ(claims["exp"].get<long>() - claims["iat"].get<long>(), 3600);
  EXPECT_EQ(claims["iat"].get<long>(), 490'000L * 3600);
}

TEST(Google, AUserShowsARefreshToken) {
  test::ScriptedServer server({token("t"), Answer::with(400, R"({"error":"invalid_grant"})")});
  const std::string file = fmt::format(
      R"({{"type":"authorized_user","client_id":"i","client_secret":"s+/","refresh_token":"r",)"
      R"("token_uri":"{}/token"}})",
      server.endpoint());
  EXPECT_EQ(token_of_file(file, "/u.json", tools(), kNow)->token.reveal(), "t");
  EXPECT_EQ(form_value(server.requests().at(0), "client_secret"), "s+/");
  EXPECT_EQ(form_value(server.requests().at(0), "grant_type"), "refresh_token");
  const auto refused = token_of_file(file, "/u.json", tools(), kNow);
  EXPECT_EQ(refused.error().code, ErrorCode::denied);
  EXPECT_THAT(describe(refused.error()), HasSubstr("invalid_grant"));
}

class ExternalAccount : public ::testing::Test {
 protected:
  nlohmann::json file(const nlohmann::json& source) const {
    return {{"type", "external_account"},
            {"audience", "//iam.googleapis.com/pool"},
            {"subject_token_type", "urn:ietf:params:oauth:token-type:jwt"},
            {"token_url", server_->endpoint() + "/sts"},
            {"credential_source", source}};
  }
  Result<BearerToken> ask(const nlohmann::json& file) const {
    return token_of_file(file.dump(), "/wif.json", tools(), kNow);
  }
  void script(std::vector<Answer> answers) {
    server_ = std::make_unique<test::ScriptedServer>(std::move(answers));
  }

  test::TempFolder folder_;
  std::unique_ptr<test::ScriptedServer> server_ =
      std::make_unique<test::ScriptedServer>(std::vector<Answer>{});
};

TEST_F(ExternalAccount, ExchangesATokenFromAFile) {
  script({token("t"), token("t2")});
  folder_.write("token", "subject\n");
  folder_.write("token.json", R"({"access":"subject2"})");
  EXPECT_EQ(ask(file({{"file", folder_ / "token"}}))->token.reveal(), "t");
  const std::string request = server_->requests().at(0);
  EXPECT_EQ(form_value(request, "subject_token"), "subject");
  EXPECT_EQ(form_value(request, "audience"), "//iam.googleapis.com/pool");
  EXPECT_EQ(form_value(request, "scope"), kStorageScope);
  EXPECT_TRUE(ask(file({{"file", folder_ / "token.json"},
                        {"format", {{"type", "json"}, {"subject_token_field_name", "access"}}}})));
  EXPECT_EQ(form_value(server_->requests().at(1), "subject_token"), "subject2");
}

TEST_F(ExternalAccount, AsksAUrlAndActsAsAServiceAccount) {
  script({Answer::with(200, "subject"), token("middle"),
          Answer::with(200, R"({"accessToken":"t","expireTime":"2026-12-01T00:00:00Z"})")});
  auto wif = file({{"url", server_->endpoint() + "/subject"}, {"headers", {{"X-Who", "me"}}}});
  wif["service_account_impersonation_url"] =
      server_->endpoint() + "/v1/projects/-/serviceAccounts/a@b:generateAccessToken";
  const auto found = ask(wif);
  ASSERT_TRUE(found) << describe(found.error());
  EXPECT_EQ(found->token.reveal(), "t");
  EXPECT_EQ(found->found_in, "the service account a@b, by the external account in /wif.json");
  const auto requests = server_->requests();
  EXPECT_THAT(requests.at(0), HasSubstr("X-Who: me"));
  EXPECT_THAT(form_value(requests.at(1), "scope"), HasSubstr("cloud-platform"));
  EXPECT_THAT(requests.at(2), HasSubstr("uthorization: Bearer middle"));
  EXPECT_THAT(requests.at(2), HasSubstr(kStorageScope));
}

TEST_F(ExternalAccount, RefusesOtherSourcesByName) {
  EXPECT_THAT(ask(file({{"environment_id", "aws1"}})).error().cause, HasSubstr("AWS"));
  EXPECT_THAT(ask(file({{"executable", {{"command", "x"}}}})).error().cause,
              HasSubstr("executable"));
  EXPECT_EQ(ask(file(nlohmann::json::object())).error().code, ErrorCode::invalid_config);
}

TEST(Google, RefusesOtherTypesAndHalfFilesWithoutTellingWhatIsInThem) {
  for (
      const char* text :
      {"hush", "[\"hush\"]", R"({"type":"gdch_service_account","hush":"hush"})",
       R"({"type":"service_account","private_key":"hush"})",
       R"({"type":"service_account","client_email":"a","private_key_id":"b","private_key":"hush"})",
       R"({"type":"authorized_user","client_id":"a","client_secret":"hush"})",
       R"({"type":"authorized_user","client_id":"a","client_secret":"hush","refresh_token":"hush",)"
       R"("token_uri":"http://example.com/"})"}) {
    const auto found = token_of_file(text, "/file.json", tools(), kNow);
    ASSERT_FALSE(found) << text;
    EXPECT_EQ(found.error().code, ErrorCode::invalid_config) << text;
    EXPECT_THAT(describe(found.error()), Not(HasSubstr("hush"))) << text;
  }
}

TEST(Google, LooksInTheOrderOfGooglesOwnPrograms) {
  test::ScriptedServer server({token("named"), token("gcloud"), token("machine")});
  const std::string user = fmt::format(
      R"({{"type":"authorized_user","client_id":"i","client_secret":"s","refresh_token":"r",)"
      R"("token_uri":"{}/token"}})",
      server.endpoint());
  test::TempFolder folder;
  folder.write("named.json", user);
  folder.write(".config/gcloud/application_default_credentials.json", user);
  const std::string host = server.endpoint().substr(7);
  Variables all{{"GOOGLE_APPLICATION_CREDENTIALS", folder / "named.json"},
                {"HOME", folder.path()},
                {"GCE_METADATA_HOST", host}};
  EXPECT_THAT(tokens({all}, tools())(kNow)->found_in, HasSubstr("named.json"));
  all.erase("GOOGLE_APPLICATION_CREDENTIALS");
  EXPECT_THAT(tokens({all}, tools())(kNow)->found_in, HasSubstr(".config/gcloud"));
  all.erase("HOME");
  EXPECT_EQ(tokens({all}, tools())(kNow)->found_in, "the metadata server " + host);
  EXPECT_THAT(server.requests().at(2), HasSubstr("etadata-flavor: Google"));
}

TEST(Google, AFileThatIsNamedMustBeThere) {
  const auto found =
      tokens({{{"GOOGLE_APPLICATION_CREDENTIALS", "/nonexistent"}, {"HOME", "/"}}}, tools())(kNow);
  EXPECT_EQ(found.error().code, ErrorCode::invalid_config);
  EXPECT_EQ(found.error().object, "/nonexistent");
}

// Answers nothing: no connection to anywhere.
class NoNetwork final : public Http {
 public:
  Result<HttpHead> send(const HttpRequest& request, const HttpReceiver&) override {
    return fail({.code = ErrorCode::unavailable,
                 .operation = request.method,
                 .object = request.shown,
                 .cause = "name resolution failed",
                 .hint = {}});
  }
};

TEST(Google, NamesEveryPlaceThatWasLookedAt) {
  const TokenTools none{.web = std::make_shared<NoNetwork>(),
                        .nearby = std::make_shared<NoNetwork>()};
  const auto found = tokens({{{"HOME", "/nonexistent"}}}, none)(kNow);
  EXPECT_EQ(found.error().code, ErrorCode::denied);
  for (const char* place : {"GOOGLE_APPLICATION_CREDENTIALS (not set)",
                            "/nonexistent/.config/gcloud/application_default_credentials.json",
                            "the metadata server (name resolution failed)"})
    EXPECT_THAT(found.error().cause, HasSubstr(place));
  // Somebody said that there is one: then its silence heals.
  const auto named = tokens({{{"GCE_METADATA_HOST", "10.0.0.1"}}}, none)(kNow);
  EXPECT_EQ(named.error().code, ErrorCode::unavailable);
}

}  // namespace
}  // namespace forebay::google
