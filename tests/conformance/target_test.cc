// Aim: what target.h promises of rows holds for every kind of target: each effect, all or nothing.
// Method: batches made by hand, the same for each target, and a look at the database by other
// means.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/target_fixture.h"

namespace forebay::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

using TargetRows = TargetConformanceTest;

TEST_P(TargetRows, RowsAndEntriesCommitTogether) {
  auto target = open();
  const TableCounts counts = apply(*target, batch(1, 1, change(1, {{"a", 1}, {"b", 2}}, true)));
  EXPECT_EQ(counts.inserted, 2U);
  EXPECT_EQ(counts.rows_after, 2U);
  const auto head = target->head("p");
  ASSERT_TRUE(head) << describe(head.error());
  EXPECT_EQ(head->commit_no, 1);
  EXPECT_EQ(head->mark_place, std::string("\x01\0u'\xff", 5));
  EXPECT_EQ(head->mark_time, kNow);
  EXPECT_EQ(head->next_file_id, 2);
  EXPECT_EQ(head->first_seen, kNow);
  ASSERT_THAT(head->facts, SizeIs(1));
  EXPECT_EQ(head->facts[0].subject, table().display());
  const auto known = target->known("p", {"nobody", "u1"});
  ASSERT_TRUE(known) << describe(known.error());
  ASSERT_THAT(*known, SizeIs(1));
  EXPECT_EQ(known->at(0).version, "v1");
  EXPECT_EQ(known->at(0).place, "\x01u1");
  EXPECT_TRUE(known->at(0).applied);
  const auto state = target->describe("p", {table()}).value().at(0);
  EXPECT_EQ(state.owner, "p");
  EXPECT_EQ(state.rows, 2U);
  EXPECT_THAT(state.columns, ElementsAre(Column{"k", {.kind = TypeKind::text}},
                                         Column{"v", {.kind = TypeKind::int32}}));
  target.reset();
  EXPECT_EQ(rows(), "a|1,b|2");
  EXPECT_EQ(states(), "1|live");
  EXPECT_THAT(place_->rows({"tables"}, "_forebay.commits"), HasSubstr("\"inserted\":2"));
}

TEST_P(TargetRows, RowsWithoutAKeyAppend) {
  auto target = open();
  apply(*target, batch(1, 1, change(1, {{"a", 1}, {"a", 1}}, true, {})));
  const TableCounts counts = apply(*target, batch(2, 2, change(2, {{"a", 1}}, false, {})));
  EXPECT_EQ(counts.inserted, 1U);
  EXPECT_EQ(counts.rows_after, 3U);
  target.reset();
  EXPECT_EQ(place_->rows({"k", "v", "_forebay_file"}, table().display()), "a|1|1,a|1|1,a|1|2");
}

TEST_P(TargetRows, APutReplacesADeleteBuriesAndAPutBringsBack) {
  auto target = open();
  apply(*target, batch(1, 1, change(1, {{"a", 1}, {"b", 2}, {"c", 3}}, true)));
  const TableCounts counts =
      apply(*target,
            batch(2, 2, change(2, {{"a", 10}, {"b", 0, true}, {"x", 0, true}, {"d", 4}}, false)));
  EXPECT_EQ(counts.inserted, 1U);
  EXPECT_EQ(counts.updated, 1U);
  EXPECT_EQ(counts.deleted, 1U);
  EXPECT_EQ(counts.ignored.at("unknown_key"), 1U);
  target.reset();
  EXPECT_EQ(rows(), "a|10,c|3,d|4");
  EXPECT_EQ(gone(), "b,x");
  target = open();
  apply(*target, batch(3, 3, change(3, {{"b", 5}}, false)));
  target.reset();
  EXPECT_EQ(rows(), "a|10,b|5,c|3,d|4");
  EXPECT_EQ(gone(), "x");
}

