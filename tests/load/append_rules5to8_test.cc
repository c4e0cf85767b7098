#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "support/append_fixture.h"
#include "support/parquet_maker.h"

// Aim: FEEDS 2.5, rules 5, 6 and 8: what is not opened, the time of the file, and retention.
// Method: files in a folder, loaded in process.
namespace forebay::test {
namespace {

class AppendFiles : public AppendTest {
 protected:
  AppendFiles() : AppendTest({{"time_column", "t"}, {"time_format", "unix_seconds"}}) {}
};

TEST_F(AppendFiles, Rule5AFileThatIsKnownAndUnchangedIsNotOpened) {
  put_numbers("a.parquet", {1});
  load();
  const std::filesystem::path path = folder_ / "in/a.parquet";
  const auto written = std::filesystem::last_write_time(path);
  // Other bytes of the same length and time: only a file that is opened shows them.
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 4);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) + 4);
  std::filesystem::last_write_time(path, written);
  put_numbers("b.parquet", {2});
  EXPECT_EQ(load().files, 1U);
  EXPECT_EQ(column(), (Lines{"1", "2"}));
}

TEST_F(AppendFiles, Rule5AFileInAPartitionBelowTheMarkIsNotOpened) {
  set("time_partition_column", "dt");
  put_numbers("dt=2026-01-02/a.parquet", {1767312000});
  load();
  std::filesystem::create_directories(folder_ / "in/dt=2026-01-01");
  folder_.write("in/dt=2026-01-01/late.parquet", "not even Parquet");
  put_numbers("dt=2026-01-02/b.parquet", {1767312001});
  const CycleReport report = load();
  EXPECT_TRUE(warns(report, "late.parquet was not read: its partition dt=2026-01-01 lies before"))
      << text(report);
  EXPECT_EQ(column(), (Lines{"1767312000", "1767312001"}));
  EXPECT_EQ(mark(), "unix_seconds s 1767312001");
  EXPECT_EQ(load().outcome, Outcome::nothing_new) << "it is told once";
}

// Two of three row groups lie below the mark; reading the second one would fail.
TEST_F(AppendFiles, Rule5ARowGroupBelowTheMarkIsNotRead) {
  put_numbers("a.parquet", {4095});
  load();
  put_file("b.parquet", "SELECT i::BIGINT AS t, 'x' AS s FROM range(6144) r(i)",
           "ROW_GROUP_SIZE 2048");
  const std::string path = folder_ / "in/b.parquet";
  const auto group = [&](const char* what, int number) {
    return std::stoll(sql_value(fmt::format(
        "SELECT {} FROM parquet_metadata('{}') WHERE row_group_id = {}", what, path, number)));
  };
  {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(group("min(coalesce(dictionary_page_offset, data_page_offset))", 1));
    const auto end = group("min(coalesce(dictionary_page_offset, data_page_offset))", 2);
    while (file.tellp() < end) file.put('\x55');
  }
  const CycleReport report = load();
  EXPECT_EQ(ignored(report, "late"), 4096U);
  EXPECT_TRUE(warns(report, "b.parquet, whose times begin at 0")) << text(report);
  EXPECT_EQ(query("SELECT count(*), min(t), max(t) FROM main.events"), (Lines{"2049|4095|6143"}));
}

TEST_F(AppendFiles, Rule5PlanSaysWhichFilesAreNotRead) {
  set("time_partition_column", "dt");
  put_numbers("dt=2026-01-02/a.parquet", {1767312000});
  load();
  put_numbers("dt=2026-01-01/late.parquet", {1767312000});
  const auto plan = pipeline_.plan();
  ASSERT_TRUE(plan) << describe(plan.error());
  ASSERT_EQ(plan->units.size(), 1U);
  EXPECT_TRUE(plan->units[0].unit.why.contains("not to be read: its partition dt=2026-01-01"))
      << plan->units[0].unit.why;
}

