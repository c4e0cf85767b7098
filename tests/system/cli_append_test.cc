// The feed `append` through the real program (FEEDS 2.5): what the other commands say of windows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "support/cli_fixture.h"

namespace forebay::test {
namespace {

using testing::HasSubstr;

class CliAppend : public CliFilesTest {
 protected:
  CliAppend() { configure_append(""); }

  void configure_append(const std::string& more) {
    folder_.write("forebay.yaml",
                  "target: duckdb:w.duckdb\npipelines:\n  events:\n    source: ./in/\n"
                  "    feed: append\n    table: events\n    time_column: t\n"
                  "    time_format: unix_seconds\n    settle: 0s\n" +
                      more);
  }

  void put_times(const std::string& key, const std::string& times) {
    const std::string path = folder_ / ("in/" + key);
    std::filesystem::remove(path);
    make_parquet(path, "SELECT unnest([" + times + "]::BIGINT[]) AS t");
  }

  Lines times() const { return query("SELECT t FROM main.events ORDER BY t"); }
};

TEST_F(CliAppend, LoadsWhatIsAboveTheMarkAndSaysWhatWasLate) {
  put_times("a.parquet", "1, 5");
  pipeline({"load"}, 0);
  put_times("b.parquet", "4, 6");
  const Json loaded = pipeline({"load"}, 0);
  EXPECT_THAT(loaded["warnings"].dump(),
              HasSubstr("1 rows of 1 new files are not above the mark and were left out"));
  EXPECT_EQ(times(), (Lines{"1", "5", "6"}));
  EXPECT_EQ(document({"load"}, 0)["outcome"], "nothing_new");
  EXPECT_THAT(run({"history", "events"}).out, HasSubstr("window"));
}

TEST_F(CliAppend, VerifyComparesTheNewestVersionOfAFileAndTheRowsThatStoodLast) {
  put_times("a.parquet", "1, 5");
  pipeline({"load"}, 0);
  put_times("a.parquet", "1, 5, 6");
  put_times("b.parquet", "7");
  pipeline({"load"}, 0);
  EXPECT_EQ(pipeline({"verify"}, 0)["differences"], Json::array());
  EXPECT_THAT(run({"verify", "--deep"}).err, HasSubstr("depends on the mark"));
  run_in_database(folder_ / "w.duckdb", "DELETE FROM main.events WHERE t = 7");
  EXPECT_EQ(pipeline({"verify"}, 3)["differences"].size(), 1U);
}

TEST_F(CliAppend, ResetOfItsTableForgetsTheMark) {
  put_times("a.parquet", "1, 5");
  pipeline({"load"}, 0);
  pipeline({"reset", "events", "--table", "events", "--drop-tables", "--yes"}, 0);
  pipeline({"load"}, 0);
  EXPECT_EQ(times(), (Lines{"1", "5"}));
}

// Rows of a refused file are read from the mark of that time once it is mended.
TEST_F(CliAppend, QuarantineRetryLosesNothing) {
  put_times("a.parquet", "1");
  pipeline({"load"}, 0);
  folder_.write("in/b.parquet", "not Parquet, however long it may be");
  put_times("c.parquet", "9");
  document({"load"}, 3);
  put_times("b.parquet", "2, 3");
  pipeline({"load"}, 0);
  EXPECT_EQ(times(), (Lines{"1", "2", "3", "9"}));
}

TEST_F(CliAppend, BackfillTakesFilesOfADateAndLeavesTheMark) {
  put_times("a.parquet", "1, 5");
  pipeline({"load"}, 0);
  put_times("b.parquet", "6");
  pipeline({"backfill", "events", "--all"}, 0);
  EXPECT_EQ(times(), (Lines{"1", "5", "6"}));
  EXPECT_EQ(query("SELECT arg_max(mark, commit_no) FROM _forebay.commits"),
            (Lines{"unix_seconds s 5"}));
  put_times("c.parquet", "7");
  pipeline({"load"}, 0);
  EXPECT_EQ(times(), (Lines{"1", "5", "6", "7"}));
}

TEST_F(CliAppend, RetentionAndPartitionAreRead) {
  configure_append("    retention: {period: 90d}\n    overlap: 1h\n");
  put_times("a.parquet", "1, 5");
  pipeline({"load"}, 0);
  EXPECT_EQ(times(), Lines{});
  configure_append("    retention: {perod: 90d}\n");
  EXPECT_THAT(run({"load"}).err, HasSubstr("perod"));
  EXPECT_EQ(run({"load"}).code, 1);
}

TEST_F(CliAppend, InspectPrintsAConfigurationThatLoads) {
  put_times("a.parquet", "1, 5");
  put_times("b.parquet", "6");
  const ProgramResult inspected = run({"inspect", "./in/", "--feed", "append"});
  ASSERT_EQ(inspected.code, 0) << inspected.err;
  folder_.write("forebay.yaml", inspected.out);
  const Json loaded = pipeline({"load"}, 0);
  EXPECT_EQ(loaded["rows"], 3) << loaded;
  EXPECT_EQ(run({"inspect", "./in/", "--feed", "rollerup"}).code, 1);
}

TEST_F(CliAppend, InspectSaysThatATableOfAnotherFormatIsNotReadAsOne) {  // KEY-11
  put_times("data-a.parquet", "1");
  std::filesystem::create_directories(folder_ / "in/metadata");
  folder_.write("in/metadata/v1.metadata.json", "{}");
  EXPECT_THAT(run({"inspect", "./in/"}).out, HasSubstr("is an Iceberg table"));
}

}  // namespace
}  // namespace forebay::test
