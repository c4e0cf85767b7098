#include <gtest/gtest.h>

#include <string>

#include "support/pipeline_fixture.h"

// Aim: rule 10 of the feed `rollerup` and the policy on_schema_change: columns that come, go, move
// and widen, and what is drift (DRIFT-1, DRIFT-4, DRIFT-7, DRIFT-13). Method: two files with
// different columns, loaded one after the other and together.
namespace forebay::test {
namespace {

using Rows = std::vector<FeedRow>;

class RollerupRule10 : public RollerupTest {
 protected:
  explicit RollerupRule10(std::vector<std::pair<std::string, std::string>> options = {})
      : RollerupTest(std::move(options)) {}

  FeedFile file(FeedColumns columns, Rows rows) {
    return {.table = "visits", .rows = std::move(rows), .columns = std::move(columns)};
  }
  void deliver_file(int quarter, FeedColumns columns, Rows rows) {
    deliver(batch(batch_name(quarter), {file(std::move(columns), std::move(rows))}));
  }
  // A column `n` of one type, then of another; what becomes of both values and of the column.
  void expect_widening(const std::string& first, Cell a, const std::string& second, Cell b,
                       const std::string& type, const Lines& expected) {
    SCOPED_TRACE(first + " meets " + second);
    const std::string table = "t" + std::to_string(++tables_);
    FeedFile one{.table = table, .rows = {put("a", {std::move(a)})}, .columns = {{"n", first}}};
    FeedFile two{.table = table, .rows = {put("b", {std::move(b)})}, .columns = {{"n", second}}};
    deliver(batch(batch_name(++markers_), {one}));
    load();
    deliver(batch(batch_name(++markers_), {two}));
    load();
    EXPECT_EQ(columns(table), (Lines{"_row_id|VARCHAR", "n|" + type}));
    EXPECT_EQ(rows(table), expected);
    const std::string together = "u" + std::to_string(tables_);
    one.table = two.table = together;
    deliver(batch(batch_name(++markers_), {one, two}));
    load();
    EXPECT_EQ(columns(together), columns(table));
    EXPECT_EQ(rows(together), expected);
  }
  void expect_drift(const std::string& first, Cell a, const std::string& second, Cell b) {
    SCOPED_TRACE(first + " meets " + second);
    const std::string table = "t" + std::to_string(++tables_);
    deliver(
        batch(batch_name(++markers_),
              {{.table = table, .rows = {put("a", {std::move(a)})}, .columns = {{"n", first}}}}));
    load();
    const Lines before = rows(table);
    const Marker bad =
        batch(batch_name(++markers_),
              {{.table = table, .rows = {put("b", {std::move(b)})}, .columns = {{"n", second}}}});
    deliver(bad);
    const CycleReport report = load(4);
    EXPECT_TRUE(report.error->cause.contains("'n'") || report.error->cause.contains("n ("))
        << text(report);
    EXPECT_EQ(rows(table), before);
    EXPECT_EQ(columns(table), (Lines{"_row_id|VARCHAR", "n|" + first}));
    feed_.remove_marker(bad.name);
  }

