// `forebay quarantine` through the real program: what was refused is shown, tried again, and
// dropped (CONTRACT 1).
#include <gmock/gmock.h>

#include "support/cli_fixture.h"

namespace forebay::test {
namespace {

using testing::HasSubstr;

class Quarantine : public CliFilesTest {
 protected:
  Quarantine() {
    put_file("a.parquet", 1);
    folder_.write("in/b.parquet", "not Parquet at all");
    EXPECT_EQ(pipeline({"load"}, 3)["units"]["quarantined"], 1);
  }
  Json listed() { return pipeline({"quarantine", "list", "events"}, 0)["quarantined"]; }
};

TEST_F(Quarantine, ListsAndShowsWhatWasRefused) {
  const Json units = listed();
  ASSERT_EQ(units.size(), 1U);
  EXPECT_EQ(units[0]["unit"], "b.parquet");
  EXPECT_EQ(units[0]["state"], "quarantined");
  EXPECT_NE(units[0]["reason"], "");
  EXPECT_EQ(pipeline({"quarantine", "show", "events", "b.parquet"}, 0)["quarantined"][0]["unit"],
            "b.parquet");
  EXPECT_THAT(run({"quarantine", "show", "events", "b.parquet"}).out, HasSubstr("reason:"));
  pipeline({"quarantine", "show", "events", "a.parquet"}, 1);
}

// Else a feed that is refused throughout would look fresh.
TEST_F(Quarantine, WhatWasRefusedIsNotTheNewestUnit) {
  EXPECT_EQ(pipeline({"status"}, 0)["newest_unit"], "a.parquet");
}

TEST_F(Quarantine, RetryEndsWithTheCodeOfTheAttempt) {
  EXPECT_EQ(pipeline({"quarantine", "retry", "events", "b.parquet"}, 3)["units"]["quarantined"], 1);
  EXPECT_EQ(listed().size(), 1U);
  pipeline({"quarantine", "retry", "events", "a.parquet"}, 1);
  std::filesystem::remove(folder_ / "in/b.parquet");
  EXPECT_EQ(pipeline({"quarantine", "retry", "events"}, 1)["error"]["code"], "not_found");
}

// The reason went: a column that drifted fits after a person changed the policy.
TEST_F(Quarantine, RetryLoadsWhatIsAllowedNow) {
  put_file("b.parquet", 2);
  configure("    on_schema_change: fail\n");
  make_parquet(folder_ / "in/c.parquet", "SELECT 3 AS n, 'new' AS t");
  pipeline({"load"}, 4);
  configure("");
  EXPECT_EQ(document({"load"}, 0)["outcome"], "nothing_new") << "the same version is not retried";
  EXPECT_EQ(pipeline({"quarantine", "retry", "events"}, 0)["units"]["applied"], 1);
  EXPECT_EQ(rows(), (Lines{"1", "2", "3"}));
  EXPECT_EQ(listed(), Json::array());
  EXPECT_EQ(pipeline({"status"}, 0)["units"]["quarantined"], 0);
}

TEST_F(Quarantine, DropSettlesAVersionAndNotTheNext) {
  pipeline({"quarantine", "drop", "events", "b.parquet"}, 0);
  EXPECT_EQ(listed(), Json::array());
  EXPECT_EQ(query("SELECT state FROM _forebay.units WHERE unit = 'b.parquet' ORDER BY commit_no"),
            (Lines{"quarantined", "dropped"}));
  EXPECT_EQ(document({"load"}, 0)["outcome"], "nothing_new");
  pipeline({"quarantine", "drop", "events", "b.parquet"}, 1);
  put_file("b.parquet", 2);
  EXPECT_EQ(pipeline({"load"}, 0)["units"]["applied"], 1);
  EXPECT_EQ(rows(), (Lines{"1", "2"}));
}

// CORR-4
TEST_F(Quarantine, ANewVersionIsTriedByItselfAndLeavesTheList) {
  put_file("b.parquet", 2);
  EXPECT_EQ(pipeline({"load"}, 0)["units"]["applied"], 1);
  EXPECT_EQ(listed(), Json::array());
}

// A version that `on_rewrite: stop` refused is no new unit: the rows of the first stand.
TEST_F(Quarantine, RetryNeverLoadsBesideTheRowsOfAnEarlierVersion) {
  configure("    on_rewrite: stop\n");
  put_file("a.parquet", 10);
  pipeline({"load"}, 5);
  pipeline({"quarantine", "retry", "events", "a.parquet"}, 5);
  put_file("a.parquet", 11);
  pipeline({"load"}, 5);
  EXPECT_EQ(rows(), (Lines{"1"}));
}

TEST_F(Quarantine, MistakesOfUsageAreOne) {
  for (const std::vector<std::string>& wrong : {std::vector<std::string>{"quarantine"},
                                                {"quarantine", "drop", "events"},
                                                {"quarantine", "show"},
                                                {"quarantine", "list", "nothing"}}) {
    EXPECT_EQ(run(wrong).code, 1);
  }
}

class OrderedQuarantine : public CliFilesTest {
 protected:
  OrderedQuarantine() {
    configure_carwash(3);
    // The second marker is damaged.
    std::vector<std::string> markers;
    for (const auto& entry :
         std::filesystem::directory_iterator(folder_ / "feed/carwash/_batches")) {
      markers.push_back(entry.path().filename());
    }
    std::ranges::sort(markers);
    marker_ = markers.at(1);
    folder_.write("feed/carwash/_batches/" + marker_, "{");
  }
  std::string marker_;
};

TEST_F(OrderedQuarantine, TheUnitAtWhichAFeedStopsIsListedAndOnlyDropPassesIt) {
  EXPECT_EQ(pipeline({"load"}, 3)["units"]["applied"], 1);
  EXPECT_EQ(pipeline({"load"}, 3)["units"]["applied"], 0);
  const Json units = pipeline({"quarantine", "list", "carwash"}, 0)["quarantined"];
  ASSERT_EQ(units.size(), 1U);
  EXPECT_EQ(units[0]["unit"], marker_);
  EXPECT_EQ(units[0]["state"], "stopped");
  pipeline({"quarantine", "retry", "carwash", marker_}, 3);
  pipeline({"quarantine", "drop", "carwash", marker_}, 0);
  EXPECT_EQ(pipeline({"load"}, 0)["units"]["applied"], 1);
  EXPECT_EQ(query("SELECT unit, state FROM _forebay.units WHERE state <> 'applied'"),
            (Lines{marker_ + "|dropped"}));
  EXPECT_EQ(pipeline({"quarantine", "list", "carwash"}, 0)["quarantined"], Json::array());
}

}  // namespace
}  // namespace forebay::test