TEST_F(AppendFiles, Rule5PlanSaysHowManyRowGroupsAreNotRead) {
  put_numbers("a.parquet", {4095});
  load();
  const auto warnings = [&] {
    const auto plan = pipeline_.plan();
    EXPECT_TRUE(plan) << describe(plan.error());
    return fmt::format("{}", fmt::join(plan->warnings, "\n"));
  };
  put_file("b.parquet", "SELECT i::BIGINT AS t FROM range(6144) r(i)", "ROW_GROUP_SIZE 2048");
  EXPECT_EQ(warnings(),
            "main.events: 2 of 3 row groups of 1 files hold nothing above unix_seconds s 4095 and "
            "are not read");
  const auto plan = pipeline_.plan();
  ASSERT_EQ(plan->statements.size(), 1U);
  EXPECT_EQ(plan->statements[0].sql,
            "INSERT INTO \"main\".\"events\" SELECT * FROM read_parquet([1 files]) WHERE "
            "(\"t\" > 4095::BIGINT OR \"t\" IS NULL)");
  // A row without a time is loaded, wherever it stands.
  put_file("b.parquet", "SELECT CASE WHEN i <> 7 THEN i END::BIGINT AS t FROM range(6144) r(i)",
           "ROW_GROUP_SIZE 2048");
  EXPECT_TRUE(warnings().contains("1 of 3 row groups")) << warnings();
  load();
  EXPECT_EQ(query("SELECT count(*), count(t) FROM main.events"), (Lines{"2050|2049"}));
}

// The greatest unsigned numbers are no negative ones in the statistics either.
TEST_F(AppendFiles, Rule5StatisticsOfUnsignedNumbersAreReadAsSuch) {
  put_file("a.parquet", "SELECT 5::UBIGINT AS t");
  load();
  put_file("b.parquet", "SELECT unnest([6, 9223372036854775806])::UBIGINT AS t");
  load();
  EXPECT_EQ(column(), (Lines{"5", "6", "9223372036854775806"}));
}

class AppendParts : public AppendTest {
 protected:
  AppendParts() { set("time_partition_column", "day"); }
  // A row a minute from a time on, with the day as a column.
  void put_minutes(const std::string& key, const std::string& from, int minutes,
                   const std::string& options = "") {
    put_file(
        key,
        fmt::format("SELECT TIMESTAMP '{0}' + i * INTERVAL 1 MINUTE AS t, (TIMESTAMP '{0}' + i "
                    "* INTERVAL 1 MINUTE)::DATE AS day FROM range({1}) r(i)",
                    from, minutes),
        options);
  }
};

TEST_F(AppendParts, Rule5APartitionThatIsAColumnLosesNoRowThatIsNew) {
  for (const char* grain : {"day", "month", "year"}) {
    set("time_partition_grain", grain);
    set("table", std::string("by_") + grain);
    pipeline_.settings.name = grain;
    put_minutes("a.parquet", "2026-01-01 00:00:00", 1500);
    load();
    put_minutes("a.parquet", "2026-01-01 00:00:00", 3000, "ROW_GROUP_SIZE 2048");
    load();
    EXPECT_EQ(
        query(fmt::format("SELECT count(*), count(DISTINCT t), max(day) FROM main.by_{}", grain)),
        (Lines{"3000|3000|2026-01-03"}));
    remove_file("a.parquet");
  }
}

TEST_F(AppendParts, Rule5RowsWithoutAPartitionAreReadAndRowsOfAnEarlierOneAreLate) {
  put_minutes("a.parquet", "2026-01-02 00:00:00", 1);
  load();
  put_file("b.parquet",
           "SELECT TIMESTAMP '2026-01-02 12:00:00' AS t, unnest([DATE '2026-01-01', DATE "
           "'2026-01-02', NULL]) AS day");
  const CycleReport report = load();
  EXPECT_EQ(ignored(report, "late"), 1U);
  EXPECT_EQ(rows(), (Lines{"2026-01-02 00:00:00|2026-01-02", "2026-01-02 12:00:00|2026-01-02",
                           "2026-01-02 12:00:00|null"}));
}

TEST_F(AppendParts, Rule5APartitionThatIsNoTimeIsDrift) {
  put_file("a.parquet", "SELECT TIMESTAMP '2026-01-02' AS t, DATE '2026-01-02' AS day");
  load();
  put_file("b.parquet", "SELECT TIMESTAMP '2026-01-03' AS t, 5 AS other");
  load();
  set("time_partition_column", "other");
  put_file("c.parquet", "SELECT TIMESTAMP '2026-01-04' AS t, 5 AS other");
  const CycleReport report = load(4);
  EXPECT_TRUE(text(report).contains("'other'")) << text(report);
}

class AppendFileTime : public AppendTest {
 protected:
  AppendFileTime() : AppendTest({{"time_column", "last_modified"}}) {}
};

TEST_F(AppendFileTime, Rule6TakesNewAndChangedFilesAndReplacesRewrittenOnes) {
  put_file("a.parquet", "SELECT unnest([1, 2]) AS n");
  put_file("b.parquet", "SELECT 3 AS n");
  load();
  EXPECT_EQ(column("n"), (Lines{"1", "2", "3"}));
  put_file("a.parquet", "SELECT unnest([2, 4]) AS n");
  load();
  EXPECT_EQ(column("n"), (Lines{"2", "3", "4"}));
  EXPECT_EQ(load().outcome, Outcome::nothing_new);
}

