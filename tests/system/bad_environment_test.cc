// Aim: whatever is wrong around the loader, it ends with the exit code of the contract, says what
// it was about, why, and what to do, and leaves tables and ledger as they were; once the cause is
// gone, the next load brings everything. Method: a database into which a first load went; then one
// thing is broken, a load is tried, the thing is mended, and another load is done.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <iterator>

#include "support/crash_scene.h"
#include "support/paths.h"
#include "support/s3_server.h"

namespace forebay::test {
namespace {

using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

// A file system of a few bytes, while this object lives; needs the right to mount.
class TinyDisk {
 public:
  TinyDisk(std::string folder, const char* size) : folder_(std::move(folder)) {
    fs::create_directories(folder_);
    mounted_ =
        ::mount("tmpfs", folder_.c_str(), "tmpfs", 0, fmt::format("size={}", size).c_str()) == 0;
  }
  ~TinyDisk() {
    if (mounted_) ::umount2(folder_.c_str(), MNT_DETACH);
  }
  TinyDisk(const TinyDisk&) = delete;
  TinyDisk& operator=(const TinyDisk&) = delete;
  bool mounted() const { return mounted_; }
  bool change(unsigned long flags, const char* options) const {
    return ::mount("tmpfs", folder_.c_str(), "tmpfs", MS_REMOUNT | flags, options) == 0;
  }

