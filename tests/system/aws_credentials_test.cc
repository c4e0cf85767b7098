// Aim: the real program reads a bucket with credentials from every place where users keep them, and
// says where it found them; without any it says where it looked; no secret is ever shown.
// Method: moto as IAM, STS and S3, which checks every signature and policy (its user may assume a
// role and nothing else), and tests/support/aws_services.py as what moto does not have.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/digest.h"
#include "base/time_text.h"
#include "net/http.h"
#include "support/parquet_maker.h"
#include "support/paths.h"
#include "support/pipeline_fixture.h"
#include "support/run_program.h"
#include "support/server_process.h"

namespace forebay::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using Json = nlohmann::json;

// Both servers, started once for all tests.
class Amazon {
 public:
  Amazon() {
    const auto ports = free_ports(2);
    moto_address_ = fmt::format("http://127.0.0.1:{}", ports[0]);
    services_address_ = fmt::format("http://127.0.0.1:{}", ports[1]);
    const std::string python = (deps_dir() / "venv/bin/python").string();
    moto_ = std::make_unique<ServerProcess>(
        std::vector<std::string>{python, (deps_dir() / "venv/bin/moto_server").string(), "-H",
                                 "127.0.0.1", "-p", fmt::format("{}", ports[0])},
        folder_ / "moto.log");
    moto_->wait_until([&] {
      return open_http({})->send({.url = moto_address_, .shown = "moto"}, {}).has_value();
    });
    make_parquet(folder_ / "object", "SELECT 42 AS n");
    services_ = std::make_unique<ServerProcess>(
        std::vector<std::string>{python, (source_dir() / "tests/support/aws_services.py").string(),
                                 moto_address_, fmt::format("{}", ports[1]), folder_ / "made",
                                 folder_ / "object"},
        folder_ / "services.log");
    services_->wait_until([&] { return std::filesystem::exists(folder_ / "made"); });
    std::ifstream made(folder_ / "made");
    made_ = Json::parse(std::string(std::istreambuf_iterator<char>(made), {}));
  }

  std::string made(const char* name) const { return made_.at(name).get<std::string>(); }
  const Json& secrets() const { return made_.at("secrets"); }
  const std::string& moto() const { return moto_address_; }
  const std::string& services() const { return services_address_; }

 private:
  TempFolder folder_;
  std::string moto_address_;
  std::string services_address_;
  std::unique_ptr<ServerProcess> moto_;
  std::unique_ptr<ServerProcess> services_;
  Json made_;
};

Amazon& amazon() {
  static Amazon running;
  return running;
}

class AwsCredentialsOfUsers : public ::testing::Test {
 protected:
  AwsCredentialsOfUsers() {
    environment_ = {{"HOME", home_.path()},
                    {"PATH", "/usr/bin:/bin"},
                    {"AWS_ENDPOINT_URL", amazon().moto()},
                    {"AWS_EC2_METADATA_DISABLED", "true"}};
    configure("");
  }

  // `more`: lines of the pipeline, each with its break.
  void configure(const std::string& more) {
    home_.write("forebay.yaml",
                "target: duckdb:w.duckdb\npipelines:\n  events:\n    source: s3://lake/in/\n"
                "    feed: files\n    table: events\n    settle: 0s\n    retry_for: 2s\n" +
                    more);
  }
  std::string keys_of_loader(const std::string& section) const {
    return fmt::format("[{}]\naws_access_key_id = {}\naws_secret_access_key = {}\n", section,
                       amazon().made("key"), amazon().made("secret"));
  }
  std::string role() const { return amazon().made("role"); }

  Json run(const std::string& command, int code) {
    const ProgramResult result = run_program(faulty_binary(), {command, "--json", "-v"},
                                             {.folder = home_.path(), .environment = environment_});
    EXPECT_EQ(result.code, code) << result.out << result.err;
    for (const std::string& text : {result.out, result.err}) {
      EXPECT_THAT(text, Not(HasSubstr("hush")));
      EXPECT_THAT(text, Not(HasSubstr("Signature=")));
      for (const Json& secret : amazon().secrets())
        EXPECT_THAT(text, Not(HasSubstr(secret.get<std::string>())));
    }
    const Json parsed = Json::parse(result.out, nullptr, false);
    return parsed.is_object() ? parsed["pipelines"][0] : Json();
  }

  // Loads the row, and says where check saw the credentials.
  std::string found_in() {
    run("load", 0);
    EXPECT_THAT(query_lines(home_ / "w.duckdb", "SELECT n FROM main.events"), ElementsAre("42"));
    const Json checked = run("check", 0);
    for (const Json& check : checked["checks"]) {
      if (check["check"] == "credentials") return check["detail"].get<std::string>();
    }
    return "";
  }
  // A load that may not, and its error.
  std::string refused() {
    const Json report = run("load", 1);
    return report.is_object() ? report["error"].dump() : "";
  }

  TempFolder home_;
  std::map<std::string, std::string> environment_;
};

