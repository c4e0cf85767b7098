// Aim: what the crash matrix shows for a folder holds for a bucket, whose files are staged on disk
// before they are read; and secrets stay secret, whatever goes wrong.
// Method: the crash matrix (crash_matrix_test.cc) against SeaweedFS on loopback, and single loads.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>

#include <fstream>
#include <iterator>

#include "support/crash_matrix.h"
#include "support/paths.h"
#include "support/s3_server.h"

namespace forebay::test {
namespace {

using testing::HasSubstr;
using testing::Not;

// Puts the files of a folder into a bucket.
std::function<void(const std::string&)> put(const std::string& bucket, const TempFolder& folder) {
  return [bucket, &folder](const std::string& key) {
    std::ifstream file(folder / key, std::ios::binary);
    seaweed().put(bucket, key, std::string(std::istreambuf_iterator<char>(file), {}));
  };
}

LoadPlace place_of(const std::string& bucket, const std::string& endpoint = "") {
  const S3StoreOptions options = seaweed().options(bucket);
  LoadPlace place(faulty_binary(), "s3://" + bucket + "/feed/",
                  {"--set", "retry_for=1s", "--set",
                   "endpoint=" + (endpoint.empty() ? options.endpoint.value() : endpoint)});
  for (const auto& [name, value] : options.environment) place.environment[name] = value;
  return place;
}

class S3Scene final : public CrashScene {
 public:
  S3Scene() { seaweed().create_bucket(kBucket); }

  bool deliver_before() override {
    deliver_first(feed_, put(kBucket, folder_));
    return true;
  }
  void deliver() override { deliver_second(feed_, put(kBucket, folder_)); }
  LoadPlace place() const override { return place_of(kBucket); }
  std::string problems(const std::string& database, Applied applied) const override {
    return test::problems(database, feed_, applied);
  }
  std::string standing(const std::string& database) const override {
    return fmt::format("{}", fmt::join(applied_markers(database), " "));
  }

 private:
  static constexpr const char* kBucket = "crash-matrix";
  TempFolder folder_;
  SmallFeed feed_{folder_.path()};
};

const SceneMaker kBucketScene = {"RollerupFromABucket", [] { return std::make_unique<S3Scene>(); }};
INSTANTIATE_TEST_SUITE_P(S3, CrashMatrix, testing::Values(kBucketScene), scene_name);

class CrashS3 : public testing::Test {
 protected:
  CrashS3() { seaweed().create_bucket(bucket_); }

  LoadPlace place() const { return place_of(bucket_); }

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

  const std::string bucket_ = fmt::format("crash-{}", ++buckets_);
  TempFolder folder_;
  SmallFeed feed_{folder_.path()};

 private:
  static inline int buckets_ = 0;
};

TEST_F(CrashS3, AFullStagingDiskIsNamedAndHeals) {
  deliver_first(feed_, put(bucket_, folder_));
  // One file is larger than what is staged in memory.
  std::vector<SmallRow> many;
  for (int n = 0; n < 60'000; ++n) many.push_back({n, static_cast<int>(n * 2'654'435'761U >> 1)});
  feed_.deliver({.number = 7, .files = {{"visits", many}}}, put(bucket_, folder_));
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
  LoadPlace here = place_of("nobody-made-this");
  const ProgramResult result = here.load();
  EXPECT_EQ(result.code, 1) << result.err;
  EXPECT_THAT(pipeline_report(result)["error"].dump(), HasSubstr("nobody-made-this"));
}

TEST_F(CrashS3, CredentialsThatAreWrong) {
  LoadPlace here = place();
  expect_failure(here, 1);
}

TEST_F(CrashS3, AServerThatIsGone) {
  LoadPlace here = place_of(bucket_, "http://127.0.0.1:1");
  expect_failure(here, 2);
}

}  // namespace
}  // namespace forebay::test
