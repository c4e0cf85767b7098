#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "support/run_fixture.h"

// Aim: rules 4 and 5 of the feed `rivet` for `mode: full`: the newest complete run is the table,
// and nothing else. Method: runs in every order of appearance, loaded in process; the table and the
// decisions are compared.
namespace forebay::test {
namespace {

class RivetRule4 : public RunTest {
 protected:
  RivetRule4() : RunTest({{"mode", "full"}}) {}

  static ExportRun run(int hour, const std::string& rows) {
    return {.id = "orders_" + std::to_string(hour),
            .started_at = std::string("2026-11-30T") + (hour < 10 ? "0" : "") +
                          std::to_string(hour) + ":00:00.5+00:00",
            .parts = {{.rows = rows}}};
  }
};

TEST_F(RivetRule4, TheNewestRunReplacesTheTable) {
  runs_.deliver(run(10, "SELECT 1 AS id UNION ALL SELECT 2"));
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1", "2"}));
  runs_.deliver(run(11, "SELECT 2 AS id UNION ALL SELECT 3 UNION ALL SELECT 3"));
  load();
  EXPECT_EQ(rows("orders"), (Lines{"2", "3", "3"}));
  EXPECT_EQ(query("SELECT unit, state FROM _forebay.files ORDER BY file_id"),
            (Lines{"orders/orders_10|retracted", "orders/orders_11|live"}));
  expect_quiet();
}

TEST_F(RivetRule4, OlderRunsAreSupersededAndNotRead) {
  const ExportRun old = run(10, "SELECT 1 AS id");
  runs_.deliver(old);
  runs_.deliver(run(11, "SELECT 2 AS id"));
  runs_.remove(RunMaker::part_key(old, 0));  // nobody misses it
  EXPECT_EQ(load().units.applied, 1U);
  EXPECT_EQ(rows("orders"), (Lines{"2"}));
  EXPECT_EQ(units(), (Lines{"orders/orders_10|superseded", "orders/orders_11|applied"}));
  // One that turns up later still.
  runs_.write_parts(run(9, "SELECT 0 AS id"));
  runs_.write_copy(run(9, "SELECT 0 AS id"));
  load();
  EXPECT_EQ(rows("orders"), (Lines{"2"}));
  EXPECT_EQ(units().back(), "orders/orders_9|superseded");
  expect_quiet();
}

// Fractions have any number of digits, zones may be written in two ways: times are compared.
TEST_F(RivetRule4, TimesAreComparedAsInstants) {
  ExportRun early = run(10, "SELECT 1 AS id");
  early.started_at = "2026-11-30T12:00:00.5+02:00";
  ExportRun late = run(11, "SELECT 2 AS id");
  late.started_at = "2026-11-30T10:00:00.51Z";
  runs_.deliver(late);
  runs_.write_parts(early);
  runs_.write_copy(early);
  load();
  EXPECT_EQ(rows("orders"), (Lines{"2"}));
}

TEST_F(RivetRule4, ARunWithoutRowsEmptiesTheTable) {
  runs_.deliver(run(10, "SELECT 1 AS id"));
  load();
  ExportRun empty = run(11, "");
  empty.parts.clear();
  runs_.deliver(empty);
  load();
  EXPECT_EQ(rows("orders"), (Lines{}));
  expect_quiet();
}

TEST_F(RivetRule4, AFirstRunWithoutRowsIsRecorded) {
  ExportRun empty = run(10, "");
  empty.parts.clear();
  runs_.deliver(empty);
  EXPECT_EQ(load().units.applied, 1U);
  EXPECT_FALSE(exists("orders"));
  expect_quiet();
}

TEST_F(RivetRule4, WhenTheNewestIsRefusedTheTableStaysAndNoOlderOneIsTaken) {
  runs_.deliver(run(10, "SELECT 1 AS id"));
  load();
  runs_.write_parts(run(11, "SELECT 2 AS id"));
  runs_.write_copy(run(11, "SELECT 2 AS id"));
  const ExportRun newest = run(12, "SELECT 3 AS id");
  runs_.deliver(newest);
  runs_.remove(RunMaker::part_key(newest, 0));
  load(3);
  EXPECT_EQ(rows("orders"), (Lines{"1"}));
  load(3);
  EXPECT_EQ(rows("orders"), (Lines{"1"}));
  runs_.write_parts(newest);
  load();
  EXPECT_EQ(rows("orders"), (Lines{"3"}));
}

TEST_F(RivetRule4, ADeltaIsRefusedInModeFull) {
  ExportRun delta = run(10, "SELECT 1 AS id");
  delta.strategy = "incremental";
  runs_.deliver(delta);
  load(5);
  EXPECT_FALSE(exists("orders"));
}

TEST_F(RivetRule4, AChangeStreamIsRefusedInModeFull) {
  ExportRun drain = run(10, "SELECT 1 AS id");
  drain.mode = "cdc";
  runs_.deliver(drain);
  load(5);
  EXPECT_FALSE(exists("orders"));
}

// What is refused holds back its own table only.
TEST_F(RivetRule4, OtherTablesGoOn) {
  ExportRun delta = run(10, "SELECT 1 AS id");
  delta.strategy = "incremental";
  runs_.deliver(delta);
  ExportRun other = run(11, "SELECT 2 AS id");
  other.folder = other.export_name = "visits";
  runs_.deliver(other);
  load(5);
  EXPECT_EQ(rows("visits"), (Lines{"2"}));
}

// Rule 5: a repair supersedes a part of the run in the table.
TEST_F(RivetRule4, ARepairOfTheRunInTheTableReplacesIt) {
  ExportRun repaired = run(10, "SELECT 1 AS id");
  repaired.parts.push_back({.rows = "SELECT 2 AS id"});
  runs_.deliver(repaired);
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1", "2"}));
  repaired.parts[1].status = "superseded";
  repaired.parts.push_back({.rows = "SELECT 3 AS id"});
  runs_.deliver(repaired);
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1", "3"}));
  expect_quiet();
}

TEST_F(RivetRule4, ARepairOfAnOlderRunChangesNothing) {
  ExportRun old = run(10, "SELECT 1 AS id");
  runs_.deliver(old);
  load();
  runs_.deliver(run(11, "SELECT 2 AS id"));
  load();
  old.parts.push_back({.rows = "SELECT 7 AS id"});
  runs_.write_parts(old);
  runs_.write_copy(old);
  load();
  EXPECT_EQ(rows("orders"), (Lines{"2"}));
  expect_quiet();
}

// Rule 8: the folders of one export that is partitioned are one table.
TEST_F(RivetRule4, EachBucketReplacesItsOwnRows) {
  const auto bucket = [](const std::string& day, int hour, const std::string& rows) {
    ExportRun run = RivetRule4::run(hour, rows);
    run.id = "orders__" + day + "_" + std::to_string(hour);
    run.folder = "orders/d=" + day;
    run.export_name = "orders__" + day;
    run.change = [](auto& json) { json["export_family"] = "orders"; };
    return run;
  };
  runs_.deliver(bucket("1", 10, "SELECT 1 AS d, 10 AS v"));
  runs_.deliver(bucket("2", 10, "SELECT 2 AS d, 10 AS v"));
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1|10", "2|10"}));
  runs_.deliver(bucket("2", 11, "SELECT 2 AS d, 11 AS v"));
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1|10", "2|11"}));
}

// Rule 8: two exports that give one table are refused.
TEST_F(RivetRule4, TwoExportsNeverShareATable) {
  const auto of = [](int hour, const std::string& name) {
    ExportRun run = RivetRule4::run(hour, "SELECT 1 AS id");
    run.folder = run.export_name = name;
    run.table = "orders";
    return run;
  };
  runs_.deliver(of(10, "orders_a"));
  runs_.deliver(of(11, "orders_b"));
  const CycleReport report = load(5);
  ASSERT_TRUE(report.error);
  EXPECT_NE(report.error->cause.find("orders/orders_a and orders/orders_b"), std::string::npos)
      << text(report);
  EXPECT_FALSE(exists("orders")) << "neither is taken";
}

class RivetAuto : public RunTest {
 protected:
  RivetAuto() : RunTest({{"primary_key", "id"}}) {}