TEST_P(TargetRows, ASnapshotReplacesRowsAndRetractsFiles) {
  auto target = open();
  apply(*target, batch(1, 1, change(1, {{"a", 1}, {"b", 0, true}}, true)));
  TableChange next = change(2, {{"c", 3}}, false);
  next.clear = true;
  next.clear_place = "\x01u2";
  next.clear_below_file = 2;
  const TableCounts counts = apply(*target, batch(2, 2, next));
  EXPECT_EQ(counts.deleted, 1U);
  EXPECT_EQ(counts.inserted, 1U);
  EXPECT_EQ(target->describe("p", {table()}).value().at(0).cleared_place, "\x01u2");
  target.reset();
  EXPECT_EQ(rows(), "c|3");
  EXPECT_EQ(gone(), "");
  EXPECT_EQ(states(), "1|retracted,2|live");
}

TEST_P(TargetRows, ASnapshotMayBringNothing) {
  auto target = open();
  apply(*target, batch(1, 1, change(1, {{"a", 1}}, true)));
  TableChange next = change(2, {}, false);
  next.clear = true;
  next.clear_place = "\x01u2";
  next.clear_below_file = 2;
  EXPECT_EQ(apply(*target, batch(2, 2, next)).rows_after, 0U);
  target.reset();
  EXPECT_EQ(rows(), "");
}

TEST_P(TargetRows, FilesAreTakenBackWithRowsAndTombstones) {
  auto target = open();
  apply(*target, batch(1, 1, change(1, {{"a", 1}}, true)));
  apply(*target, batch(2, 2, change(2, {{"b", 2}, {"c", 0, true}}, false)));
  TableChange next = change(3, {{"d", 4}}, false);
  next.retract = {2};
  EXPECT_EQ(apply(*target, batch(3, 3, next)).deleted, 1U);
  target.reset();
  EXPECT_EQ(rows(), "a|1,d|4");
  EXPECT_EQ(gone(), "");
  EXPECT_EQ(states(), "1|live,2|retracted,3|live");
}

TEST_P(TargetRows, ColumnsAreAddedAndWidened) {
  auto target = open();
  apply(*target, batch(1, 1, change(1, {{"a", 1}}, true)));
  TableChange next = change(2, {{"b", 2}}, false);
  next.columns[1].type.kind = TypeKind::int64;
  next.columns.push_back({"w \"x\"", {.kind = TypeKind::float64}});
  next.added = {next.columns[2]};
  next.retyped = {next.columns[1]};
  next.delta.rows =
      "(SELECT k, 5000000000::BIGINT AS v, 0.5::DOUBLE AS \"w \"\"x\"\"\", "
      "_forebay_file, _forebay_delete, _forebay_rank FROM " +
      next.delta.rows + ")";
  apply(*target, batch(2, 2, next));
  EXPECT_EQ(target->describe("p", {table()}).value().at(0).columns, next.columns);
  target.reset();
  EXPECT_EQ(place_->rows({"k", "v", "\"w \"\"x\"\"\""}, table().display()),
            "a|1|null,b|5000000000|0.5");
}

TEST_P(TargetRows, SeveralTablesOfSeveralUnitsAreOneTransaction) {
  auto target = open();
  Batch two = batch(1, 1, change(1, {{"a", 1}}, true));
  TableChange other = change(2, {{"b", 2}}, true, {});
  other.table.name = "Other t";
  two.tables.push_back(other);
  two.units.push_back(unit(2));
  two.files.push_back(file(2, other.table));
  two.last_file_id = 2;
  two.tables[1].delta.puts = 2;  // not what the delta has
  two.tables[1].delta.read = 2;
  const auto broken = target->apply(two);
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().code, ErrorCode::damaged) << describe(broken.error());
  EXPECT_EQ(target->head("p").value().commit_no, 0);
  EXPECT_FALSE(target->describe("p", {table()}).value().at(0).exists);
  two.tables[1].delta.puts = 1;
  two.tables[1].delta.read = 1;
  apply(*target, two);
  EXPECT_THAT(target->known("p", {"u1", "u2"}).value(), SizeIs(2));
  target.reset();
  EXPECT_EQ(rows(), "a|1");
  EXPECT_EQ(place_->rows({"k"}, place_->schema() + ".\"Other t\""), "b");
}

