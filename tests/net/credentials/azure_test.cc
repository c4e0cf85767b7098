#include "net/credentials/azure.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/encode.h"
#include "support/scripted_server.h"
#include "support/temp_folder.h"
#include "support/test_key.h"

// Aim: everything that opens a storage account is found in a fixed order, opens no other account
// than the one that was meant, and is told to nobody. Method: variables made here, against a
// scripted server that plays authority, App Service and metadata service.
namespace forebay::azure {
namespace {

using test::Answer;
using ::testing::HasSubstr;
using ::testing::Not;

const Time kNow{std::chrono::hours(490'000)};
const std::string kHush = base64_encode("a secret key");

TokenTools tools() { return {.web = open_http({}), .nearby = open_http({})}; }

Result<Access> find(Variables environment, std::string account = "") {
  return find_access({.environment = std::move(environment), .account = std::move(account)},
                     tools());
}

TEST(AzureAccess, ReadsConnectionStrings) {
  const auto full = read_connection_string(fmt::format(
      "DefaultEndpointsProtocol=https;AccountName=acct;AccountKey={};EndpointSuffix=core.x",
      kHush));
  ASSERT_TRUE(full) << describe(full.error());
  EXPECT_EQ(full->account, "acct");
  EXPECT_EQ(full->key->reveal(), "a secret key");
  EXPECT_EQ(full->endpoint, "https://acct.blob.core.x");
  const auto signature =
      read_connection_string("BlobEndpoint=https://h/;SharedAccessSignature=sv=1&sig=a%3D;");
  ASSERT_TRUE(signature);
  EXPECT_EQ(signature->sas.reveal(), "sv=1&sig=a%3D");
  EXPECT_EQ(signature->endpoint, "https://h/");
  const auto emulator = read_connection_string("UseDevelopmentStorage=true");
  EXPECT_EQ(emulator->endpoint, "http://127.0.0.1:10000/devstoreaccount1");
  EXPECT_TRUE(emulator->key);
}

TEST(AzureAccess, RefusesOtherTextsWithoutTellingThem) {
  for (const std::string& text :
       {std::string("hush"), std::string("AccountName=hush"), std::string("AccountKey=hush=="),
        std::string("AccountName=a;AccountKey=hush!"),
        std::string("BlobEndpoint=https://h;SharedAccessSignature=hush")}) {
    const auto found = find({{"AZURE_STORAGE_CONNECTION_STRING", text}});
    ASSERT_FALSE(found) << text;
    EXPECT_EQ(found.error().code, ErrorCode::invalid_config);
    EXPECT_THAT(describe(found.error()), Not(HasSubstr("hush")));
  }
}

TEST(AzureAccess, IsFoundInAFixedOrder) {
  Variables all{
      {"AZURE_STORAGE_CONNECTION_STRING", fmt::format("AccountName=acct;AccountKey={}", kHush)},
      {"AZURE_STORAGE_ACCOUNT", "acct"},
      {"AZURE_STORAGE_KEY", kHush},
      {"AZURE_STORAGE_SAS_TOKEN", "?sv=1&sig=x"}};
  EXPECT_EQ(find(all)->found_in, "AZURE_STORAGE_CONNECTION_STRING");
  all.erase("AZURE_STORAGE_CONNECTION_STRING");
  EXPECT_EQ(find(all)->found_in, "AZURE_STORAGE_KEY");
  all.erase("AZURE_STORAGE_KEY");
  EXPECT_EQ(find(all)->sas.reveal(), "sv=1&sig=x");
  all.erase("AZURE_STORAGE_SAS_TOKEN");
  EXPECT_TRUE(find(all)->tokens);
  const auto nobody = find_access({.environment = all, .anonymous = true}, tools());
  EXPECT_FALSE(nobody->tokens || nobody->key);
}

TEST(AzureAccess, OpensNoOtherAccountThanTheOneThatIsMeant) {
  const auto named = find(
      {{"AZURE_STORAGE_CONNECTION_STRING", fmt::format("AccountName=other;AccountKey={}", kHush)}},
      "acct");
  EXPECT_THAT(named.error().cause, HasSubstr("other"));
  EXPECT_FALSE(find({{"AZURE_STORAGE_ACCOUNT", "other"}, {"AZURE_STORAGE_KEY", kHush}}, "acct"));
  EXPECT_THAT(find({}).error().hint, HasSubstr("AZURE_STORAGE_ACCOUNT"));
}

class EntraTokens : public ::testing::Test {
 protected:
  void script(int answers) {
    std::vector<Answer> all(static_cast<std::size_t>(answers),
                            Answer::with(200, R"({"access_token":"t","expires_in":"3599"})"));
    server_ = std::make_unique<test::ScriptedServer>(std::move(all));
    environment_["AZURE_AUTHORITY_HOST"] = server_->endpoint();
  }
  Result<BearerToken> ask() { return entra_tokens(environment_, tools())(kNow); }
  std::string request() const { return server_->requests().back(); }

  std::unique_ptr<test::ScriptedServer> server_;
  test::TempFolder folder_;
  Variables environment_{{"AZURE_TENANT_ID", "tenant"}, {"AZURE_CLIENT_ID", "client"}};
};

TEST_F(EntraTokens, AServicePrincipalShowsItsSecret) {
  script(1);
  environment_["AZURE_CLIENT_SECRET"] = "a+b";
  const auto found = ask();
  ASSERT_TRUE(found) << describe(found.error());
  EXPECT_EQ(found->token.reveal(), "t");
  EXPECT_EQ(found->found_in, "the service principal client by AZURE_CLIENT_SECRET");
  EXPECT_THAT(request(), HasSubstr("POST /tenant/oauth2/v2.0/token "));
  EXPECT_THAT(request(), HasSubstr("client_secret=a%2Bb&grant_type=client_credentials&"
                                   "client_id=client&scope=https%3A%2F%2Fstorage.azure.com%2F"));
}

TEST_F(EntraTokens, AWorkloadShowsItsClustersTokenAsItIsNow) {
  script(2);
  environment_["AZURE_FEDERATED_TOKEN_FILE"] = folder_ / "token";
  folder_.write("token", "first\n");
  EXPECT_THAT(ask()->found_in, HasSubstr("the workload identity client by "));
  EXPECT_THAT(request(), HasSubstr("client_assertion=first&"));
  folder_.write("token", "second");
  EXPECT_TRUE(ask());
  EXPECT_THAT(request(), HasSubstr("client_assertion=second&"));
}

TEST_F(EntraTokens, AServicePrincipalSignsByItsCertificate) {
  const test::TestKey key;
  script(1);
  folder_.write("both.pem", key.private_pem() + key.certificate_pem());
  environment_["AZURE_CLIENT_CERTIFICATE_PATH"] = folder_ / "both.pem";
  const auto found = ask();
  ASSERT_TRUE(found) << describe(found.error());
  const std::string body = request();
  const std::size_t at = body.find("client_assertion=") + 17;
  const std::string statement = body.substr(at, body.find('&', at) - at);
  EXPECT_TRUE(key.verifies(statement));
  const auto parts = test::jwt_parts(statement);
  EXPECT_EQ(nlohmann::json::parse(parts.header)["x5t"], key.thumbprint());
  EXPECT_EQ(nlohmann::json::parse(parts.claims)["sub"], "client");
}

TEST_F(EntraTokens, AMachineNeedsNoSecret) {
  script(2);
  environment_.erase("AZURE_TENANT_ID");
  environment_["IDENTITY_ENDPOINT"] = server_->endpoint() + "/msi/token";
  environment_["IDENTITY_HEADER"] = "hush";
  EXPECT_THAT(ask()->found_in, HasSubstr("IDENTITY_ENDPOINT"));
  EXPECT_THAT(request(), HasSubstr("GET /msi/token?api-version=2019-08-01&resource=https%3A%2F%2F"
                                   "storage.azure.com%2F&client_id=client "));
  EXPECT_THAT(request(), HasSubstr("x-identity-header: hush"));
  environment_.erase("IDENTITY_ENDPOINT");
  environment_["AZURE_POD_IDENTITY_AUTHORITY_HOST"] = server_->endpoint();
  EXPECT_EQ(ask()->found_in, "the managed identity of this machine");
  EXPECT_THAT(request(), HasSubstr("GET /metadata/identity/oauth2/token?api-version=2018-02-01&"));
  EXPECT_THAT(request(), HasSubstr("metadata: true"));
}

TEST_F(EntraTokens, ARefusalTellsWhatTheAuthorityTold) {
  server_ = std::make_unique<test::ScriptedServer>(std::vector<Answer>{Answer::with(
      401, R"({"error":"invalid_client","error_description":"AADSTS7000215: wrong secret"})")});
  environment_["AZURE_AUTHORITY_HOST"] = server_->endpoint();
  environment_["AZURE_CLIENT_SECRET"] = "hush";
  const auto found = ask();
  EXPECT_EQ(found.error().code, ErrorCode::denied);
  EXPECT_THAT(found.error().cause, HasSubstr("AADSTS7000215"));
  EXPECT_THAT(describe(found.error()), Not(HasSubstr("hush")));
}

// Another cloud's machine answers at the same address, and has no such token.
class Elsewhere final : public Http {
 public:
  Result<HttpHead> send(const HttpRequest&, const HttpReceiver&) override {
    return HttpHead{.status = 404};
  }
};

TEST(AzureAccess, NamesEveryPlaceThatWasLookedAt) {
  const TokenTools elsewhere{.web = std::make_shared<Elsewhere>(),
                             .nearby = std::make_shared<Elsewhere>()};
  const auto found = entra_tokens({}, elsewhere)(kNow);
  EXPECT_EQ(found.error().code, ErrorCode::denied);
  for (const char* place :
       {"AZURE_STORAGE_KEY", "AZURE_FEDERATED_TOKEN_FILE", "AZURE_CLIENT_SECRET",
        "IDENTITY_ENDPOINT", "the instance metadata service (the token server answered 404)"})
    EXPECT_THAT(found.error().cause, HasSubstr(place));
}

}  // namespace
}  // namespace forebay::azure