  static ExportRun run(const std::string& name, int hour, const std::string& strategy,
                       const std::string& rows) {
    return {.id = name + "_" + std::to_string(hour),
            .folder = name,
            .export_name = name,
            .started_at = "2026-11-30T" + std::to_string(hour) + ":00:00Z",
            .strategy = strategy,
            .parts = {{.rows = rows}}};
  }
};

// `mode: auto`, which is meant where none is given: what is certain is taken.
TEST_F(RivetAuto, WhatIsCertainIsTaken) {
  runs_.deliver(run("whole", 10, "full", "SELECT 1 AS id UNION ALL SELECT 1"));
  runs_.deliver(run("delta", 10, "incremental", "SELECT 1 AS id, 1 AS v UNION ALL SELECT 2, 1"));
  ExportRun baseline = run("shop__snapshot_orders", 10, "full", "SELECT 1 AS id, 1 AS v");
  baseline.family = "shop";
  baseline.table = "orders";
  runs_.deliver(baseline);
  load();
  ExportRun drain = run("orders", 11, "cdc", R"(SELECT 'update' AS __op, '{"lsn":"0/1"}' AS __pos,
      0::BIGINT AS __seq, 1 AS id, 2 AS v)");
  drain.mode = "cdc";
  drain.family = "shop";
  drain.table = "orders";
  runs_.deliver(drain);
  runs_.deliver(run("whole", 11, "chunked", "SELECT 3 AS id"));
  runs_.deliver(run("delta", 11, "incremental", "SELECT 2 AS id, 2 AS v"));
  load();
  EXPECT_EQ(rows("whole"), (Lines{"3"}));
  EXPECT_EQ(rows("delta"), (Lines{"1|1", "2|2"}));
  EXPECT_EQ(rows("orders"), (Lines{"1|2"}));
  expect_quiet();
}

TEST_F(RivetAuto, WhatIsNotCertainAsksForTheMode) {
  runs_.deliver(run("pages", 10, "keyset", "SELECT 1 AS id"));
  const CycleReport report = load(1);
  ASSERT_TRUE(report.error);
  EXPECT_NE(report.error->cause.find("`mode`"), std::string::npos) << text(report);
  EXPECT_FALSE(exists("pages"));
  pipeline_.settings.options.emplace_back("mode", "full");
  load();
  EXPECT_EQ(rows("pages"), (Lines{"1"}));
}

TEST_F(RivetAuto, OneTableHasOneMode) {
  runs_.deliver(run("orders", 10, "full", "SELECT 1 AS id"));
  load();
  runs_.deliver(run("orders", 11, "incremental", "SELECT 2 AS id"));
  load(5);
  EXPECT_EQ(rows("orders"), (Lines{"1"}));
}

}  // namespace
}  // namespace forebay::test