// MISS-1, MISS-10: a file whose time lies before that of one that was loaded.
// CLOCK-3, likewise.
TEST_F(AppendFileTime, Rule6AFileWithAnOldTimeIsNotMissed) {
  put_file("a.parquet", "SELECT 1 AS n");
  load();
  put_file("b.parquet", "SELECT 2 AS n");
  const std::filesystem::path path = folder_ / "in/b.parquet";
  std::filesystem::last_write_time(path,
                                   std::filesystem::last_write_time(path) - std::chrono::hours(99));
  load();
  EXPECT_EQ(column("n"), (Lines{"1", "2"}));
}

TEST_F(AppendFileTime, Rule6AColumnOfThatNameWins) {
  put_file("a.parquet", "SELECT TIMESTAMP '2026-01-02' AS last_modified");
  load();
  put_file("b.parquet",
           "SELECT unnest([TIMESTAMP '2026-01-01', TIMESTAMP '2026-01-03']) AS "
           "last_modified");
  load();
  EXPECT_EQ(column("last_modified"), (Lines{"2026-01-02 00:00:00", "2026-01-03 00:00:00"}));
}

TEST_F(AppendFileTime, Rule6AColumnOfThatNameThatComesLaterIsRefused) {
  put_file("a.parquet", "SELECT 1 AS n");
  load();
  put_file("b.parquet", "SELECT 2 AS n, TIMESTAMP '2026-01-03' AS last_modified");
  load(4);
  EXPECT_EQ(column("n"), (Lines{"1"}));
}

TEST_F(AppendFiles, Rule6ARewrittenFileGivesItsRowsAboveTheMark) {
  put_numbers("a.parquet", {1, 2, 3});
  load();
  put_numbers("a.parquet", {1, 4});
  load();
  EXPECT_EQ(column(), (Lines{"1", "2", "3", "4"}));
}

TEST_F(AppendFiles, Rule6OnRewriteReplaceTakesItsOldRowsBack) {
  set("on_rewrite", "replace");
  put_numbers("a.parquet", {1, 2, 3});
  put_numbers("b.parquet", {2});
  load();
  put_numbers("a.parquet", {1, 4});
  load();
  put_numbers("a.parquet", {1, 5});
  load();
  EXPECT_EQ(column(), (Lines{"1", "2", "5"}));
}

TEST_F(AppendFiles, Rule6TheFileTimeAsPartitionPrunesNothingMore) {
  set("time_partition_column", "last_modified");
  put_numbers("a.parquet", {1});
  load();
  put_numbers("b.parquet", {2});
  load();
  EXPECT_EQ(column(), (Lines{"1", "2"}));
}

TEST_F(AppendFiles, Rule8RetentionDeletesOldRowsAndNeverMovesTheMark) {
  keep_for("1d");
  const auto now =
      std::chrono::duration_cast<std::chrono::seconds>(pipeline_.clock().now().time_since_epoch())
          .count();
  put_file("a.parquet", "SELECT unnest([1, NULL, " + std::to_string(now - 2 * 86'400) + ", " +
                            std::to_string(now - 3'600) + "]::BIGINT[]) AS t");
  load();
  EXPECT_EQ(column(), (Lines{std::to_string(now - 3'600), "null"}));
  const std::string before = mark();
  EXPECT_EQ(before, "unix_seconds s " + std::to_string(now - 3'600));
  EXPECT_EQ(load().outcome, Outcome::nothing_new);
  EXPECT_EQ(query("SELECT count(*) FROM _forebay.commits"), (Lines{"2"}))
      << "idle cycles write nothing";
  pipeline_.clock().advance(std::chrono::hours(48));
  load();
  EXPECT_EQ(column(), (Lines{"null"}));
  EXPECT_EQ(mark(), before);
  put_file("b.parquet", "SELECT unnest([1, " + std::to_string(now + 7'200) + "]::BIGINT[]) AS t");
  load();
  EXPECT_EQ(mark(), "unix_seconds s " + std::to_string(now + 7'200));
}

TEST_F(AppendFileTime, Rule8RetentionByTheTimeOfTheFile) {
  keep_for("1w");
  put_file("a.parquet", "SELECT 1 AS n");
  load();
  EXPECT_EQ(column("n"), Lines{}) << "the clock stands years after the file was written";
}

}  // namespace
}  // namespace forebay::test
