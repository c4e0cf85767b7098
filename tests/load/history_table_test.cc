#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/arrivals.h"
#include "support/pipeline_fixture.h"

// Aim: `keep: both` in a feed whose units have an order: every delivered row stands in the history,
// and a row `cleared` for each key that a snapshot removed, whatever the order in which units
// become visible (CONTRACT, section 3; FEEDS 2.1 rule 8). Method: RollerUp deliveries; every order
// of arrival gives the tables that one load of everything gives.
namespace forebay::test {
namespace {

class HistoryTable : public RollerupTest {
 protected:
  HistoryTable() : RollerupTest({{"keep", "both"}}) {}
};

// What happened to each key, with the unit that brought it, in the order of units and rows.
std::string history_sql(const std::string& schema) {
  return "SELECT u.unit, h._row_id, h.amount, h._deleted, h._forebay_op, h._forebay_row FROM " +
         schema +
         ".visits__history h JOIN _forebay.file_log u ON u.file_id = h._forebay_file "
         "ORDER BY u.place, u.file_id, h._forebay_row, h._row_id";
}

FeedFile visits(std::vector<FeedRow> rows) { return {.table = "visits", .rows = std::move(rows)}; }
FeedRow row(const std::string& id, std::int64_t amount) { return put(id, {amount}); }

std::vector<Marker> life() {
  return {batch(batch_name(0), {visits({row("a", 1), row("b", 1), row("a", 2)})}),
          batch(batch_name(1), {visits({gone("b"), row("c", 3)})}),
          snapshot(batch_name(2), {visits({row("c", 4), row("d", 4)})}),
          batch(batch_name(3), {visits({row("a", 5), gone("d")})}),
          snapshot(batch_name(4), {visits({})})};
}

const Lines kHistory = {"20261020T140000Z.json|a|1|false|put|0",
                        "20261020T140000Z.json|b|1|false|put|1",
                        "20261020T140000Z.json|a|2|false|put|2",
                        "20261020T141500Z.json|b|null|true|delete|0",
                        "20261020T141500Z.json|c|3|false|put|1",
                        "20261020T143000Z.snapshot.json|c|4|false|put|0",
                        "20261020T143000Z.snapshot.json|d|4|false|put|1",
                        "20261020T143000Z.snapshot.json|a|null|null|cleared|null",
                        "20261020T144500Z.json|a|5|false|put|0",
                        "20261020T144500Z.json|d|null|true|delete|1",
                        "20261020T150000Z.snapshot.json|a|null|null|cleared|null",
                        "20261020T150000Z.snapshot.json|c|null|null|cleared|null"};

TEST_F(HistoryTable, HasEveryRowAndWhatSnapshotsRemoved) {
  for (const Marker& marker : life()) feed_.deliver(marker);
  load();
  EXPECT_EQ(rows("visits"), Lines{});
  EXPECT_EQ(query(history_sql("carwash")), kHistory);
}

// Several markers become visible at a time, so that batches of several units are met as well.
void expect_any_order(std::size_t count, std::size_t together) {
  const std::vector<Marker> markers = life();
  Arrivals arrivals(
      {.options = {{"keep", "both"}}}, count, together,
      [&](const std::string& source, std::size_t i) { FeedMaker(source, "").deliver(markers[i]); });
  const Lines expected(kHistory.begin(), kHistory.end() - (count == 5 ? 0 : 2));
  EXPECT_EQ(arrivals.lines(history_sql("$S")), expected);
  const Lines current = count == 5 ? Lines{} : Lines{"a|5", "c|4"};
  EXPECT_EQ(arrivals.lines("SELECT _row_id, amount FROM $S.visits ORDER BY ALL"), current);
}

TEST(HistoryTableOrders, EveryOrderOfFourMarkersOneByOneGivesTheSameTables) {
  expect_any_order(4, 1);
}

TEST(HistoryTableOrdersOfFive, EveryOrderOfFiveMarkersThreeAtATimeGivesTheSameTables) {
  expect_any_order(5, 3);
}

TEST_F(HistoryTable, NewAndWiderColumnsReachItToo) {
  feed_.deliver(batch(batch_name(0), {visits({row("a", 1)})}));
  load();
  feed_.deliver(batch(batch_name(1), {{.table = "visits",
                                       .rows = {put("a", {std::int64_t{3'000'000'000}, "x"})},
                                       .columns = {{"amount", "BIGINT"}, {"shop", "VARCHAR"}}}}));
  load();
  EXPECT_EQ(query("SELECT _row_id, amount, shop, _forebay_op FROM carwash.visits__history "
                  "ORDER BY amount"),
            (Lines{"a|1|null|put", "a|3000000000|x|put"}));
  EXPECT_EQ(query("SELECT amount FROM carwash.visits"), (Lines{"3000000000"}));
}

TEST_F(HistoryTable, ATableOfItsNameThatIsNotOursIsRefused) {
  feed_.deliver(batch(batch_name(0), {visits({row("a", 1)})}));
  run_in_database(database_, "CREATE SCHEMA carwash; CREATE TABLE carwash.visits__history (x INT)");
  const CycleReport report = load(5);
  ASSERT_TRUE(report.error);
  EXPECT_TRUE(report.error->object.contains("visits__history")) << text(report);
}

TEST_F(HistoryTable, WhatIsKeptIsFixedOnceRowsStand) {
  feed_.deliver(batch(batch_name(0), {visits({row("a", 1)})}));
  load();
  pipeline_.settings.options = {{"keep", "current"}};
  feed_.deliver(batch(batch_name(1), {visits({row("a", 2)})}));
  load(5);
  EXPECT_EQ(query("SELECT amount FROM carwash.visits"), (Lines{"1"}));
}

}  // namespace
}  // namespace forebay::test
