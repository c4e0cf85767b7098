#include "load/joins.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "support/run_fixture.h"

// Aim: rule 8 of the feed `rivet`: where a run begins after the one before it ended, the
// gap is shown and counted, and nothing is refused. Method: runs with cursors that join and do not.
namespace forebay::test {
namespace {

class RivetGaps : public RunTest {
 protected:
  RivetGaps() : RunTest({{"mode", "incremental"}, {"primary_key", "id"}}) {}

  // A run that read above `low` up to `high`; empty: it does not say.
  void add(int hour, const std::string& low, const std::string& high,
           const std::string& folder = "orders") {
    ExportRun run{.id = folder + "_" + std::to_string(hour),
                  .folder = folder,
                  .export_name = folder,
                  .started_at = "2026-11-30T" + std::to_string(hour) + ":00:00Z",
                  .strategy = "incremental",
                  .parts = {{.rows = "SELECT " + std::to_string(hour) + " AS id"}}};
    run.change = [low, high](auto& json) {
      auto& extraction = json["source"]["extraction"];
      if (!low.empty()) extraction["cursor_low"] = low;
      if (!high.empty()) extraction["cursor_high"] = high;
    };
    runs_.write_parts(run);
    runs_.write_copy(run);
  }
};

TEST_F(RivetGaps, RunsThatJoinAreQuiet) {
  add(10, "", "40");
  add(11, "40", "47");
  EXPECT_EQ(load().warnings.size(), 0U);
  add(12, "", "");  // idle
  add(13, "47", "50");
  EXPECT_EQ(load().warnings.size(), 0U);
  expect_quiet();
}

TEST_F(RivetGaps, AGapIsShownAndCountedOnce) {
  add(10, "", "40");
  load();
  add(12, "47", "50");
  add(13, "50", "51");
  add(15, "53", "54");
  const CycleReport report = load();
  EXPECT_TRUE(warns(report,
                    "raw.orders: 2 units begin after the one before them ended, and what lies "
                    "between was not delivered: orders/orders_12 begins at 47, where 40 was "
                    "reached"))
      << text(report);
  EXPECT_EQ(rows("orders"), (Lines{"10", "12", "13", "15"}));
  EXPECT_EQ(load().warnings.size(), 0U);
}

TEST_F(RivetGaps, ARunThatFillsAGapIsNone) {
  add(10, "", "40");
  add(12, "47", "50");
  EXPECT_TRUE(warns(load(), "1 units begin after"));
  add(11, "40", "47");
  EXPECT_EQ(load().warnings.size(), 0U);
  add(13, "50", "60");
  EXPECT_EQ(load().warnings.size(), 0U);
}

// What came before the first run was never ours: a first page of keys begins at its first key.
TEST_F(RivetGaps, TheFirstRunBeginsAnywhere) {
  add(10, "A0001", "A0030");
  add(11, "A0030", "B0002");
  EXPECT_EQ(load().warnings.size(), 0U);
}

// A run that reads again what was read is none; numbers are compared by value, times as they stand.
TEST_F(RivetGaps, WhatIsReadAgainIsNoGap) {
  add(10, "", "100");
  add(11, "99", "101");
  add(12, "1", "101");
  add(10, "", "2024-03-01T09:00:00.000000", "visits");
  add(11, "2024-03-01T08:00:00.000000", "2024-03-02T00:00:00.000000", "visits");
  EXPECT_EQ(load().warnings.size(), 0U);
  add(13, "102", "103");
  add(12, "2024-03-02T00:00:00.000001", "2024-03-02T10:00:00.000000", "visits");
  const CycleReport report = load();
  EXPECT_TRUE(warns(report, "raw.orders: 1 units")) << text(report);
  EXPECT_TRUE(warns(report, "raw.visits: 1 units")) << text(report);
}

TEST_F(RivetGaps, EachTableIsOneRow) {
  add(10, "", "40");
  add(10, "", "7", "visits");
  add(11, "40", "41");
  add(11, "8", "9", "visits");
  const CycleReport report = load();
  EXPECT_TRUE(warns(report, "raw.visits: 1 units")) << text(report);
  EXPECT_FALSE(warns(report, "raw.orders")) << text(report);
}

}  // namespace
}  // namespace forebay::test
