#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "support/run_fixture.h"

// Aim: rule 8 of the feed `rivet`: which export makes which table, and what the pipeline says about
// it. Method: several exports in one source, loaded in process with other options.
namespace forebay::test {
namespace {

OptionValue text(const std::string& value) {
  return {.values = {value}, .where = "forebay.yaml:9"};
}

OptionValue map(std::vector<std::pair<std::string, OptionValue>> fields) {
  return {.where = "forebay.yaml:8", .is_map = true, .fields = std::move(fields)};
}

class RivetRule8 : public RunTest {
 protected:
  RivetRule8() : RunTest({{"mode", "full"}}) {}

  static ExportRun run(const std::string& name, int hour, const std::string& rows) {
    return {.id = fmt::format("{}_{}", name, hour),
            .folder = name,
            .export_name = name,
            .started_at = fmt::format("2026-11-30T{:02}:00:00Z", hour),
            .parts = {{.rows = rows}}};
  }
};

TEST_F(RivetRule8, AnExportIsChosen) {
  runs_.deliver(run("orders", 10, "SELECT 1 AS id"));
  runs_.deliver(run("visits", 10, "SELECT 2 AS id"));
  pipeline_.settings.options.emplace_back("export", "visits");
  EXPECT_EQ(load().units.applied, 1U);
  EXPECT_FALSE(exists("orders"));
  EXPECT_EQ(rows("visits"), (Lines{"2"}));
  expect_quiet();
}

// What is loaded is fixed once rows stand.
TEST_F(RivetRule8, AnotherExportLaterIsRefused) {
  runs_.deliver(run("orders", 10, "SELECT 1 AS id"));
  pipeline_.settings.options.emplace_back("export", "orders");
  load();
  pipeline_.settings.options.back().second = "visits";
  load(5);
}

TEST_F(RivetRule8, TheTableIsNamed) {
  runs_.deliver(run("orders", 10, "SELECT 1 AS id"));
  pipeline_.settings.options.emplace_back("table", "bookings");
  load();
  EXPECT_EQ(rows("bookings"), (Lines{"1"}));
}

TEST_F(RivetRule8, OneTableNameForSeveralExportsIsRefused) {
  runs_.deliver(run("orders", 10, "SELECT 1 AS id"));
  runs_.deliver(run("visits", 10, "SELECT 2 AS id"));
  pipeline_.settings.options.emplace_back("table", "bookings");
  const CycleReport report = load(5);
  ASSERT_TRUE(report.error);
  EXPECT_NE(report.error->cause.find("bookings/orders and bookings/visits"), std::string::npos);
  EXPECT_NE(report.error->hint.find("`export`"), std::string::npos);
  pipeline_.settings.options.emplace_back("export", "visits");
  load();
  EXPECT_EQ(rows("bookings"), (Lines{"2"}));
}

TEST_F(RivetRule8, TablesPartWhatWouldBeOneTable) {
  ExportRun now = run("orders_now", 10, "SELECT 1 AS id");
  ExportRun old = run("orders_old", 10, "SELECT 2 AS id");
  now.table = old.table = "orders";
  runs_.deliver(now);
  runs_.deliver(old);
  load(5);
  pipeline_.settings.more["tables"] =
      map({{"orders_archive", map({{"export", text("orders_old")}})}});
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1"}));
  EXPECT_EQ(rows("orders_archive"), (Lines{"2"}));
  expect_quiet();
}

TEST_F(RivetRule8, TablesHaveModesAndKeysOfTheirOwn) {
  ExportRun delta = run("visits", 10, "SELECT 1 AS n, 10 AS v UNION ALL SELECT 2, 20");
  delta.strategy = "incremental";
  runs_.deliver(run("orders", 10, "SELECT 1 AS id UNION ALL SELECT 1"));
  runs_.deliver(delta);
  pipeline_.settings.more["tables"] =
      map({{"visits", map({{"mode", text("incremental")}, {"primary_key", text("n")}})}});
  load();
  ExportRun more = run("visits", 11, "SELECT 2 AS n, 21 AS v");
  more.strategy = "incremental";
  runs_.deliver(more);
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1", "1"}));
  EXPECT_EQ(rows("visits"), (Lines{"1|10", "2|21"}));
  expect_quiet();
  // Its meaning is fixed, as that of all tables is.
  pipeline_.settings.more["tables"] =
      map({{"visits", map({{"mode", text("incremental")}, {"primary_key", text("v")}})}});
  load(5);
}

TEST_F(RivetRule8, AWrongKeyOfATableIsShown) {
  pipeline_.settings.more["tables"] = map({{"visits", map({{"mood", text("full")}})}});
  const CycleReport report = load(1);
  ASSERT_TRUE(report.error);
  EXPECT_NE(describe(*report.error).find("forebay.yaml:9: mood"), std::string::npos)
      << describe(*report.error);
}

TEST_F(RivetRule8, ASchemaIsPartOfTheName) {
  ExportRun sales = run("orders", 10, "SELECT 1 AS id");
  sales.table = "sales.orders";
  runs_.deliver(sales);
  load();
  EXPECT_EQ(rows("sales_orders"), (Lines{"1"}));
}

// Layouts with the day or the run in the path: each folder has its own manifests.
TEST_F(RivetRule8, RunsMayHaveFoldersOfTheirOwn) {
  ExportRun first = run("orders", 10, "SELECT 1 AS id");
  first.folder = "orders/2026-11-30";
  ExportRun second = run("orders", 11, "SELECT 2 AS id");
  second.folder = "orders/2026-12-01";
  runs_.deliver(first);
  load();
  runs_.deliver(second);
  load();
  EXPECT_EQ(rows("orders"), (Lines{"2"}));
}

}  // namespace
}  // namespace forebay::test
