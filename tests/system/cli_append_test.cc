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

// Aim: whatever step a load of a window dies or fails at, its rows, whose rows they are and the
// mark are right after the next one. Method: a file that was rewritten and one whose rows come
// again in another; each fault at each step, on a copy of the database as it was before.
class AppendFaults : public CliAppend {
 protected:
  AppendFaults() {
    configure_append("    overlap: 1h\n");
    put_times("a.parquet", "1, 5");
    put_times("gone.parquet", "3");
    pipeline({"load"}, 0);
    std::filesystem::copy_file(folder_ / "w.duckdb", folder_ / "before.duckdb");
    put_times("a.parquet", "1, 5, 5, 7");
    std::filesystem::remove(folder_ / "in/gone.parquet");
    put_times("h.parquet", "3, 9");
  }

  void start_over() {
    for (const char* name : {"w.duckdb", "w.duckdb.wal"}) std::filesystem::remove(folder_ / name);
    std::filesystem::copy_file(folder_ / "before.duckdb", folder_ / "w.duckdb");
  }

  ProgramResult load_with(const std::string& fault) {
    environment_["FOREBAY_FAULT"] = fault;
    ProgramResult result = run({"load"});
    environment_.erase("FOREBAY_FAULT");
    return result;
  }

  void expect_all() {
    EXPECT_EQ(query("SELECT t, f.store_key FROM main.events e JOIN "
                    "_forebay.file_log f ON f.file_id = e._forebay_file ORDER BY t"),
              (Lines{"1|a.parquet", "3|h.parquet", "5|a.parquet", "5|a.parquet", "7|a.parquet",
                     "9|h.parquet"}));
    EXPECT_EQ(query("SELECT arg_max(mark, commit_no) FROM _forebay.commits"),
              (Lines{"unix_seconds s 9"}));
  }
};

TEST_F(AppendFaults, EveryStepMayDieOrFailOnce) {
  const std::string counted = load_with("count").err;
  const std::string total = "fault points reached: ";
  ASSERT_THAT(counted, HasSubstr(total));
  const long points = std::stol(counted.substr(counted.find(total) + total.size()));
  expect_all();
  ASSERT_GT(points, 5);
  for (const char* kind : {"crash", "error"}) {
    for (long k = 1; k <= points; ++k) {
      SCOPED_TRACE(kind + std::to_string(k));
      start_over();
      const int code = load_with(std::string(kind) + ":" + std::to_string(k)).code;
      EXPECT_TRUE(code == 137 || code == 2 || code == 0) << code;
      EXPECT_EQ(run({"load"}).code, 0);
      expect_all();
    }
  }
}

TEST_F(AppendFaults, ACommitThatReportsAnErrorAndIsDurableIsCounted) {  // CONC-1
  EXPECT_EQ(load_with("errors:apply.committed").code, 0);
  expect_all();
  EXPECT_EQ(document({"load"}, 0)["outcome"], "nothing_new");
}

}  // namespace
}  // namespace forebay::test
