// `forebay backfill` through the real program: what a window left out is loaded, exactly once
// (CONTRACT 1; FEEDS 2.3, rule 2).
#include <gmock/gmock.h>

#include "support/cli_fixture.h"

namespace forebay::test {
namespace {

using testing::HasSubstr;

class Backfill : public CliFilesTest {
 protected:
  Backfill() {
    configure("    partition: \"dt={date:%Y-%m-%d}/\"\n    start: window\n");
    for (int day = 1; day <= 5; ++day)
      put_file("dt=2020-03-0" + std::to_string(day) + "/a.parquet", day);
    EXPECT_EQ(document({"load"}, 0)["outcome"], "nothing_new");
  }
};

TEST_F(Backfill, TakesBothDatesIn) {
  const Json report =
      pipeline({"backfill", "events", "--from", "2020-03-02", "--to", "2020-03-04"}, 0);
  EXPECT_EQ(report["units"]["applied"], 3);
  EXPECT_EQ(report["requests"]["list"], 3) << "a listing for each day, and no other";
  EXPECT_EQ(rows(), (Lines{"2", "3", "4"}));
  EXPECT_EQ(document({"backfill", "events", "--from", "2020-03-01", "--to", "2020-03-04"},
                     0)["pipelines"][0]["units"]["applied"],
            1);
  EXPECT_EQ(rows(), (Lines{"1", "2", "3", "4"}));
}

// DUP-4: an object has one name, however it was chosen.
TEST_F(Backfill, TakesAPrefixOrAll) {
  EXPECT_EQ(pipeline({"backfill", "events", "--prefix", "dt=2020-03-05/"}, 0)["units"]["applied"],
            1);
  EXPECT_EQ(pipeline({"backfill", "events", "--all"}, 0)["units"]["applied"], 4);
  EXPECT_EQ(document({"backfill", "events", "--all"}, 0)["outcome"], "nothing_new");
  EXPECT_EQ(rows(), (Lines{"1", "2", "3", "4", "5"}));
}

TEST_F(Backfill, LeavesTheListingOfLoadAsItIs) {
  document({"backfill", "events", "--all"}, 0);
  const Json plan = pipeline({"plan"}, 0);
  EXPECT_EQ(plan["listing"].size(), 2U) << "the mark did not go back: " << plan["listing"];
}

TEST_F(Backfill, SaysWhatItWouldDo) {
  const Json plan = pipeline(
      {"backfill", "events", "--from", "2020-03-02", "--to", "2020-03-02", "--dry-run"}, 0);
  ASSERT_EQ(plan["listing"].size(), 1U);
  EXPECT_EQ(plan["listing"][0]["prefix"], "dt=2020-03-02/");
  EXPECT_EQ(plan["units"].size(), 1U);
  EXPECT_EQ(pipeline({"backfill", "events", "--from", "2020-03-02", "--to", "2020-03-02"},
                     0)["units"]["applied"],
            1);
}

TEST_F(Backfill, MistakesOfUsageAreOne) {
  for (const std::vector<std::string>& wrong :
       {std::vector<std::string>{"backfill", "events"},
        {"backfill", "events", "--from", "soon"},
        {"backfill", "events", "--all", "--prefix", "x"},
        {"backfill", "events", "--from", "2020-03-02", "--to", "2020-03-01"},
        {"backfill", "nothing", "--all"}}) {
    EXPECT_EQ(document(wrong, 1)["error"]["code"], "invalid_config");
  }
  EXPECT_THAT(run({"backfill", "events"}).err, HasSubstr("--from DATE --to DATE"));
}

TEST_F(CliFilesTest, BackfillGoesByLastModifiedWhereKeysTellNoTime) {
  put_file("a.parquet", 1);
  put_file("b.parquet", 2);
  std::filesystem::last_write_time(
      folder_ / "in/a.parquet",
      std::filesystem::file_time_type::clock::now() - std::chrono::days(300));
  EXPECT_EQ(pipeline({"backfill", "events", "--to", "2020-01-01"}, 0)["units"]["applied"], 0);
  EXPECT_EQ(pipeline({"backfill", "events", "--from", "2020-01-01"}, 0)["units"]["applied"], 2);
}

}  // namespace
}  // namespace forebay::test
