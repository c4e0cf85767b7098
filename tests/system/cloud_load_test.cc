// Aim: a feed in Google Cloud Storage or Azure is loaded as one in a folder is, also when the
// loader dies on the way; what is wrong is said, and secrets are not. Method: the real program
// against fake-gcs-server and Azurite on loopback; the tables are compared with an oracle.
// crash_s3_test.cc has every step of it over S3.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <ostream>

#include "support/azure_server.h"
#include "support/crash_scene.h"
#include "support/gcs_server.h"
#include "support/paths.h"

namespace forebay::test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kSecret = "dmVyeStzZWNyZXQra2V5K29mK25vYm9keQ==";

// How a test reaches one cloud.
struct Cloud {
  const char* name;
  std::string scheme;
  std::function<void(const std::string& bucket)> create;
  std::function<void(const std::string& bucket, const std::string& key, std::string_view)> put;
  std::function<void(LoadPlace&)> open;        // gives what is needed to get in
  std::function<void(LoadPlace&)> wrong_keys;  // gives something that does not open it
};

void PrintTo(const Cloud& cloud, std::ostream* out) { *out << cloud.name; }

Cloud gcs() {
  return {.name = "Gcs",
          .scheme = "gs",
          .create = [](const std::string& bucket) { fake_gcs().create_bucket(bucket); },
          .put = [](const std::string& bucket, const std::string& key,
                    std::string_view content) { fake_gcs().put(bucket, key, content); },
          .open =
              [](LoadPlace& place) {
                place.environment["STORAGE_EMULATOR_HOST"] = fake_gcs().endpoint();
              },
          .wrong_keys =
              [](LoadPlace& place) {
                const std::string file = place.folder() / "sa.json";
                place.folder().write("sa.json",
                                     fmt::format(R"({{"type":"service_account","client_email":"a",)"
                                                 R"("private_key_id":"k","private_key":"{}"}})",
                                                 kSecret));
                place.environment["GOOGLE_APPLICATION_CREDENTIALS"] = file;
              }};
}

Cloud azure_cloud() {
  return {.name = "Azure",
          .scheme = "az",
          .create = [](const std::string& bucket) { azurite().create_container(bucket); },
          .put = [](const std::string& bucket, const std::string& key,
                    std::string_view content) { azurite().put(bucket, key, content); },
          .open =
              [](LoadPlace& place) {
                place.environment["AZURE_STORAGE_CONNECTION_STRING"] =
                    azurite().connection_string();
              },
          .wrong_keys =
              [](LoadPlace& place) {
                place.environment["AZURE_STORAGE_CONNECTION_STRING"] =
                    fmt::format("AccountName=devstoreaccount1;AccountKey={};BlobEndpoint={}",
                                kSecret, azurite().endpoint());
              }};
}

class CloudLoad : public testing::TestWithParam<Cloud> {
 protected:
  CloudLoad() { GetParam().create(bucket_); }

  std::function<void(const std::string&)> put() {
    return [this](const std::string& key) {
      std::ifstream file(folder_ / key, std::ios::binary);
      GetParam().put(bucket_, key, std::string(std::istreambuf_iterator<char>(file), {}));
    };
  }
  LoadPlace place(const std::string& bucket) const {
    return {faulty_binary(),
            fmt::format("{}://{}/feed/", GetParam().scheme, bucket),
            {"--set", "retry_for=1s"}};
  }
  LoadPlace open_place() const {
    LoadPlace here = place(bucket_);
    GetParam().open(here);
    return here;
  }

  const std::string bucket_ = fmt::format("cloud-{}", ++buckets_);
  TempFolder folder_;
  SmallFeed feed_{folder_.path()};

 private:
  static inline int buckets_ = 0;
};

