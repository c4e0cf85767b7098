// Aim: which keys are units, what they are called, and where a listing may start.

#include "feed/unit.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "support/feeds.h"

namespace forebay {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr Time at(std::chrono::sys_days day, Duration time = {}) { return Time(day) + time; }
constexpr auto kDay = std::chrono::sys_days(2026y / 10 / 20);

std::optional<UnitName> name(const Feed& feed, std::string_view key) {
  Result<std::optional<UnitName>> unit = name_unit(feed, key);
  if (!unit) throw std::runtime_error(describe(unit.error()));
  return *unit;
}

Feed files() { return test::builtin("files", test::options({{"table", "events"}})); }

constexpr std::string_view kTimed = R"(
about: x
unit:
  file: "{table}/{day:%Y-%m-%d}/{n:int}.csv"
  order: [day, n]
  name_time: {of: day}
table: {capture: table}
effect: append
)";

TEST(NameUnit, RollerupRule1_MarkersAreTheJsonFilesDirectlyUnderBatches) {
  Feed feed = test::builtin("rollerup");
  std::optional<UnitName> unit = name(feed, "_batches/20261020T140003Z.snapshot.json");
  ASSERT_TRUE(unit);
  EXPECT_EQ(unit->name, "20261020T140003Z.snapshot.json");
  EXPECT_EQ(unit->key, "_batches/20261020T140003Z.snapshot.json");
  EXPECT_EQ(unit->name_time, at(kDay, 14h + 3s));
  for (const char* key : {"_rollerup_connection_test.json", "prices/20261020T141502Z.parquet",
                          "_batches/", "_batches/old/20261020T140003Z.json", "_batches/a.json.tmp",
                          "x/_batches/20261020T140003Z.json", "_batches/a.JSON", ""}) {
    EXPECT_FALSE(name(feed, key)) << key;
  }
}

TEST(NameUnit, RollerupRule1_FileNamesAsBytesAreTheOrder) {
  Feed feed = test::builtin("rollerup");
  auto place = [&](std::string_view file) {
    return name(feed, "_batches/" + std::string(file))->place;
  };
  EXPECT_LT(place("20261020T140003Z.json"), place("20261020T140003Z.snapshot.json"));
  EXPECT_LT(place("20261020T140003Z.snapshot.json"), place("20261020T141502Z.json"));
  EXPECT_LT(place("a-b.json"), place("a.json"));
}

TEST(NameUnit, AMarkerWhoseNameTellsNoTimeIsStillOne) {
  std::optional<UnitName> unit = name(test::builtin("rollerup"), "_batches/first.json");
  ASSERT_TRUE(unit);
  EXPECT_EQ(unit->name_time, std::nullopt);
}

TEST(NameUnit, FilesRule7_HiddenKeysAndFolderNamesAreNeverData) {
  Feed feed = files();
  for (const char* key : {"_SUCCESS", "_x.parquet", "a/_tmp/x.parquet", "a/.hidden/x.parquet",
                          ".x.parquet", "a/b.parquet/", "a/_b.parquet"}) {
    EXPECT_FALSE(name(feed, key)) << key;
  }
  for (const char* key : {"x.parquet", "a/b/x.pq", "a_b/x.parquet", "dt=2026-10-20/x..parquet",
                          "/x.parquet", "//x.parquet"}) {
    std::optional<UnitName> unit = name(feed, key);
    ASSERT_TRUE(unit) << key;
    EXPECT_EQ(unit->name, key);
    EXPECT_EQ(unit->place, "");
  }
}

TEST(NameUnit, FilesRule1_APatternWithoutASlashAppliesToTheLastSegmentAtAnyDepth) {
  auto matches = [](const char* pattern, std::string_view key) {
    Options options = test::options({{"table", "t"}, {"pattern", pattern}});
    return name(test::builtin("files", options), key).has_value();
  };
  EXPECT_TRUE(matches("part-*.parquet", "a/b/part-1.parquet"));
  EXPECT_TRUE(matches("part-*.parquet", "part-1.parquet"));
  EXPECT_FALSE(matches("part-*.parquet", "part-1/x.parquet"));
  EXPECT_TRUE(matches("a/*.parquet", "a/x.parquet"));
  EXPECT_FALSE(matches("a/*.parquet", "a/b/x.parquet"));
  EXPECT_FALSE(matches("a/*.parquet", "b/a/x.parquet"));
  EXPECT_TRUE(matches("a/**/x.parquet", "a/b/c/x.parquet"));
  EXPECT_TRUE(matches("./x.parquet", "x.parquet"));
  EXPECT_FALSE(matches("./x.parquet", "a/x.parquet"));
}

TEST(NameUnit, AKeyThatMatchesTwoPatternsIsRefused) {
  Options options{{"table", {.values = {"t"}}}, {"pattern", {.values = {"a*.pq", "*b.pq"}}}};
  Feed feed = test::builtin("files", options);
  EXPECT_TRUE(name(feed, "ax.pq"));
  EXPECT_TRUE(name(feed, "xb.pq"));
  Result<std::optional<UnitName>> unit = name_unit(feed, "ab.pq");
  ASSERT_FALSE(unit);
  EXPECT_EQ(unit.error().code, ErrorCode::refused);
  EXPECT_THAT(describe(unit.error()), HasSubstr("ab.pq: the key matches two patterns of the feed"));
}

