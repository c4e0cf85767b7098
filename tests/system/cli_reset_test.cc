// `forebay reset` through the real program: the ledger forgets, nothing in it is changed, and no id
// is used again (CONTRACT 1 and 3).
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "support/cli_fixture.h"

namespace forebay::test {
namespace {

using testing::HasSubstr;

class Reset : public CliFilesTest {
 protected:
  Reset() {
    put_file("a.parquet", 1);
    put_file("b.parquet", 2);
    EXPECT_EQ(pipeline({"load"}, 0)["units"]["applied"], 2);
  }
};

TEST_F(Reset, NeedsYesWhereNobodyCanBeAsked) {
  EXPECT_EQ(pipeline({"reset", "events"}, 1)["error"]["code"], "invalid_config");
  EXPECT_THAT(run({"reset", "events"}).err, HasSubstr("--yes"));
  EXPECT_EQ(document({"load"}, 0)["outcome"], "nothing_new");
}

TEST_F(Reset, LoadsEverythingAnewIntoNewTables) {
  EXPECT_EQ(pipeline({"reset", "events", "--drop-tables", "--yes"}, 0)["tables"],
            (Json{"main.events"}));
  EXPECT_EQ(query("SELECT count(*) FROM _forebay.files WHERE state = 'live'"), (Lines{"0"}));
  EXPECT_EQ(pipeline({"status"}, 0)["newest_unit"], nullptr);
  EXPECT_EQ(pipeline({"history", "events"}, 0)["history"], Json::array());
  EXPECT_EQ(pipeline({"load"}, 0)["units"]["applied"], 2);
  EXPECT_EQ(rows(), (Lines{"1", "2"}));
  EXPECT_EQ(query("SELECT count(*), count(DISTINCT file_id), max(file_id) FROM _forebay.files"),
            (Lines{"4|4|4"}))
      << "ids are never used again, and entries stay";
  EXPECT_EQ(query("SELECT commit_no FROM _forebay.commits ORDER BY 1").size(), 3U);
  EXPECT_EQ(pipeline({"verify", "--deep"}, 0)["differences"], Json::array());
}

TEST_F(Reset, WithoutDroppingTheTablesAreForeign) {
  pipeline({"reset", "events", "--yes"}, 0);
  EXPECT_EQ(rows(), (Lines{"1", "2"}));
  EXPECT_EQ(pipeline({"load"}, 5)["error"]["code"], "refused");
  run_in_database(folder_ / "w.duckdb", "ALTER TABLE main.events RENAME TO events_old");
  EXPECT_EQ(pipeline({"load"}, 0)["units"]["applied"], 2);
}

TEST_F(Reset, LetsWhatIsFixedBeChanged) {
  std::filesystem::rename(folder_ / "in", folder_ / "elsewhere");
  folder_.write("forebay.yaml",
                "target: duckdb:w.duckdb\npipelines:\n  events:\n    source: ./elsewhere/\n"
                "    feed: files\n    table: events\n    settle: 0s\n");
  pipeline({"load"}, 5);
  pipeline({"reset", "events", "--drop-tables", "--yes"}, 0);
  EXPECT_EQ(pipeline({"load"}, 0)["units"]["applied"], 2);
}

TEST_F(Reset, ATableThatWasDroppedByHandComesBack) {
  run_in_database(folder_ / "w.duckdb", "DROP TABLE main.events");
  put_file("c.parquet", 3);
  pipeline({"load"}, 5);
  pipeline({"reset", "events", "--table", "events", "--yes"}, 0);
  EXPECT_EQ(pipeline({"load"}, 0)["units"]["applied"], 3);
  EXPECT_EQ(rows(), (Lines{"1", "2", "3"}));
  EXPECT_EQ(document({"load"}, 0)["outcome"], "nothing_new");
}

TEST_F(Reset, OtherPipelinesKeepTheirLedger) {
  folder_.write("forebay.yaml",
                "target: duckdb:w.duckdb\npipelines:\n"
                "  events: {source: ./in/, feed: files, table: events, settle: 0s}\n"
                "  second: {source: ./in/, feed: files, table: second, settle: 0s}\n");
  document({"load"}, 0);
  pipeline({"reset", "events", "--drop-tables", "--yes"}, 0);
  const Json loaded = document({"load"}, 0);
  EXPECT_EQ(loaded["pipelines"][0]["units"]["applied"], 2);
  EXPECT_EQ(loaded["pipelines"][1]["units"]["already_applied"], 2);
}

TEST_F(Reset, MistakesOfUsageAreOne) {
  pipeline({"reset", "events", "--table", "nothing", "--yes"}, 1);
  EXPECT_EQ(run({"reset"}).code, 1);
  EXPECT_EQ(run({"reset", "nothing", "--yes"}).code, 1);
}

TEST_F(CliFilesTest, ResetOfATableForgetsItsHistoryToo) {
  configure("    primary_key: [k]\n    version: [v]\n    keep: both\n");
  const auto put_version = [&](const char* name, int version) {
    make_parquet(folder_ / fmt::format("in/{}.parquet", name),
                 fmt::format("SELECT 1 AS k, {} AS v", version));
  };
  put_version("b", 2);
  put_version("a", 1);
  pipeline({"load"}, 0);
  const auto check = [&] {
    EXPECT_EQ(query("SELECT k, v FROM events"), (Lines{"1|2"}));
    EXPECT_EQ(query("SELECT v, _forebay_op FROM events__history ORDER BY v"),
              (Lines{"1|put", "2|put"}));
    EXPECT_EQ(pipeline({"verify", "--deep"}, 0)["differences"], Json::array());
  };
  check();
  pipeline({"reset", "events", "--table", "events__history", "--drop-tables", "--yes"}, 1);
  pipeline({"reset", "events", "--table", "events", "--drop-tables", "--yes"}, 0);
  EXPECT_THAT(query("SELECT table_name FROM duckdb_tables() WHERE schema_name = 'main'"),
              testing::IsEmpty());
  EXPECT_EQ(pipeline({"load"}, 0)["units"]["applied"], 2);
  check();
}

// Of a unit with several tables only the files of the table that was reset are loaded again.
TEST_F(CliFilesTest, ResetOfOneTableLeavesTheOthersOfItsUnits) {
  configure_carwash(4);
  pipeline({"load"}, 0);
  const std::string all = "SELECT * EXCLUDE (_forebay_file) FROM raw.customers ORDER BY ALL";
  const Lines customers = query(all);
  const std::string others =
      "SELECT file_id FROM _forebay.files WHERE table_name <> 'customers' ORDER BY 1";
  const Lines files = query(others);
  ASSERT_FALSE(customers.empty());
  ASSERT_FALSE(files.empty());
  pipeline({"reset", "carwash", "--table", "customers", "--drop-tables", "--yes"}, 0);
  pipeline({"load"}, 0);
  EXPECT_EQ(query(all), customers);
  EXPECT_EQ(query(others), files);
  EXPECT_EQ(pipeline({"verify", "--deep"}, 0)["differences"], Json::array());
  EXPECT_EQ(document({"load"}, 0)["outcome"], "nothing_new");
}

}  // namespace
}  // namespace forebay::test
