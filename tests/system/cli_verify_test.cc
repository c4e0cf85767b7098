// `forebay verify` through the real program: every way in which bucket, ledger and tables can
// disagree is found, and nothing else (CONTRACT 1).
#include <gmock/gmock.h>

#include "support/cli_fixture.h"

namespace forebay::test {
namespace {

using testing::HasSubstr;

class Verify : public CliFilesTest {
 protected:
  Verify() {
    put_file("a.parquet", 1);
    put_file("b.parquet", 2);
    EXPECT_EQ(pipeline({"load"}, 0)["units"]["applied"], 2);
  }
  // The kinds of the differences, in their order.
  Lines kinds(const std::vector<std::string>& options = {}, int code = 3) {
    std::vector<std::string> arguments = {"verify", "events"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Json found = pipeline(arguments, code);
    EXPECT_EQ(found["agrees"], code == 0) << found;
    Lines kinds;
    for (const Json& difference : found["differences"]) kinds.push_back(difference["kind"]);
    return kinds;
  }
  void change(const std::string& sql) { run_in_database(folder_ / "w.duckdb", sql); }
};

TEST_F(Verify, WhatAgreesIsZero) {
  EXPECT_EQ(kinds({}, 0), Lines{});
  EXPECT_EQ(kinds({"--deep"}, 0), Lines{});
  const Json found = pipeline({"verify"}, 0);
  EXPECT_EQ(found["keys_listed"], 2);
  EXPECT_EQ(found["tables"], 1);
  EXPECT_EQ(found["rows"], 2);
  EXPECT_THAT(run({"verify"}).out, HasSubstr("agree"));
}

TEST_F(Verify, FindsAFileThatWasNeverLoaded) {
  put_file("c.parquet", 3);
  EXPECT_EQ(kinds(), (Lines{"never loaded"}));
}

TEST_F(Verify, FindsALoadedFileThatIsGoneUnlessTheFeedSaysSo) {
  std::filesystem::remove(folder_ / "in/a.parquet");
  EXPECT_EQ(kinds(), (Lines{"gone"}));
  configure("    kept: false\n");
  EXPECT_EQ(kinds({}, 0), Lines{});
  EXPECT_EQ(pipeline({"verify"}, 0)["gone"], 1);
}

TEST_F(Verify, FindsALoadedFileThatChanged) {
  put_file("a.parquet", 10);
  EXPECT_EQ(kinds(), (Lines{"changed"}));
  pipeline({"load"}, 0);
  EXPECT_EQ(kinds(), (Lines{"changed"})) << "on_rewrite: warn leaves it so";
}

TEST_F(Verify, TheSameBytesWrittenAgainAreNoDifference) {
  put_file("a.parquet", 1);
  pipeline({"load"}, 0);
  EXPECT_EQ(kinds({}, 0), Lines{});
  EXPECT_EQ(kinds({"--deep"}, 0), Lines{});
}

TEST_F(Verify, FindsRowsThatWentAndRowsThatCame) {
  change("DELETE FROM main.events WHERE n = 1");
  EXPECT_EQ(kinds(), (Lines{"rows differ", "rows differ"})) << "of the table, and of the file";
  change("INSERT INTO main.events SELECT * FROM main.events");
  EXPECT_EQ(kinds(), (Lines{"rows differ", "rows differ"})) << "the sum alone would not show it";
}

TEST_F(Verify, FindsOtherValuesOnlyWhenItLooksDeep) {
  change("UPDATE main.events SET n = 7 WHERE n = 1");
  EXPECT_EQ(kinds({}, 0), Lines{});
  EXPECT_EQ(kinds({"--deep"}), (Lines{"content differs"}));
}

TEST_F(Verify, FindsAColumnThatSomebodyDroppedWhenItLooksDeep) {
  folder_.write("in/c.csv", "n,note\n3,kept\n");
  pipeline({"load"}, 0);
  EXPECT_EQ(kinds({"--deep"}, 0), Lines{});
  change("ALTER TABLE main.events DROP COLUMN note");
  EXPECT_EQ(kinds({"--deep"}), (Lines{"content differs"}));
}

TEST_F(Verify, FindsATableThatIsNotThere) {
  change("DROP TABLE main.events");
  EXPECT_EQ(kinds(), (Lines{"table missing"}));
}

TEST_F(Verify, AFolderThatCannotBeReadIsAnError) {
  std::filesystem::remove_all(folder_ / "in");
  EXPECT_EQ(pipeline({"verify"}, 1)["error"]["code"], "not_found");
}

TEST_F(Verify, AQuarantinedFileIsKnownAndNoDifference) {
  folder_.write("in/c.parquet", "not Parquet at all");
  pipeline({"load"}, 3);
  EXPECT_EQ(kinds({}, 0), Lines{});
  EXPECT_EQ(pipeline({"verify"}, 0)["units"]["quarantined"], 1);
}

TEST_F(CliFilesTest, VerifyRecomputesTablesOfKeysAndSnapshots) {
  configure_carwash(4);
  pipeline({"load"}, 0);
  EXPECT_EQ(pipeline({"verify", "--deep"}, 0)["differences"], Json::array());
  run_in_database(folder_ / "w.duckdb",
                  "DELETE FROM raw.customers WHERE rowid = (SELECT min(rowid) FROM raw.customers)");
  EXPECT_EQ(pipeline({"verify"}, 3)["differences"][0]["kind"], "rows differ");
  EXPECT_EQ(pipeline({"verify", "--deep"}, 3)["differences"].size(), 2U);
}

}  // namespace
}  // namespace forebay::test
