// Aim: what the crash matrix shows for a folder holds for a bucket, whose files are staged on disk
// before they are read; and secrets stay secret, whatever goes wrong.
// Method: as in crash_matrix_test.cc, against SeaweedFS on loopback.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>

#include <fstream>
#include <iterator>

#include "support/crash_scene.h"
#include "support/paths.h"
#include "support/s3_server.h"

namespace forebay::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class CrashS3 : public testing::Test {
 protected:
  CrashS3() { server_.create_bucket(bucket_); }

  std::function<void(const std::string&)> put() {
    return [this](const std::string& key) {
      std::ifstream file(folder_ / key, std::ios::binary);
      server_.put(bucket_, key, std::string(std::istreambuf_iterator<char>(file), {}));
    };
  }
  LoadPlace place(const std::string& bucket, const std::string& endpoint = "") {
    const S3StoreOptions options = server_.options(bucket);
    LoadPlace place(faulty_binary(), "s3://" + bucket + "/feed/",
                    {"--set", "retry_for=1s", "--set",
                     "endpoint=" + (endpoint.empty() ? options.endpoint.value() : endpoint)});
    for (const auto& [name, value] : options.environment) place.environment[name] = value;
    return place;
  }
  LoadPlace place() { return place(bucket_); }

  // A load that fails, with no secret in what it says, even with -v.
  static void expect_failure(LoadPlace& place, int code) {
    const std::string secret = "wJalrXUtnFEMI/K7MDENG+very+secret";
    place.environment["AWS_SECRET_ACCESS_KEY"] = secret;
    place.environment["AWS_SESSION_TOKEN"] = "session-" + secret;
    const ProgramResult result = place.load();
    EXPECT_EQ(result.code, code) << result.err;
    for (const std::string& text : {result.out, result.err}) {
      EXPECT_THAT(text, Not(HasSubstr(secret)));
      EXPECT_THAT(text, Not(HasSubstr("Signature=")));
    }
    const auto error = pipeline_report(result)["error"];
    for (const char* field : {"message", "object", "hint"}) EXPECT_NE(error[field], "") << error;
  }

  S3Server& server_ = seaweed();
  const std::string bucket_ = fmt::format("crash-{}", ++buckets_);
  TempFolder folder_;
  SmallFeed feed_{folder_.path()};

 private:
  static inline int buckets_ = 0;
};

TEST_F(CrashS3, EveryStepCanBeTheLastOne) {
  deliver_first(feed_, put());
  const FaultCount count = fault_count(place().load("count"));
  EXPECT_GT(count.points, 10);
  EXPECT_TRUE(count.names.contains("fetch.chunk"));
  for (const char* fault : {"crash", "error"}) {
    for (long k = 1; k <= count.points; ++k) {
      SCOPED_TRACE(fmt::format("{}:{}", fault, k));
      const LoadPlace here = place();
      const ProgramResult hit = here.load(fmt::format("{}:{}", fault, k));
      EXPECT_TRUE(hit.code == 137 || hit.code == 0 || hit.code == 2) << hit.code << hit.err;
      EXPECT_EQ(problems(here.database(), feed_, Applied::some), "");
      EXPECT_TRUE(here.staging_is_empty());
      EXPECT_EQ(here.load().code, 0);
      EXPECT_EQ(problems(here.database(), feed_, Applied::all), "");
      EXPECT_TRUE(here.staging_is_empty());
    }
  }
}

TEST_F(CrashS3, AFullStagingDiskIsNamedAndHeals) {
  deliver_first(feed_, put());
  // One file is larger than what is staged in memory.
  std::vector<SmallRow> many;
  for (int n = 0; n < 60'000; ++n) many.push_back({n, static_cast<int>(n * 2'654'435'761U >> 1)});
  feed_.deliver({.number = 7, .files = {{"visits", many}}}, put());
  const LoadPlace here = place();
  const std::string staging = here.folder() / "staging";
  if (::mount("tmpfs", staging.c_str(), "tmpfs", 0, "size=4k") != 0)
    GTEST_SKIP() << "this user may not mount";
  const ProgramResult full = here.load();
  ::umount2(staging.c_str(), MNT_DETACH);
  EXPECT_EQ(full.code, 2) << full.err;
  const auto error = pipeline_report(full)["error"];
  EXPECT_THAT(error["object"].get<std::string>(), HasSubstr(staging));
  EXPECT_THAT(error["hint"].get<std::string>(), HasSubstr("space"));
  EXPECT_EQ(problems(here.database(), feed_, Applied::some), "");
  EXPECT_EQ(here.load().code, 0);
  EXPECT_EQ(problems(here.database(), feed_, Applied::all), "");
}

TEST_F(CrashS3, ABucketThatDoesNotExist) {
  LoadPlace here = place("nobody-made-this");
  const ProgramResult result = here.load();
  EXPECT_EQ(result.code, 1) << result.err;
  EXPECT_THAT(pipeline_report(result)["error"].dump(), HasSubstr("nobody-made-this"));
}

TEST_F(CrashS3, CredentialsThatAreWrong) {
  LoadPlace here = place();
  expect_failure(here, 1);
}

TEST_F(CrashS3, AServerThatIsGone) {
  LoadPlace here = place(bucket_, "http://127.0.0.1:1");
  expect_failure(here, 2);
}

}  // namespace
}  // namespace forebay::test
