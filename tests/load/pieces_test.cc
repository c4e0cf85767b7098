#include "load/pieces.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "load/reset.h"
#include "support/run_fixture.h"

// Aim: rule 4 of the feed `rivet` for exports that are split: the units of one generation are one
// snapshot, and nothing is loaded of one that is not whole. Method: units in every order of
// appearance, with windows that join and windows that do not; the table, the decisions and the
// reasons are compared.
namespace forebay::test {
namespace {

using Bound = std::optional<std::string>;

class RivetSplit : public RunTest {
 protected:
  RivetSplit() : RunTest({{"mode", "full"}}) {}

  static std::string at(int minute) {
    return "2026-11-30T10:" + std::string(minute < 10 ? "0" : "") + std::to_string(minute) + ":00Z";
  }
  static ExportRun whole(int minute, const std::string& rows) {
    return {.id = "orders_" + std::to_string(minute),
            .started_at = at(minute),
            .parts = {{.rows = rows}}};
  }
  static ExportRun unit(int number, int minute, Bound lo, Bound hi, const std::string& rows) {
    ExportRun run = whole(minute, rows);
    run.export_name = "orders#" + std::to_string(number);
    run.id = run.export_name + "_" + std::to_string(minute);
    run.family = "orders";
    run.change = [lo, hi](auto& json) {
      json["split_window"] = {{"key_column", "id"}};
      if (lo) json["split_window"]["lo"] = *lo;
      if (hi) json["split_window"]["hi"] = *hi;
    };
    return run;
  }
  // As the exporter leaves a unit that is not the last one: manifest.json speaks of others.
  void add(const ExportRun& run) {
    runs_.write_parts(run);
    runs_.write_copy(run);
  }
};

TEST_F(RivetSplit, UnitsWhoseWindowsJoinAreOneSnapshot) {
  runs_.deliver(whole(1, "SELECT 9 AS id"));
  load();
  add(unit(1, 3, "20", {}, "SELECT 30 AS id"));
  add(unit(2, 4, "10", "20", "SELECT 20 AS id"));
  runs_.deliver(unit(0, 2, {}, "10", "SELECT 10 AS id"));
  const auto plan = pipeline_.plan();
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->units.size(), 1U);
  EXPECT_EQ(plan->units[0].unit.why, "not in the ledger; together with 2 more that make it whole");
  EXPECT_EQ(plan->units[0].files, 3U);
  EXPECT_EQ(load().units.applied, 3U);
  EXPECT_EQ(rows("orders"), (Lines{"10", "20", "30"}));
  EXPECT_EQ(query("SELECT unit, state, files, rows FROM _forebay.units WHERE commit_no = (SELECT "
                  "max(commit_no) FROM _forebay.units) ORDER BY unit"),
            (Lines{"orders/orders#0_2|applied|1|1", "orders/orders#1_3|applied|1|1",
                   "orders/orders#2_4|applied|1|1"}));
  EXPECT_EQ(query("SELECT unit, state FROM _forebay.files ORDER BY unit"),
            (Lines{"orders/orders#0_2|live", "orders/orders#1_3|live", "orders/orders#2_4|live",
                   "orders/orders_1|retracted"}));
  expect_quiet();
}

TEST_F(RivetSplit, AGenerationThatIsNotWholeWaitsAndTheTableStays) {
  runs_.deliver(whole(1, "SELECT 9 AS id"));
  load();
  add(unit(0, 2, {}, "10", "SELECT 10 AS id"));
  add(unit(2, 4, "20", {}, "SELECT 30 AS id"));
  const CycleReport report = load();
  EXPECT_EQ(report.units.waiting, 2U);
  EXPECT_TRUE(warns(report,
                    "orders/orders#0_2 waits: it brings id from its beginning to 10, and no "
                    "window of id begins at 10 yet"))
      << text(report);
  EXPECT_EQ(rows("orders"), (Lines{"9"}));
  // What is whole goes past it.
  runs_.deliver(whole(5, "SELECT 8 AS id"));
  load();
  EXPECT_EQ(rows("orders"), (Lines{"8"}));
  EXPECT_EQ(query("SELECT unit, state FROM _forebay.units WHERE unit LIKE '%#%' ORDER BY unit"),
            (Lines{"orders/orders#0_2|superseded", "orders/orders#2_4|superseded"}));
  expect_quiet();
}

TEST_F(RivetSplit, TheMissingUnitMakesItWhole) {
  add(unit(0, 2, {}, "10", "SELECT 10 AS id"));
  load();
  EXPECT_FALSE(exists("orders"));
  add(unit(1, 3, "10", {}, "SELECT 20 AS id"));
  load();
  EXPECT_EQ(rows("orders"), (Lines{"10", "20"}));
  expect_quiet();
}

// Windows of two generations that overlap would bring rows twice although every count agrees.
TEST_F(RivetSplit, WindowsOfTwoGenerationsAreNeverMixed) {
  add(unit(0, 2, {}, "10", "SELECT 10 AS id"));
  add(unit(1, 3, "10", {}, "SELECT 20 AS id"));
  add(unit(0, 4, {}, "15", "SELECT 11 AS id"));
  load();
  EXPECT_EQ(rows("orders"), (Lines{"10", "20"})) << "the newest that is whole";
  add(unit(1, 5, "15", {}, "SELECT 21 AS id"));
  load();
  EXPECT_EQ(rows("orders"), (Lines{"11", "21"}));
  expect_quiet();
}

// Of two generations with the same bounds each comes whole.
TEST_F(RivetSplit, AUnitOfTheNextGenerationWaitsForItsOwn) {
  add(unit(0, 2, {}, "10", "SELECT 10 AS id"));
  add(unit(1, 3, "10", {}, "SELECT 20 AS id"));
  load();
  add(unit(0, 4, {}, "10", "SELECT 9 AS id"));
  load();
  EXPECT_EQ(rows("orders"), (Lines{"10", "20"}));
  add(unit(1, 5, "10", {}, "SELECT 19 AS id"));
  load();
  EXPECT_EQ(rows("orders"), (Lines{"9", "19"}));
  expect_quiet();
}

// The same when all are seen at once: the one that is whole comes, whatever began after it.
TEST_F(RivetSplit, OfTwoGenerationsSeenAtOnceTheWholeOneComes) {
  add(unit(0, 2, {}, "10", "SELECT 10 AS id"));
  add(unit(1, 3, "10", {}, "SELECT 20 AS id"));
  add(unit(0, 8, {}, "10", "SELECT 9 AS id"));
  EXPECT_EQ(load().units.waiting, 1U);
  EXPECT_EQ(rows("orders"), (Lines{"10", "20"}));
}

TEST_F(RivetSplit, AGenerationIsWholeAlthoughOneBeforeItWasNot) {
  add(unit(0, 2, {}, "10", "SELECT 10 AS id"));
  add(unit(1, 8, "10", {}, "SELECT 20 AS id"));
  add(unit(0, 9, {}, "10", "SELECT 9 AS id"));
  load();
  EXPECT_EQ(rows("orders"), (Lines{"9", "20"}));
}

// Two open ends on one side are two states.
TEST_F(RivetSplit, WindowsOfDifferentColumnsDoNotJoin) {
  add(unit(0, 2, {}, "10", "SELECT 10 AS id"));
  ExportRun other = unit(1, 3, "10", {}, "SELECT 20 AS id");
  other.change = [](auto& json) { json["split_window"] = {{"key_column", "code"}, {"lo", "10"}}; };
  add(other);
  EXPECT_EQ(load().units.waiting, 2U);
  EXPECT_FALSE(exists("orders"));
}

TEST_F(RivetSplit, AWindowOfNothingIsDamage) {
  ExportRun run = unit(0, 2, {}, {}, "SELECT 10 AS id");
  run.change = [](auto& json) { json["split_window"] = {{"hi", "10"}}; };
  add(run);
  load(3);
  EXPECT_FALSE(exists("orders"));
}

TEST_F(RivetSplit, AWholeRunAfterItReplacesIt) {
  add(unit(0, 2, {}, "10", "SELECT 10 AS id"));
  add(unit(1, 3, "10", {}, "SELECT 20 AS id"));
  load();
  runs_.deliver(whole(5, "SELECT 7 AS id"));
  load();
  EXPECT_EQ(rows("orders"), (Lines{"7"}));
  // A late unit of what was passed meanwhile is history.
  add(unit(2, 4, "10", {}, "SELECT 21 AS id"));
  load();
  EXPECT_EQ(rows("orders"), (Lines{"7"}));
  EXPECT_EQ(units().back(), "orders/orders#2_4|superseded");
  expect_quiet();
}

// Rule 5: a repaired unit replaces the snapshot together with those it came with.
TEST_F(RivetSplit, ARepairedUnitIsLoadedWithTheOthers) {
  ExportRun repaired = unit(0, 2, {}, "10", "SELECT 10 AS id");
  add(repaired);
  add(unit(1, 3, "10", {}, "SELECT 20 AS id"));
  load();
  repaired.parts[0].status = "superseded";
  repaired.parts.push_back({.rows = "SELECT 8 AS id"});
  add(repaired);
  load();
  EXPECT_EQ(rows("orders"), (Lines{"8", "20"}));
  expect_quiet();
}

TEST_F(RivetSplit, ATableThatWasResetComesBackWhole) {
  add(unit(0, 2, {}, "10", "SELECT 10 AS id"));
  add(unit(1, 3, "10", {}, "SELECT 20 AS id"));
  load();
  {
    auto target = pipeline_.open_target();
    ASSERT_TRUE(target);
    ASSERT_TRUE(reset("runs", "raw", **target, {.table = "orders", .drop_tables = true},
                      pipeline_.clock()));
  }
  load();
  EXPECT_EQ(rows("orders"), (Lines{"10", "20"}));
  expect_quiet();
}

// One part that is not what its manifest says: nothing of the generation is loaded.
TEST_F(RivetSplit, ADamagedUnitKeepsAllOutside) {
  runs_.deliver(whole(1, "SELECT 9 AS id"));
  load();
  const ExportRun broken = unit(0, 2, {}, "10", "SELECT 10 AS id");
  add(broken);
  add(unit(1, 3, "10", {}, "SELECT 20 AS id"));
  runs_.remove(RunMaker::part_key(broken, 0));
  load(3);
  EXPECT_EQ(rows("orders"), (Lines{"9"}));
  runs_.write_parts(broken);
  load();
  EXPECT_EQ(rows("orders"), (Lines{"10", "20"}));
}

}  // namespace
}  // namespace forebay::test
