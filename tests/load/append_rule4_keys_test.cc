#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "support/append_fixture.h"

// Aim: FEEDS 2.5, rule 4: one row per key, the newest by time, within a poll and across polls.
// Method: files in a folder, loaded in process.
namespace forebay::test {
namespace {

class AppendKeys : public AppendTest {
 protected:
  AppendKeys()
      : AppendTest({{"time_column", "t"}, {"time_format", "unix_seconds"}, {"primary_key", "k"}}) {}

  // Rows (k, t, note).
  void put_rows(const std::string& key, const std::string& values) {
    put_file(key, "SELECT k, t::BIGINT AS t, note FROM (VALUES " + values + ") v(k, t, note)");
  }
};

TEST_F(AppendKeys, Rule4TheNewestByTimeStaysWithinOnePollWhateverTheOrderOfRows) {  // KEY-2, KEY-3
  put_rows("a.parquet", "('x', 3, 'new'), ('x', 1, 'old'), ('y', 2, 'only')");
  put_rows("b.parquet", "('x', 2, 'middle')");
  const CycleReport report = load();
  EXPECT_EQ(rows(), (Lines{"x|3|new", "y|2|only"}));
  EXPECT_EQ(ignored(report, "collapsed"), 2U);
  EXPECT_EQ(mark(), "unix_seconds s 3");
}

TEST_F(AppendKeys, Rule4AndAcrossPolls) {
  put_rows("a.parquet", "('x', 3, 'first'), ('y', 3, 'stays')");
  load();
  put_rows("b.parquet", "('x', 4, 'second'), ('z', 5, 'new')");
  const CycleReport report = load();
  EXPECT_EQ(rows(), (Lines{"x|4|second", "y|3|stays", "z|5|new"}));
  EXPECT_EQ(report.tables.at("main.events").updated, 1U);
  EXPECT_EQ(report.tables.at("main.events").inserted, 1U);
}

TEST_F(AppendKeys, Rule4ALateOlderRowNeverWinsWhateverTheOverlap) {  // KEY-3
  set("overlap", "1h");
  put_rows("a.parquet", "('x', 100, 'newest')");
  load();
  put_rows("b.parquet", "('x', 99, 'late'), ('y', 50, 'late too, and the first of its key')");
  const CycleReport report = load();
  EXPECT_EQ(rows(), (Lines{"x|100|newest", "y|50|late too, and the first of its key"}));
  EXPECT_EQ(ignored(report, "older"), 1U);
}

TEST_F(AppendKeys, Rule4NorDoesOneThatIsReadBecauseLateRowsAreLoaded) {
  set("late", "load");
  put_rows("a.parquet", "('x', 100, 'newest')");
  load();
  put_rows("b.parquet", "('x', 1, 'late'), ('y', 1, 'late')");
  load();
  EXPECT_EQ(rows(), (Lines{"x|100|newest", "y|1|late"}));
}

TEST_F(AppendKeys, Rule4EqualTimesTheLaterFileThenTheLaterRow) {
  set("boundary", "inclusive");
  put_rows("b.parquet", "('x', 5, 'b, first'), ('x', 5, 'b, second')");
  load();
  EXPECT_EQ(rows(), (Lines{"x|5|b, second"}));
  put_rows("a.parquet", "('x', 5, 'a')");
  load();
  EXPECT_EQ(rows(), (Lines{"x|5|b, second"})) << "a comes before b, whenever it is seen";
  put_rows("c.parquet", "('x', 5, 'c')");
  load();
  EXPECT_EQ(rows(), (Lines{"x|5|c"}));
  put_rows("c.parquet", "('x', 5, 'c, again')");
  load();
  EXPECT_EQ(rows(), (Lines{"x|5|c, again"})) << "of one file what was written later";
}

TEST_F(AppendKeys, Rule4ARewriteNeverRemovesAKey) {
  for (const char* policy : {"append", "replace"}) {
    set("on_rewrite", policy);
    set("table", policy);
    pipeline_.settings.name = policy;
    put_rows("a.parquet", "('x', 1, 'x'), ('y', 2, 'y')");
    load();
    put_rows("a.parquet", "('y', 3, 'y, again')");
    load();
    EXPECT_EQ(query(std::string("SELECT k, t, note FROM main.") + policy + " ORDER BY k"),
              (Lines{"x|1|x", "y|3|y, again"}))
        << policy;
  }
}

TEST_F(AppendKeys, Rule4ARowWithoutATimeIsOlderThanAnyOther) {
  put_rows("a.parquet", "('x', 1, 'has a time'), ('y', NULL, 'has none')");
  load();
  put_rows("b.parquet", "('x', NULL, 'has none'), ('y', 2, 'has a time now')");
  load();
  EXPECT_EQ(rows(), (Lines{"x|1|has a time", "y|2|has a time now"}));
}

TEST_F(AppendKeys, Rule4ARowWithoutAKeyIsRefused) {  // KEY-1
  put_rows("a.parquet", "('x', 1, 'good')");
  put_rows("b.parquet", "(NULL, 2, 'bad')");
  load(5);
  EXPECT_EQ(rows(), (Lines{"x|1|good"}));
}

TEST_F(AppendKeys, Rule4AKeyOfSeveralColumns) {
  pipeline_.settings.more["primary_key"] = {
      .values = {"k", "part"}, .is_list = true, .where = "test"};
  std::erase_if(pipeline_.settings.options,
                [](const auto& option) { return option.first == "primary_key"; });
  put_file("a.parquet", "SELECT 'x' AS k, unnest([1, 2]) AS part, 5::BIGINT AS t, 'old' AS note");
  load();
  put_file("b.parquet", "SELECT 'x' AS k, 2 AS part, 6::BIGINT AS t, 'new' AS note");
  load();
  EXPECT_EQ(rows(), (Lines{"x|1|5|old", "x|2|6|new"}));
}

// Texts of equal instants, and texts whose order as text is not that of their times.
TEST_F(AppendKeys, Rule4TextsAreComparedAsTheTimesTheyMean) {
  set("time_format", "iso8601");
  set("overlap", "1d");
  put_file("a.parquet",
           "SELECT * FROM (VALUES ('x', '2026-01-01T12:00:00Z', 'noon'), "
           "('y', '2026-01-01T12:00:00.5Z', 'half a second later')) v(k, t, note)");
  load();
  put_file("b.parquet",
           "SELECT * FROM (VALUES ('x', '2026-01-01T13:30:00+02:00', 'half an hour before'), "
           "('y', '2026-01-01T12:00:00Z', 'noon')) v(k, t, note)");
  load();
  EXPECT_EQ(column("note"), (Lines{"half a second later", "noon"}));
  put_file("c.parquet",
           "SELECT 'x' AS k, '2026-01-01T06:00:01-06:00' AS t, 'a second later' AS note");
  load();
  EXPECT_EQ(column("note"), (Lines{"a second later", "half a second later"}));
}

TEST_F(AppendKeys, Rule4ByTheTimeOfTheFile) {
  set("time_column", "last_modified");
  std::erase_if(pipeline_.settings.options,
                [](const auto& option) { return option.first == "time_format"; });
  const auto put_at = [&](const std::string& key, int hours, const std::string& note) {
    put_file(key, "SELECT 'x' AS k, '" + note + "' AS note");
    std::filesystem::last_write_time(
        folder_ / ("in/" + key),
        std::filesystem::file_time_type::clock::now() - std::chrono::hours(100 - hours));
  };
  put_at("b.parquet", 2, "second");
  load();
  put_at("a.parquet", 3, "third");
  load();
  EXPECT_EQ(column("note"), (Lines{"third"}));
  put_at("c.parquet", 1, "first");
  load();
  EXPECT_EQ(column("note"), (Lines{"third"})) << "copied with an old time";
}

TEST_F(AppendKeys, Rule4RetentionAppliesToKeysToo) {
  keep_for("1d");
  put_rows("a.parquet", "('x', 1, 'long ago')");
  load();
  EXPECT_EQ(rows(), Lines{});
  EXPECT_EQ(mark(), "unix_seconds s 1");
}

}  // namespace
}  // namespace forebay::test