TEST_P(CloudLoad, BringsEverythingAlsoAfterDyingOnTheWay) {
  deliver_first(feed_, put());
  const long points = fault_count(open_place().load("count")).points;
  ASSERT_GT(points, 10);
  const LoadPlace here = open_place();
  for (const long point : {points / 2, points - 3}) {
    const std::string fault = fmt::format("crash:{}", point);
    const ProgramResult hit = here.load(fault);
    EXPECT_EQ(hit.code, 137) << fault << hit.err;
    EXPECT_EQ(problems(here.database(), feed_, Applied::some), "") << fault;
  }
  const ProgramResult first = here.load();
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_EQ(problems(here.database(), feed_, Applied::all), "");
  EXPECT_TRUE(here.staging_is_empty());
  deliver_second(feed_, put());
  const ProgramResult second = here.load();
  EXPECT_EQ(second.code, 0) << second.err;
  EXPECT_EQ(problems(here.database(), feed_, Applied::all), "");
  EXPECT_GT(pipeline_report(second)["requests"]["list"].get<int>(), 0);
  EXPECT_EQ(pipeline_report(here.load())["outcome"], "nothing_new");
}

TEST_P(CloudLoad, CheckTellsCredentialsAndPromises) {
  deliver_first(feed_, put());
  const LoadPlace here = open_place();
  std::vector<std::string> words = here.words();
  words[0] = "check";
  const ProgramResult result = run_program(faulty_binary(), words, here.options());
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("credentials"));
  EXPECT_THAT(result.out, HasSubstr(GetParam().scheme == "gs" ? "none (anonymous)"
                                                              : "AZURE_STORAGE_CONNECTION_STRING"));
  EXPECT_THAT(result.out,
              HasSubstr(GetParam().scheme == "gs" ? "resumes a listing after a key"
                                                  : "lists from the beginning each time"));
}

TEST_P(CloudLoad, ABucketThatDoesNotExist) {
  LoadPlace here = place("nobody-made-this");
  GetParam().open(here);
  const ProgramResult result = here.load();
  EXPECT_EQ(result.code, 1) << result.err;
  EXPECT_THAT(pipeline_report(result)["error"].dump(), HasSubstr("nobody-made-this"));
}

TEST_P(CloudLoad, CredentialsThatAreWrong) {
  LoadPlace here = place(bucket_);
  GetParam().wrong_keys(here);
  const ProgramResult result = here.load();
  EXPECT_EQ(result.code, 1) << result.err;
  EXPECT_THAT(result.out + result.err, Not(HasSubstr(kSecret)));
  const auto error = pipeline_report(result)["error"];
  for (const char* field : {"message", "object", "hint"}) EXPECT_NE(error[field], "") << error;
}

INSTANTIATE_TEST_SUITE_P(Clouds, CloudLoad, testing::Values(gcs(), azure_cloud()),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(CloudSignature, OpensAContainerAndIsToldToNobody) {
  azurite().create_container("signed");
  TempFolder folder;
  SmallFeed feed{folder.path()};
  deliver_first(feed, [&](const std::string& key) {
    std::ifstream file(folder / key, std::ios::binary);
    azurite().put("signed", key, std::string(std::istreambuf_iterator<char>(file), {}));
  });
  LoadPlace here(faulty_binary(), "az://signed/feed/",
                 {"-v", "--set", "retry_for=1s", "--set", "account=devstoreaccount1", "--set",
                  "endpoint=" + azurite().endpoint()});
  const std::string good = azurite().account_signature("2099-01-01T00:00:00Z");
  here.environment["AZURE_STORAGE_SAS_TOKEN"] = good;
  const ProgramResult result = here.load();
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(problems(here.database(), feed, Applied::all), "");
  const std::string secret = good.substr(good.find("sig=") + 4);
  EXPECT_THAT(result.out + result.err, Not(HasSubstr(secret)));
  here.environment["AZURE_STORAGE_SAS_TOKEN"] = azurite().account_signature("2020-01-01T00:00:00Z");
  EXPECT_EQ(here.load().code, 1);
}

}  // namespace
}  // namespace forebay::test