TEST(NameUnit, DocumentsInManyFoldersAreKnownByTheirKeys) {
  Feed feed = test::feed(R"(
about: x
unit: {document: "**/manifest.json"}
files: {list: /files, path: {field: path, from: document}, table: {text: t}}
effect: append
)");
  EXPECT_EQ(name(feed, "a/manifest.json")->name, "a/manifest.json");
}

TEST(NameUnit, ReadsTimesAndNumbersOfNames) {
  Feed feed = test::feed(kTimed);
  std::optional<UnitName> unit = name(feed, "prices/2026-10-20/9.csv");
  ASSERT_TRUE(unit);
  EXPECT_EQ(unit->name_time, at(kDay));
  EXPECT_LT(unit->place, name(feed, "prices/2026-10-20/10.csv")->place);
  EXPECT_LT(unit->place, name(feed, "a/2026-10-21/1.csv")->place);
}

TEST(ListRanges, RollerupRule1_AListingStartsWhereNamesAreOlderThanTheBound) {
  Feed feed = test::builtin("rollerup");
  EXPECT_THAT(list_ranges(feed), ElementsAre(ListRange{"_batches/", ""}));
  std::vector<ListRange> ranges = list_ranges(feed, at(kDay, 14h + 3s + 5us));
  ASSERT_THAT(ranges, ElementsAre(ListRange{"_batches/", "_batches/20261020T140003"}));
  EXPECT_LT(ranges[0].start_after, "_batches/20261020T140003Z.json");
  EXPECT_GT(ranges[0].start_after, "_batches/20261020T140002Z.snapshot.json");
}

TEST(ListRanges, BeginAtTheTopWhereNamesDoNotBeginWithTheirTime) {
  EXPECT_THAT(list_ranges(test::feed(kTimed), at(kDay)), ElementsAre(ListRange{"", ""}));
  EXPECT_THAT(list_ranges(files(), at(kDay)), ElementsAre(ListRange{"", ""}));
}

TEST(ListRanges, BeginAtATimeThatFollowsTheLiteralBeginning) {
  auto start = [](std::string_view pattern) {
    Feed feed =
        test::feed(fmt::format("about: x\nunit: {{file: \"{}\", name_time: {{of: t}}}}\ntable: "
                               "{{text: t}}\neffect: append\n",
                               pattern));
    return list_ranges(feed, at(kDay, 14h)).at(0).start_after;
  };
  EXPECT_EQ(start("a/{t:%Y/%m/%d/%H}/*.pq"), "a/2026/10/20/1");
  EXPECT_EQ(start("a/dt={t:%Y-%m-%d}/*"), "a/dt=2026-10-2");
  EXPECT_EQ(start("a/{t:%Y%j}"), "a/202629");
  // The text order of these is not the order of the times.
  EXPECT_EQ(start("a/{t:%d-%m-%Y}/*"), "");
  EXPECT_EQ(start("a/{t:%Y-%-m-%-d}/*"), "");
  EXPECT_EQ(start("a/{t:%s}/*"), "");
  EXPECT_EQ(start("a/{x}/{t:%Y%m%d}/*"), "");
}

TEST(ListRanges, AreNeverOneInsideAnother) {
  Options options{{"table", {.values = {"t"}}},
                  {"pattern", {.values = {"b/*.pq", "a/x/*.pq", "a/*.pq", "a/*.parquet"}}}};
  EXPECT_THAT(list_ranges(test::builtin("files", options)),
              ElementsAre(ListRange{"a/", ""}, ListRange{"b/", ""}));
}

TEST(FileContent, IsTheFileItself) {
  Feed feed = test::feed(kTimed);
  Result<UnitContent> content = file_content(feed, *name(feed, "prices/2026-10-20/9.csv"));
  ASSERT_TRUE(content);
  EXPECT_EQ(content->kind, "file");
  ASSERT_EQ(content->files.size(), 1u);
  EXPECT_EQ(content->files[0].table, "prices");
  EXPECT_EQ(content->files[0].key, "prices/2026-10-20/9.csv");
  EXPECT_EQ(content->files[0].effect, (Effect{.clear_table = false, .put = false}));
}

TEST(FileContent, TakesTheTableFromTheOption) {
  const Feed feed = files();
  Result<UnitContent> content = file_content(feed, *name(feed, "x.parquet"));
  ASSERT_TRUE(content);
  EXPECT_EQ(content->files[0].table, "events");
  EXPECT_FALSE(content->files[0].effect.put);
}

TEST(FileContent, ChoosesTheEffectByACapture) {
  Feed feed = test::feed(R"(
about: x
unit: {file: "{kind}/{n:int}.pq", order: [n]}
table: {text: t}
effect: {by: {capture: kind}, when: {full: {clear: table, then: append}, change: put}}
rows: {key: [id]}
)");
  EXPECT_TRUE(file_content(feed, *name(feed, "full/1.pq"))->files[0].effect.clear_table);
  EXPECT_TRUE(file_content(feed, *name(feed, "change/1.pq"))->files[0].effect.put);
  Result<UnitContent> unknown = file_content(feed, *name(feed, "other/1.pq"));
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::refused);
  EXPECT_EQ(unknown.error().cause, "kind is \"other\", allowed: change, full");
}

TEST(FileContent, RefusesATableNameThatIsNone) {
  Feed feed = test::feed(kTimed);
  UnitName unit = *name(feed, "prices/2026-10-20/9.csv");
  unit.captures.values[0].second = std::string("a\0b", 3);
  EXPECT_EQ(file_content(feed, unit).error().code, ErrorCode::refused);
}

}  // namespace
}  // namespace forebay
