#include <gtest/gtest.h>

#include <string>

#include "load/reset.h"
#include "support/run_fixture.h"

// Aim: rule 5 of the feed `rivet`: a manifest that grows under its run id loads only what is new,
// and parts that became superseded are taken back, also where keys decide; and rule 6 as far as
// `mode: incremental` without cursors: later runs win, and a key is needed. Method: manifests
// written again with more or fewer committed parts.
namespace forebay::test {
namespace {

class RivetRule5 : public RunTest {
 protected:
  RivetRule5() : RunTest({{"mode", "incremental"}, {"primary_key", "id"}}) {}

  static ExportRun run(int hour, std::vector<ExportPart> parts) {
    return {.id = "orders_" + std::to_string(hour),
            .started_at = std::string("2026-11-30T") + (hour < 10 ? "0" : "") +
                          std::to_string(hour) + ":00:00+00:00",
            .strategy = "incremental",
            .parts = std::move(parts)};
  }
};

TEST_F(RivetRule5, AManifestThatGrowsLoadsOnlyWhatIsNew) {
  ExportRun growing = run(10, {{.rows = "SELECT 1 AS id, 'a' AS v"}});
  runs_.deliver(growing);
  load();
  growing.parts.push_back({.rows = "SELECT 2 AS id, 'b' AS v"});
  runs_.deliver(growing);
  const CycleReport report = load();
  EXPECT_EQ(report.files, 1U) << "only the new part is read";
  EXPECT_EQ(rows("orders"), (Lines{"1|a", "2|b"}));
  expect_quiet();
}

TEST_F(RivetRule5, APartThatBecameSupersededIsTakenBack) {
  ExportRun repaired = run(10, {{.rows = "SELECT 1 AS id, 'a' AS v UNION ALL SELECT 2, 'b'"},
                                {.rows = "SELECT 2 AS id, 'later' AS v"}});
  runs_.deliver(run(9, {{.rows = "SELECT 1 AS id, 'old' AS v"}}));
  runs_.deliver(repaired);
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1|a", "2|later"}));
  repaired.parts[0].status = "superseded";
  repaired.parts.push_back({.rows = "SELECT 3 AS id, 'c' AS v"});
  runs_.deliver(repaired);
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1|old", "2|later", "3|c"}));
  expect_quiet();
}

TEST_F(RivetRule5, APartThatWasWrittenAgainReplacesItself) {
  ExportRun again = run(10, {{.rows = "SELECT 1 AS id, 'a' AS v UNION ALL SELECT 2, 'b'"}});
  runs_.deliver(again);
  load();
  again.parts[0].rows = "SELECT 2 AS id, 'x' AS v";
  runs_.deliver(again);
  load();
  EXPECT_EQ(rows("orders"), (Lines{"2|x"}));
}

TEST_F(RivetRule5, ATakingBackThatNeedsAFileThatIsGoneChangesNothing) {
  const ExportRun old = run(9, {{.rows = "SELECT 1 AS id, 'old' AS v"}});
  ExportRun repaired = run(10, {{.rows = "SELECT 1 AS id, 'a' AS v"}});
  runs_.deliver(old);
  runs_.deliver(repaired);
  load();
  runs_.remove(RunMaker::part_key(old, 0));
  repaired.parts[0].status = "superseded";
  runs_.deliver(repaired);
  load(3);
  EXPECT_EQ(rows("orders"), (Lines{"1|a"}));
}

TEST_F(RivetRule5, LaterRunsWinWheneverTheyAppear) {
  runs_.deliver(run(11, {{.rows = "SELECT 1 AS id, 'new' AS v"}}));
  load();
  const ExportRun late =
      run(10, {{.rows = "SELECT 1 AS id, 'old' AS v UNION ALL SELECT 2, 'old'"}});
  runs_.write_parts(late);
  runs_.write_copy(late);
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1|new", "2|old"}));
}

TEST_F(RivetRule5, AnIdleRunIsRecordedAndChangesNothing) {
  runs_.deliver(run(10, {{.rows = "SELECT 1 AS id"}}));
  load();
  runs_.deliver(run(11, {}));
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1"}));
  EXPECT_EQ(units().size(), 2U);
}

TEST_F(RivetRule5, WithoutAKeyTheRowsAreRefusedAndTheColumnsNamed) {
  pipeline_.settings.options = {{"mode", "incremental"}};
  runs_.deliver(run(10, {{.rows = "SELECT 1 AS id, 'a' AS v"}}));
  const CycleReport report = load(5);
  ASSERT_TRUE(report.error);
  EXPECT_NE(report.error->hint.find("of: id, v"), std::string::npos) << text(report);
  EXPECT_FALSE(exists("orders"));
}

TEST_F(RivetRule5, AFailingRunHoldsBackItsOwnTableOnly) {
  const ExportRun broken = run(10, {{.rows = "SELECT 1 AS id"}});
  runs_.deliver(broken);
  runs_.remove(RunMaker::part_key(broken, 0));
  runs_.deliver(run(11, {{.rows = "SELECT 2 AS id"}}));
  ExportRun other = run(11, {{.rows = "SELECT 3 AS id"}});
  other.folder = other.export_name = "visits";
  runs_.deliver(other);
  const CycleReport report = load(3);
  EXPECT_EQ(report.units.waiting, 1U) << text(report);
  EXPECT_FALSE(exists("orders"));
  EXPECT_EQ(rows("visits"), (Lines{"3"}));
  runs_.write_parts(broken);
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1", "2"}));
}

// What is forgotten comes again from the same manifests.
TEST_F(RivetRule5, ATableThatWasResetIsLoadedAgain) {
  const ExportRun orders{
      .id = "orders_1", .strategy = "incremental", .parts = {{.rows = "SELECT 1 AS id, 1 AS v"}}};
  runs_.deliver(orders);
  ExportRun other = orders;
  other.id = "visits_1";
  other.folder = other.export_name = "visits";
  runs_.deliver(other);
  load();
  {
    auto target = pipeline_.open_target();
    ASSERT_TRUE(target);
    ASSERT_TRUE(reset("runs", "raw", **target, {.table = "orders", .drop_tables = true},
                      pipeline_.clock()));
  }
  EXPECT_FALSE(exists("orders"));
  EXPECT_EQ(load().files, 1U);
  EXPECT_EQ(rows("orders"), (Lines{"1|1"}));
  EXPECT_EQ(rows("visits"), (Lines{"1|1"}));
  expect_quiet();
}

}  // namespace
}  // namespace forebay::test