TEST_F(AwsCredentialsOfUsers, TheRoleOfThePipelineIsTakenWithTheEnvironmentsKeys) {
  environment_["AWS_ACCESS_KEY_ID"] = amazon().made("key");
  environment_["AWS_SECRET_ACCESS_KEY"] = amazon().made("secret");
  EXPECT_THAT(refused(), HasSubstr("AccessDenied"));
  configure("    role_arn: " + role() + "\n");
  EXPECT_EQ(found_in(), fmt::format("role {} with the environment", role()));
}

TEST_F(AwsCredentialsOfUsers, ARoleThatDoesNotTrustThemIsNamed) {
  environment_["AWS_ACCESS_KEY_ID"] = amazon().made("key");
  environment_["AWS_SECRET_ACCESS_KEY"] = "hush-wrong";
  configure("    role_arn: " + role() + "\n");
  EXPECT_THAT(refused(), AllOf(HasSubstr(role()), HasSubstr("SignatureDoesNotMatch")));
}

TEST_F(AwsCredentialsOfUsers, AProfileAsksForARoleWithAnotherProfilesKeys) {
  home_.write(".aws/credentials", keys_of_loader("base"));
  home_.write(".aws/config", fmt::format("[profile lake]\nrole_arn = {}\nsource_profile = base\n"
                                         "role_session_name = night\nregion = us-east-1\n",
                                         role()));
  configure("    profile: lake\n");
  EXPECT_THAT(found_in(), AllOf(StartsWith("role " + role()), HasSubstr("credentials [base]")));
}

TEST_F(AwsCredentialsOfUsers, AWebIdentityIsTradedForARole) {
  home_.write("token", "web-token-hush\n");
  environment_["AWS_WEB_IDENTITY_TOKEN_FILE"] = home_ / "token";
  environment_["AWS_ROLE_ARN"] = role();
  environment_["AWS_ENDPOINT_URL_STS"] = amazon().services();
  EXPECT_THAT(found_in(), HasSubstr("with the token in " + home_ / "token"));
  home_.write("token", "another-hush\n");
  EXPECT_THAT(refused(), HasSubstr("ValidationError"));
}

TEST_F(AwsCredentialsOfUsers, AProgramHandsThemOut) {
  home_.write("answer", amazon().made("process"));
  home_.write(".aws/config",
              fmt::format("[default]\ncredential_process = cat \"{}\"\n", home_ / "answer"));
  EXPECT_THAT(found_in(), HasSubstr("(credential_process cat)"));
  home_.write(".aws/config",
              "[default]\ncredential_process = /bin/sh -c 'echo hush >&2; exit 4'\n");
  EXPECT_THAT(refused(), HasSubstr("code 4"));
}

TEST_F(AwsCredentialsOfUsers, ALoginOfIdentityCenterIsUsedWhileItIsGood) {
  home_.write(".aws/config",
              "[default]\nsso_session = corp\nsso_account_id = 123456789012\n"
              "sso_role_name = Reader\n[sso-session corp]\nsso_region = us-east-1\n"
              "sso_start_url = https://corp.example/start\n");
  environment_["AWS_ENDPOINT_URL_SSO"] = amazon().services();
  const auto log_in = [&](Duration valid) {
    home_.write(".aws/sso/cache/" + sha1_hex("corp") + ".json",
                fmt::format(R"({{"accessToken": "sso-token-hush", "expiresAt": "{}"}})",
                            format_time(system_clock().now() + valid, "%Y-%m-%dT%H:%M:%SZ")));
  };
  log_in(std::chrono::hours(1));
  EXPECT_THAT(found_in(), HasSubstr("(IAM Identity Center)"));
  log_in(-std::chrono::hours(1));
  EXPECT_THAT(refused(), HasSubstr("aws sso login --sso-session corp"));
}

TEST_F(AwsCredentialsOfUsers, AContainerHasThem) {
  environment_["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = amazon().services() + "/v2/credentials/task";
  home_.write("token", "task-token-hush\n");
  environment_["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"] = home_ / "token";
  EXPECT_EQ(found_in(), "the container's credential service");
  environment_.erase("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");
  EXPECT_THAT(refused(), HasSubstr("401"));
}

TEST_F(AwsCredentialsOfUsers, AnInstanceHasThem) {
  environment_.erase("AWS_EC2_METADATA_DISABLED");
  environment_["AWS_EC2_METADATA_SERVICE_ENDPOINT"] = amazon().services();
  EXPECT_EQ(found_in(), "the instance's role reader");
}

// A machine without any is no reason to wait.
TEST_F(AwsCredentialsOfUsers, AreMissedWithEveryPlaceWithinSeconds) {
  environment_.erase("AWS_EC2_METADATA_DISABLED");
  environment_["AWS_EC2_METADATA_SERVICE_ENDPOINT"] = "http://127.0.0.1:1";
  const Time begun = system_clock().now();
  const std::string error = refused();
  EXPECT_LT(system_clock().now() - begun, std::chrono::seconds(30));
  for (const char* place : {"AWS_ACCESS_KEY_ID", "AWS_WEB_IDENTITY_TOKEN_FILE", ".aws/config",
                            "AWS_CONTAINER_CREDENTIALS_FULL_URI", "metadata service"})
    EXPECT_THAT(error, HasSubstr(place));
}

}  // namespace
}  // namespace forebay::test
