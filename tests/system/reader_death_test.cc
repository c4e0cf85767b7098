// Aim: a file at which the reader kills the process takes nothing down for good: it is found and
// set aside, and everything else is loaded. Method: the program gets SIGSEGV whenever it begins to
// read a unit of that name.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "support/cli_fixture.h"

namespace forebay::test {
namespace {

class ReaderDeath : public CliFilesTest {
 protected:
  static constexpr int kDied = 128 + SIGSEGV;

  ReaderDeath() { environment_["FOREBAY_FAULT"] = "dies:c.parquet"; }
  std::size_t notes() const {
    const std::filesystem::path staging = folder_ / "w.duckdb.staging";
    if (!std::filesystem::exists(staging)) return 0;
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(staging), {}));
  }
};

TEST_F(ReaderDeath, TheFileIsFoundAndSetAsideAndTheOthersAreLoaded) {
  for (const char* key : {"a.parquet", "b.parquet", "c.parquet", "d.parquet", "e.parquet"})
    put_file(key, key[0]);
  EXPECT_EQ(run({"load"}).code, kDied);
  EXPECT_EQ(notes(), 1U);
  EXPECT_EQ(run({"load"}).code, kDied);  // alone this time
  const Json found = pipeline({"load"}, 3);
  EXPECT_EQ(found["units"]["quarantined"], 1);
  EXPECT_EQ(rows(), (Lines{"97", "98", "100", "101"}));
  EXPECT_EQ(query("SELECT unit, reason LIKE '%the process died while it read this unit%' FROM "
                  "_forebay.units WHERE state = 'quarantined'"),
            (Lines{"c.parquet|true"}));
  EXPECT_EQ(notes(), 0U);
  EXPECT_EQ(pipeline({"load"}, 0)["outcome"], "nothing_new");
}

TEST_F(ReaderDeath, ANewVersionIsTriedAndOneThatWasOnlyBesideItIsNot) {
  put_file("a.parquet", 1);
  put_file("c.parquet", 3);
  EXPECT_EQ(run({"load"}).code, kDied);
  put_file("c.parquet", 30);
  environment_.erase("FOREBAY_FAULT");
  EXPECT_EQ(pipeline({"load"}, 0)["units"]["applied"], 2);
  EXPECT_EQ(rows(), (Lines{"1", "30"}));
  EXPECT_EQ(notes(), 0U);
}

// Content that changed is read to be compared, also where the policy would leave it alone.
TEST_F(ReaderDeath, AFileThatChangedIsFoundTooWhereItsOldRowsStay) {
  environment_.erase("FOREBAY_FAULT");
  put_file("a.parquet", 1);
  put_file("c.parquet", 3);
  EXPECT_EQ(pipeline({"load"}, 0)["units"]["applied"], 2);
  environment_["FOREBAY_FAULT"] = "dies:c.parquet";
  put_file("c.parquet", 30);
  put_file("d.parquet", 4);
  EXPECT_EQ(run({"load"}).code, kDied);
  EXPECT_EQ(notes(), 1U);
  const Json found = pipeline({"load"}, 3);
  EXPECT_EQ(found["units"]["quarantined"], 1);
  EXPECT_EQ(rows(), (Lines{"1", "3", "4"}));
  EXPECT_EQ(notes(), 0U);
}

// Nothing is held against a unit because somebody killed the program.
TEST_F(ReaderDeath, AProcessThatIsKilledLeavesNoNote) {
  put_file("a.parquet", 1);
  environment_["FOREBAY_FAULT"] = "crash:5";
  EXPECT_EQ(run({"load"}).code, 137);
  EXPECT_EQ(notes(), 0U);
}

TEST_F(ReaderDeath, AnOrderedFeedStopsThere) {
  configure_carwash(3);
  environment_.erase("FOREBAY_FAULT");
  const Json plan = pipeline({"plan"}, 0);
  ASSERT_GE(plan["units"].size(), 2U);
  const std::string second = plan["units"][1]["unit"];
  environment_["FOREBAY_FAULT"] = "dies:" + second;
  EXPECT_EQ(run({"load"}).code, kDied);
  EXPECT_EQ(run({"load"}).code, kDied);
  for (int i = 0; i < 2; ++i) {
    const Json stopped = pipeline({"load"}, 3);
    EXPECT_THAT(stopped["error"].dump(), testing::HasSubstr(second));
  }
  EXPECT_EQ(query("SELECT count(*) FROM _forebay.units WHERE state = 'applied'"), (Lines{"1"}));
}

}  // namespace
}  // namespace forebay::test