 private:
  std::string folder_;
  bool mounted_ = false;
};

SmallFile many_rows(int rows) {
  SmallFile file{.table = "cars", .rows = {}};
  for (int i = 1; i <= rows; ++i)
    file.rows.push_back({.id = i, .value = std::int64_t{i} * 7'919'377 % 1'000'000'007});
  return file;
}

class BadEnvironment : public testing::Test {
 protected:
  BadEnvironment() {
    deliver_first(feed_);
    EXPECT_EQ(place_.load().code, 0);
    deliver_second(feed_);
    before_ = applied_markers(place_.database());
  }

  // The error that such a load ends with; every field of it must say something.
  static nlohmann::json expect_error(const ProgramResult& result, int code) {
    EXPECT_EQ(result.code, code) << result.out << result.err;
    const auto document = nlohmann::json::parse(result.out, nullptr, false);
    EXPECT_FALSE(document.is_discarded()) << result.out;
    EXPECT_EQ(document["exit_code"], code);
    const nlohmann::json pipeline =
        document["pipelines"].empty() ? document : document["pipelines"][0];
    EXPECT_TRUE(pipeline["error"].is_object()) << result.out;
    if (!pipeline["error"].is_object()) return {};
    for (const char* field : {"code", "message", "object", "hint"})
      EXPECT_NE(pipeline["error"][field], "") << field << " in " << pipeline["error"];
    EXPECT_THAT(result.err, HasSubstr("hint"));
    return pipeline["error"];
  }

  // Nothing new stands in the database.
  void expect_untouched() {
    EXPECT_EQ(applied_markers(place_.database()), before_);
    EXPECT_EQ(problems(place_.database(), feed_, Applied::some), "");
  }
  void expect_all_after_the_next_load() {
    const ProgramResult result = place_.load();
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(problems(place_.database(), feed_, Applied::all), "");
  }

  ProgramResult load_into(const std::string& target, const std::string& source = "") {
    return run_program(faulty_binary(),
                       {"load", "--json", "--source", source.empty() ? feed_.source() : source,
                        "--feed", "rollerup", "--target", "duckdb:" + target, "--set",
                        "staging=" + place_.folder() / "staging"},
                       place_.options());
  }

  std::string in_feed(const std::string& name) const { return feed_.source() + name; }

  TempFolder folder_;
  SmallFeed feed_{folder_.path()};
  LoadPlace place_{faulty_binary(), feed_.source()};
  std::set<std::string> before_;
};

TEST_F(BadEnvironment, ATargetInAFolderThatIsMissing) {
  const auto error = expect_error(load_into(folder_ / "none/t.duckdb"), 1);
  EXPECT_THAT(error["object"].get<std::string>(), HasSubstr("none/t.duckdb"));
  EXPECT_FALSE(fs::exists(folder_ / "none"));
}

TEST_F(BadEnvironment, ATargetThatIsAFolder) {
  fs::create_directories(folder_ / "t.duckdb");
  const auto error = expect_error(load_into(folder_ / "t.duckdb"), 1);
  EXPECT_THAT(error["object"].get<std::string>(), HasSubstr("t.duckdb"));
}

TEST_F(BadEnvironment, ATargetThatIsNoDatabase) {
  const std::string text =
      "these are the shopping lists of a year, and nobody wants to lose them\n";
  folder_.write("t.duckdb", text);
  expect_error(load_into(folder_ / "t.duckdb"), 1);
  std::ifstream file(folder_ / "t.duckdb");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), text);
}

TEST_F(BadEnvironment, ATargetOnADiskThatOnlyReads) {
  const TinyDisk disk(folder_ / "disk", "16m");
  if (!disk.mounted()) GTEST_SKIP() << "this user may not mount";
  fs::copy_file(place_.database(), folder_ / "disk/t.duckdb");
  ASSERT_TRUE(disk.change(MS_RDONLY, "size=16m"));
  expect_error(load_into(folder_ / "disk/t.duckdb"), 1);
  expect_error(load_into(folder_ / "disk/new.duckdb"), 1);
  ASSERT_TRUE(disk.change(0, "size=16m"));
  EXPECT_EQ(load_into(folder_ / "disk/t.duckdb").code, 0);
  EXPECT_EQ(problems(folder_ / "disk/t.duckdb", feed_, Applied::all), "");
}

TEST_F(BadEnvironment, ATargetWhoseDiskIsFull) {
  const std::string database = folder_ / "disk/t.duckdb";
  const auto room = fmt::format("{}", fs::file_size(place_.database()) + (std::uintmax_t{1} << 18));
  const TinyDisk disk(folder_ / "disk", room.c_str());
  if (!disk.mounted()) GTEST_SKIP() << "this user may not mount";
  fs::copy_file(place_.database(), database);
  feed_.deliver({.number = 20, .snapshot = true, .files = {many_rows(60'000)}});
  for (int run = 0; run < 2; ++run) {
    const auto error = expect_error(load_into(database), 2);
    EXPECT_THAT(error["message"].get<std::string>(), HasSubstr("space")) << error;
  }
  ASSERT_TRUE(disk.change(0, "size=64m"));  // read before the write-ahead log can grow
  EXPECT_EQ(problems(database, feed_, Applied::some), "");
  EXPECT_EQ(load_into(database).code, 0);
  EXPECT_EQ(problems(database, feed_, Applied::all), "");
}

TEST_F(BadEnvironment, AFolderThatIsMissing) {
  fs::rename(in_feed(""), folder_ / "moved away");
  expect_error(place_.load(), 1);
  expect_untouched();
  fs::rename(folder_ / "moved away", in_feed(""));
  expect_all_after_the_next_load();
}

TEST_F(BadEnvironment, AFolderThatIsEmptyIsAWarning) {
  fs::create_directories(folder_ / "empty");
  const ProgramResult result = load_into(folder_ / "new.duckdb", folder_ / "empty/");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(pipeline_report(result)["warnings"].size(), 1U);
}

TEST_F(BadEnvironment, AnotherFolderThanTheOneLoadedBefore) {
  const TempFolder elsewhere;
  SmallFeed other(elsewhere.path());
  deliver_first(other);
  expect_error(load_into(place_.database(), other.source()), 5);
  expect_untouched();
}

// MARK-2, TRUNC-1: damage to a marker or to a file stops the feed there; what is before it is
// loaded.
struct Damage {
  const char* name;
  const char* file;  // of delivery 10, the last but one
  std::string_view content;
  bool remove;
};
class BadFiles : public BadEnvironment, public testing::WithParamInterface<Damage> {};

TEST_P(BadFiles, StopTheFeedThereAndHealWhenMended) {
  const std::string path = in_feed(GetParam().file);
  fs::copy_file(path, folder_ / "kept");
  if (GetParam().remove) {
    fs::remove(path);
  } else {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << GetParam().content;
  }
  const auto error = expect_error(place_.load(), 3);
  EXPECT_THAT(error.dump(), HasSubstr("20240301T001000"));
  EXPECT_EQ(problems(place_.database(), feed_, Applied::some), "");
  EXPECT_EQ(applied_markers(place_.database()).size(), 6U);
  fs::rename(folder_ / "kept", path);
  expect_all_after_the_next_load();
}

INSTANTIATE_TEST_SUITE_P(
    Of, BadFiles,
    testing::Values(
        Damage{"AMarkerOfNoise", "_batches/20240301T001000Z.snapshot.json", "\x01\x02{", false},
        Damage{"AnEmptyMarker", "_batches/20240301T001000Z.snapshot.json", "", false},
        Damage{"AFileOfNoise", "visits/20240301T001000Z.00.parquet", "PAR1 and no more", false},
        Damage{"AnEmptyFile", "visits/20240301T001000Z.00.parquet", "", false},
        Damage{"AFileThatIsMissing", "visits/20240301T001000Z.00.parquet", "", true}),
    [](const auto& param) { return std::string(param.param.name); });

// Rights do not bind root: the loader runs as somebody else.
TEST_F(BadEnvironment, WhatMayNotBeReadOrWritten) {
  if (geteuid() != 0 || !fs::exists("/usr/bin/setpriv")) GTEST_SKIP() << "needs root and setpriv";
  const auto load = [&] {
    std::vector<std::string> words = {"--reuid=65534", "--regid=65534", "--clear-groups",
                                      faulty_binary().string()};
    for (std::string& word : place_.words()) words.push_back(std::move(word));
    return run_program("/usr/bin/setpriv", words, place_.options());
  };
  const auto open_to_all = [](const std::string& root) {
    fs::permissions(root, fs::perms(0777));
    for (const auto& entry : fs::recursive_directory_iterator(root))
      fs::permissions(entry.path(), fs::perms(entry.is_directory() ? 0777 : 0666));
  };
  open_to_all(folder_.path());
  open_to_all(place_.folder().path());
  for (const std::string& path :
       {place_.database(), in_feed("_batches/20240301T000900Z.json"), in_feed("_batches"),
        in_feed("cars/20240301T000900Z.00.parquet")}) {
    SCOPED_TRACE(path);
    fs::permissions(path, path == place_.database() ? fs::perms(0444) : fs::perms(0));
    const auto error = expect_error(load(), 1);
    EXPECT_EQ(error["code"], "denied") << error;
    open_to_all(folder_.path());
    open_to_all(place_.folder().path());
    EXPECT_EQ(problems(place_.database(), feed_, Applied::some), "");
  }
  EXPECT_EQ(load().code, 0);
  EXPECT_EQ(problems(place_.database(), feed_, Applied::all), "");
}

}  // namespace
}  // namespace forebay::test