TEST_P(TargetRows, AHistoryKeepsEveryAction) {
  auto target = open();
  const auto with_history = [&](TableChange change) {
    change.history = HistoryChange{.create = change.create, .columns = change.columns};
    change.delta.rows =
        fmt::format("(SELECT *, true AS _forebay_current, 0::BIGINT AS _forebay_row FROM {})",
                    change.delta.rows);
    return change;
  };
  apply(*target, batch(1, 1, with_history(change(1, {{"a", 1}}, true))));
  apply(*target, batch(2, 2, with_history(change(2, {{"a", 0, true}}, false))));
  EXPECT_TRUE(target->describe("p", {table()}).value().at(0).has_history);
  target.reset();
  EXPECT_EQ(rows(), "");
  EXPECT_EQ(
      place_->rows({"k", "v", "_forebay_op", "_forebay_file"}, history_table(table()).display()),
      "a|1|put|1,a|null|delete|2");
}

TEST_P(TargetRows, RowsReadAgainAreAddedOnce) {
  auto target = open();
  apply(*target, batch(1, 1, change(1, {{"a", 1}, {"a", 1}, {"b", 2}}, true, {})));
  TableChange again = change(2, {{"a", 1}, {"a", 1}, {"a", 1}, {"b", 2}, {"c", 3}}, false, {});
  again.delta.kind = Delta::Kind::add_missing;
  again.match.earlier = {{1, 2}};
  again.match.range = TimeRange{
      .axis = {.column = "v", .type = {.kind = TypeKind::int32}, .form = TimeAxis::Form::number},
      .least = 1,
      .most = 3};
  const TableCounts counts = apply(*target, batch(2, 2, again));
  EXPECT_EQ(counts.inserted, 2U);
  EXPECT_EQ(counts.ignored.at("stored"), 3U);
  const auto standing = target->standing_files("p", table(), again.match.range);
  ASSERT_TRUE(standing) << describe(standing.error());
  EXPECT_THAT(*standing, SizeIs(2));
  TableChange moved = change(3, {{"a", 1}, {"d", 4}}, false, {});
  moved.delta.kind = Delta::Kind::add_missing;
  moved.match.gone = {1};
  EXPECT_EQ(apply(*target, batch(3, 3, moved)).inserted, 1U);
  target.reset();
  EXPECT_EQ(place_->rows({"k", "v", "_forebay_file"}, table().display()),
            "a|1|1,a|1|2,a|1|3,b|2|1,c|3|2,d|4|3");
}

TEST_P(TargetRows, RowsBeforeATimeExpire) {
  auto target = open();
  TableChange rows = change(1, {{"a", 1}, {"b", 2}}, true, {});
  rows.columns[1].type.kind = TypeKind::timestamp_us;
  rows.delta.rows =
      fmt::format("(SELECT k, make_timestamp(v * 1000000::BIGINT + 1) AS v, _forebay_file FROM {})",
                  rows.delta.rows);
  apply(*target, batch(1, 1, rows));
  TableChange expire{.table = table(), .columns = rows.columns};
  expire.expiry =
      Expiry{.axis = TimeAxis{.column = "v", .type = rows.columns[1].type}, .before = 1'000'001};
  EXPECT_FALSE(target->any_expired("p", table(), *expire.expiry).value());
  expire.expiry->before = 1'000'002;
  EXPECT_TRUE(target->any_expired("p", table(), *expire.expiry).value());
  Batch second{.pipeline = "p", .commit_no = 2, .decided_at = kNow, .last_file_id = 1};
  second.tables.push_back(expire);
  EXPECT_EQ(apply(*target, second).deleted, 1U);
  target.reset();
  EXPECT_EQ(place_->rows({"k"}, table().display()), "b");
}

INSTANTIATE_TEST_SUITE_P(Every, TargetRows, every_target(), target_kind_name);

}  // namespace
}  // namespace forebay::test