  int tables_ = 0;
  int markers_ = 0;
};

TEST_F(RollerupRule10, ANewColumnIsAddedAtTheEndAndNullOnOlderRows) {
  deliver_file(1, {{"amount", "INTEGER"}, {"note", "VARCHAR"}},
               {put("a", {1, "x"}), put("b", {1, "x"})});
  load();
  deliver_file(2, {{"lane", "VARCHAR"}, {"amount", "INTEGER"}, {"note", "VARCHAR"}},
               {put("b", {"left", 2, "y"})});
  load();
  EXPECT_EQ(columns("visits"),
            (Lines{"_row_id|VARCHAR", "amount|INTEGER", "note|VARCHAR", "lane|VARCHAR"}));
  EXPECT_EQ(rows("visits"), (Lines{"a|1|x|null", "b|2|y|left"}));
}

TEST_F(RollerupRule10, AColumnThatAFileLacksIsNullOnTheRowsItWrites) {
  deliver_file(1, {{"amount", "INTEGER"}, {"note", "VARCHAR"}},
               {put("a", {1, "x"}), put("b", {1, "x"})});
  deliver_file(2, {{"note", "VARCHAR"}}, {put("b", {"y"}), put("c", {"y"})});
  load();
  EXPECT_EQ(rows("visits"), (Lines{"a|1|x", "b|null|y", "c|null|y"}));
}

TEST_F(RollerupRule10, ColumnsAreMatchedByNameAndNotByPosition) {
  deliver_file(1, {{"first", "VARCHAR"}, {"second", "VARCHAR"}}, {put("a", {"1", "2"})});
  deliver_file(2, {{"second", "VARCHAR"}, {"first", "VARCHAR"}}, {put("b", {"2", "1"})});
  load();
  EXPECT_EQ(rows("visits"), (Lines{"a|1|2", "b|1|2"}));
}

TEST_F(RollerupRule10, AnEmptyFileBringsItsNewColumns) {
  deliver_file(1, {{"amount", "INTEGER"}}, {put("a", {1})});
  load();
  deliver_file(2, {{"amount", "INTEGER"}, {"lane", "VARCHAR"}}, {});
  load();
  EXPECT_EQ(rows("visits"), (Lines{"a|1|null"}));
}

// CASE-3
TEST_F(RollerupRule10, OddNamesAreKeptExactly) {
  deliver_file(1,
               {{"a \"b\"; DROP TABLE x", "INTEGER"}, {"select", "INTEGER"}, {"größe", "INTEGER"}},
               {put("a", {1, 2, 3})});
  load();
  EXPECT_EQ(columns("visits"), (Lines{"_row_id|VARCHAR", "a \"b\"; DROP TABLE x|INTEGER",
                                      "select|INTEGER", "größe|INTEGER"}));
  EXPECT_EQ(rows("visits"), (Lines{"a|1|2|3"}));
}

// What the loader calls things in its own statements may be a column's name as well.
TEST_F(RollerupRule10, ColumnsMayBeCalledLikeAnythingInTheStatements) {
  FeedColumns names;
  std::vector<Cell> cells;
  for (const char* name :
       {"t", "d", "g", "s", "n", "o", "a", "l", "r", "k", "rowid", "rank", "place", "file_id",
        "is_delete", "filename", "unit", "column0", "_forebay_order"}) {
    names.push_back({name, "INTEGER"});
    cells.push_back(static_cast<std::int64_t>(cells.size()));
  }
  const auto same = [&](const char* id) { return put(id, cells); };
  deliver_file(1, names, {same("a"), same("b"), same("c")});
  load();
  deliver_file(3, names, {same("a"), gone("b")});
  load();
  deliver_file(2, names, {same("b"), same("d")});
  load();
  EXPECT_EQ(
      query("SELECT _row_id, t, d, rank, \"filename\", \"column0\" FROM carwash.visits ORDER BY 1"),
      (Lines{"a|0|1|11|15|17", "c|0|1|11|15|17", "d|0|1|11|15|17"}));
  EXPECT_EQ(query("SELECT DISTINCT \"rowid\" FROM carwash.visits"), (Lines{"10"}));
  deliver(snapshot(batch_name(4), {file(names, {same("e"), gone("f")})}));
  load();
  EXPECT_EQ(query("SELECT _row_id, place FROM carwash.visits"), (Lines{"e|12"}));
  EXPECT_EQ(columns("visits").size(), names.size() + 1) << "and every load finds the columns again";
}

TEST_F(RollerupRule10, ColumnsCalledAsTheReadersOwnAreLoaded) {
  deliver_file(1, {{"file_index", "INTEGER"}, {"v", "VARCHAR"}, {"FILE_ROW_NUMBER", "INTEGER"}},
               {put("a", {7, "x", 8}), put("b", {9, "y", 10})});
  load();
  deliver_file(2, {{"file_row_number", "INTEGER"}}, {put("a", {11})});
  load();
  EXPECT_EQ(columns("visits"), (Lines{"_row_id|VARCHAR", "file_index|INTEGER", "v|VARCHAR",
                                      "FILE_ROW_NUMBER|INTEGER"}));
  EXPECT_EQ(rows("visits"), (Lines{"a|null|null|11", "b|9|y|10"}));
}

TEST_F(RollerupRule10, TypesWidenWhereNoValueCanChange) {
  expect_widening("INTEGER", -2147483648, "BIGINT", 9223372036854775807, "BIGINT",
                  {"a|-2147483648", "b|9223372036854775807"});
  expect_widening("BIGINT", 9223372036854775807, "INTEGER", 7, "BIGINT",
                  {"a|9223372036854775807", "b|7"});
  expect_widening("SMALLINT", 7, "INTEGER", 70000, "INTEGER", {"a|7", "b|70000"});
  expect_widening("UINTEGER", 4294967295, "INTEGER", -1, "BIGINT", {"a|4294967295", "b|-1"});
  expect_widening("BIGINT", -1, "UBIGINT", "18446744073709551615", "HUGEINT",
                  {"a|-1", "b|18446744073709551615"});
  expect_widening("FLOAT", 1.25, "DOUBLE", 1.1, "DOUBLE", {"a|1.25", "b|1.1"});
  // There is no cast from nanoseconds back to seconds.
  expect_widening("TIMESTAMP_NS", "2024-01-01 00:00:00.123456789", "TIMESTAMP_S",
                  "2024-01-02 00:00:01", "TIMESTAMP_NS",
                  {"a|2024-01-01 00:00:00.123456789", "b|2024-01-02 00:00:01"});
  expect_widening("DECIMAL(6,2)", "1234.56", "DECIMAL(9,4)", "1.2345", "DECIMAL(9,4)",
                  {"a|1234.5600", "b|1.2345"});
  expect_widening("INTEGER", 7, "DECIMAL(14,2)", "1.25", "DECIMAL(14,2)", {"a|7.00", "b|1.25"});
}

TEST_F(RollerupRule10, A64BitIntegerMeetsDoublesOnlyIfEveryValueSurvives) {
  expect_widening("DOUBLE", 1.5, "BIGINT", 9007199254740992, "DOUBLE",
                  {"a|1.5", "b|9007199254740992.0"});
  expect_drift("TIMESTAMP_NS", "2024-01-01 00:00:00.5", "TIMESTAMP_S", "9999-01-01 00:00:00");
  expect_drift("DOUBLE", 1.5, "BIGINT", 9007199254740993);
  expect_drift("BIGINT", 1, "DOUBLE", 1.5);
}

TEST_F(RollerupRule10, WhatCannotWidenIsDriftAndAppliesNothing) {
  expect_drift("INTEGER", 1, "VARCHAR", "one");
  expect_drift("VARCHAR", "one", "INTEGER", 1);
  expect_drift("BOOLEAN", true, "INTEGER", 1);
  expect_drift("DATE", "2026-10-20", "VARCHAR", "2026-10-20");
  expect_drift("UBIGINT", 1, "DOUBLE", 1.5);
}

TEST_F(RollerupRule10, AColumnThatIsAllNullTakesTheTypeOfItsFirstValue) {
  deliver_file(1, {{"n", "INTEGER"}}, {put("a", {Cell{}})});
  load();
  deliver_file(2, {{"n", "VARCHAR"}}, {put("b", {"text"})});
  load();
  EXPECT_EQ(rows("visits"), (Lines{"a|null", "b|text"}));
}

TEST_F(RollerupRule10, AColumnThatGetsItsFirstValueInABatchHasVotedForTheRestOfIt) {
  deliver_file(1, {{"n", "INTEGER"}}, {put("a", {Cell{}})});
  load();
  deliver_file(2, {{"n", "INTEGER"}}, {put("b", {5})});
  deliver_file(3, {{"n", "VARCHAR"}}, {put("c", {"text"})});
  load(4);  // as it would be one by one
  EXPECT_EQ(columns("visits"), (Lines{"_row_id|VARCHAR", "n|INTEGER"}));
  EXPECT_EQ(rows("visits"), (Lines{"a|null", "b|5"}));
}

// DRIFT-13: nor does a file whose column holds no value, whatever type its writer gave it.
TEST_F(RollerupRule10, AColumnThatIsAllNullInAFileFitsAnyType) {
  deliver_file(0, {{"n", "BIGINT"}}, {put("a", {1}), put("b", {2})});
  load();
  int quarter = 1;
  for (const char* type : {"VARCHAR", "BOOLEAN", "TIMESTAMP", "INTEGER[]", "STRUCT(x INTEGER)"}) {
    deliver_file(quarter, {{"n", type}}, {put("a", {Cell{}})});
    deliver_file(quarter + 1, {{"n", "BIGINT"}}, {put("c", {quarter})});
    quarter += 2;
  }
  load();
  EXPECT_EQ(rows("visits"), (Lines{"a|null", "b|2", "c|9"}));
  EXPECT_EQ(columns("visits"), (Lines{"_row_id|VARCHAR", "n|BIGINT"}));
  deliver_file(quarter, {{"n", "VARCHAR"}}, {put("a", {Cell{}}), put("b", {"text"})});
  load(4);
}

// A column that could not keep its name is bound to the name it has in files, for good.
TEST_F(RollerupRule10, ARenamedColumnMeetsItsExactNameAndNoOther) {
  deliver_file(0, {{"total", "INTEGER"}, {"_forebay_file", "INTEGER"}}, {put("a", {1, 2})});
  load();
  EXPECT_EQ(columns("visits"),
            (Lines{"_row_id|VARCHAR", "total|INTEGER", "x_forebay_file|INTEGER"}));
  deliver_file(1, {{"total", "INTEGER"}, {"x_forebay_file", "INTEGER"}}, {put("b", {3, 4})});
  deliver_file(2, {{"total", "INTEGER"}, {"_forebay_file", "INTEGER"}}, {put("c", {5, 6})});
  load();
  EXPECT_EQ(rows("visits"), (Lines{"a|1|2|null", "b|3|null|4", "c|5|6|null"}));
  EXPECT_EQ(query("SELECT value FROM _forebay.pipelines WHERE fact = 'names' AND subject = "
                  "'carwash.visits' ORDER BY commit_no DESC LIMIT 1"),
            (Lines{R"({"x_forebay_file":"_forebay_file","x_forebay_file_2":"x_forebay_file"})"}));
}

TEST_F(RollerupRule10, AFileWithoutRowsDoesNotVoteOnTypes) {
  deliver_file(1, {{"n", "VARCHAR"}}, {});
  deliver_file(2, {{"n", "INTEGER"}}, {put("a", {1})});
  load();
  deliver_file(3, {{"n", "DATE"}}, {});
  load();
  EXPECT_EQ(columns("visits"), (Lines{"_row_id|VARCHAR", "n|INTEGER"}));
  EXPECT_EQ(rows("visits"), (Lines{"a|1"}));
}

TEST_F(RollerupRule10, OnlyTheMarkersBeforeADriftAreApplied) {
  deliver_file(1, {{"n", "INTEGER"}}, {put("a", {1})});
  deliver_file(2, {{"n", "INTEGER"}}, {put("b", {2})});
  deliver_file(3, {{"n", "VARCHAR"}}, {put("c", {"three"})});
  deliver_file(4, {{"n", "INTEGER"}}, {put("d", {4})});
  EXPECT_EQ(load(4).units.applied, 2U);
  EXPECT_EQ(rows("visits"), (Lines{"a|1", "b|2"}));
}

class RollerupRule10Fail : public RollerupRule10 {
 protected:
  RollerupRule10Fail() : RollerupRule10({{"on_schema_change", "fail"}}) {}
};

TEST_F(RollerupRule10Fail, ANewColumnIsDrift) {
  deliver_file(1, {{"n", "INTEGER"}}, {put("a", {1})});
  load();
  deliver_file(2, {{"n", "INTEGER"}, {"m", "INTEGER"}}, {put("b", {1, 2})});
  load(4);
  EXPECT_EQ(rows("visits"), (Lines{"a|1"}));
}

class RollerupRule10Ignore : public RollerupRule10 {
 protected:
  RollerupRule10Ignore() : RollerupRule10({{"on_schema_change", "ignore"}}) {}
};

TEST_F(RollerupRule10Ignore, ANewColumnIsLeftOutWithAWarning) {
  deliver_file(1, {{"n", "INTEGER"}}, {put("a", {1})});
  load();
  deliver_file(2, {{"n", "INTEGER"}, {"m", "INTEGER"}}, {put("b", {1, 2})});
  EXPECT_TRUE(warns(load(), "new column 'm' is ignored"));
  EXPECT_EQ(rows("visits"), (Lines{"a|1", "b|1"}));
}

class RollerupRule10Add : public RollerupRule10 {
 protected:
  RollerupRule10Add() : RollerupRule10({{"on_schema_change", "add"}}) {}
};

TEST_F(RollerupRule10Add, ColumnsAreAddedButNeverWidened) {
  deliver_file(1, {{"n", "INTEGER"}}, {put("a", {1})});
  load();
  deliver_file(2, {{"n", "INTEGER"}, {"m", "INTEGER"}}, {put("b", {1, 2})});
  load();
  deliver_file(3, {{"n", "BIGINT"}}, {put("c", {3})});
  load(4);
  EXPECT_EQ(rows("visits"), (Lines{"a|1|null", "b|1|2"}));
}

}  // namespace
}  // namespace forebay::test
