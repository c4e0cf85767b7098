#include <gtest/gtest.h>

#include <string>

#include "support/append_fixture.h"

// Aim: FEEDS 2.5, rule 1: a cycle reads the rows above the mark, which the ledger keeps exactly,
// with type and unit, in every time format.
// Method: files in a folder, loaded in process; the ledger's mark is read as text.
namespace forebay::test {
namespace {

class AppendMark : public AppendTest {
 protected:
  // One row as `type` at each of two times; the mark after the first, then after the second.
  void expect_marks(const std::string& type, const std::string& first, const std::string& second,
                    const std::string& first_mark, const std::string& second_mark) {
    put_file("a.parquet", "SELECT " + first + "::" + type + " AS t");
    load();
    EXPECT_EQ(mark(), first_mark);
    put_file("b.parquet", "SELECT unnest([" + first + ", " + second + "]::" + type + "[]) AS t");
    load();
    EXPECT_EQ(mark(), second_mark);
    EXPECT_EQ(query("SELECT count(*), count(DISTINCT t) FROM main.events"), (Lines{"2|2"}));
  }
};

TEST_F(AppendMark, Rule1ReadsOnlyRowsAboveTheMark) {
  set("time_format", "unix_seconds");
  put_numbers("a.parquet", {1, 2, 3});
  EXPECT_EQ(load().units.applied, 1U);
  put_numbers("b.parquet", {2, 3, 4, 5});
  load();
  EXPECT_EQ(column(), (Lines{"1", "2", "3", "4", "5"}));
  EXPECT_EQ(mark(), "unix_seconds s 5");
}

TEST_F(AppendMark, Rule1AWindowIsAUnitNamedAfterItsCommit) {
  set("time_format", "unix_seconds");
  put_numbers("a.parquet", {1, 2});
  put_numbers("b.parquet", {3});
  load();
  put_numbers("c.parquet", {3, 4});
  load();
  EXPECT_EQ(query("SELECT unit, kind, state, files, rows FROM _forebay.units ORDER BY commit_no"),
            (Lines{"1|window|applied|2|3", "2|window|applied|1|1"}));
  EXPECT_EQ(
      query("SELECT f.store_key, f.unit, f.rows, count(e._forebay_file) FROM _forebay.files "
            "f LEFT JOIN main.events e ON e._forebay_file = f.file_id GROUP BY ALL ORDER BY 1"),
      (Lines{"a.parquet|1|2|2", "b.parquet|1|1|1", "c.parquet|2|1|1"}));
}

TEST_F(AppendMark, Rule1TimestampsKeepTheirUnit) {
  expect_marks("TIMESTAMP", "'2026-01-01 00:00:00.000001'", "'2026-01-01 00:00:00.000002'",
               "timestamp us 1767225600000001", "timestamp us 1767225600000002");
}

TEST_F(AppendMark, Rule1NanosecondsAreNotRounded) {
  expect_marks("TIMESTAMP_NS", "'2026-01-01 00:00:00.000000001'", "'2026-01-01 00:00:00.000000002'",
               "timestamp ns 1767225600000000001", "timestamp ns 1767225600000000002");
}

TEST_F(AppendMark, Rule1TimesWithAZoneAreInstants) {
  expect_marks("TIMESTAMPTZ", "'2026-01-01 01:00:00+01'", "'2026-01-01 00:00:00.000001+00'",
               "timestamptz us 1767225600000000", "timestamptz us 1767225600000001");
}

TEST_F(AppendMark, Rule1UnixMillis) {
  set("time_format", "unix_millis");
  expect_marks("BIGINT", "1767225600000", "1767225600001", "unix_millis ms 1767225600000",
               "unix_millis ms 1767225600001");
}

TEST_F(AppendMark, Rule1UnixNanos) {
  set("time_format", "unix_nanos");
  expect_marks("UBIGINT", "1767225600000000000", "1767225600000000001",
               "unix_nanos ns 1767225600000000000", "unix_nanos ns 1767225600000000001");
}

// Spice #10009: texts are compared as instants, whatever their offset and the width of the
// fraction.
TEST_F(AppendMark, Rule1Iso8601IsComparedAsInstants) {
  set("time_format", "iso8601");
  expect_marks("VARCHAR", "'2026-01-01T02:00:00+02:00'", "'2026-01-01T00:00:00.000000001Z'",
               "iso8601 ns 1767225600000000000", "iso8601 ns 1767225600000000001");
  put_file("c.parquet",
           "SELECT unnest(['2026-01-01T00:00:00.000000001+00:00', '2026-01-01 01:00:00.5+01:00', "
           "'2026-01-01T00:00:00.50', '2025-12-31T23:00:01-01:00']) AS t");
  load();
  EXPECT_EQ(column(), (Lines{"2025-12-31T23:00:01-01:00", "2026-01-01 01:00:00.5+01:00",
                             "2026-01-01T00:00:00.000000001Z", "2026-01-01T00:00:00.50",
                             "2026-01-01T02:00:00+02:00"}));
  EXPECT_EQ(mark(), "iso8601 ns 1767225601000000000");
}

TEST_F(AppendMark, Rule1ATextThatIsNoTimeSetsItsFileAside) {
  set("time_format", "iso8601");
  put_file("a.parquet", "SELECT '2026-01-01T00:00:00Z' AS t");
  put_file("b.parquet", "SELECT unnest(['2026-01-01T00:00:01Z', 'yesterday']) AS t");
  load(4);
  EXPECT_EQ(column(), (Lines{"2026-01-01T00:00:00Z"}));
}

TEST_F(AppendMark, Rule1ANumberNeedsATimeFormat) {
  put_numbers("a.parquet", {1});
  load(1);
  set("time_format", "unix_seconds");
  load();
  EXPECT_EQ(column(), (Lines{"1"}));
}

// CLOCK-4
TEST_F(AppendMark, Rule1AFormatThatTheColumnDoesNotHaveIsDrift) {
  set("time_format", "timestamp");
  put_numbers("a.parquet", {1});
  load(4);
}

TEST_F(AppendMark, Rule1AFileWithoutTheTimeColumnIsSetAside) {
  set("time_format", "unix_seconds");
  put_numbers("a.parquet", {1});
  put_file("b.parquet", "SELECT 2 AS other, 3 AS n");
  load(4);
  EXPECT_EQ(column(), (Lines{"1"}));
}

TEST_F(AppendMark, Rule1TheTimeColumnIsFixedOnceRowsStand) {
  put_file("a.parquet", "SELECT TIMESTAMP '2026-01-01' AS t, TIMESTAMP '2026-01-02' AS u");
  load();
  set("time_column", "u");
  load(5);
}

// A window in several transactions: the mark moves with the last.
TEST_F(AppendMark, Rule1AWindowThatWasCutIsFinishedWithTheOldMark) {
  set("time_format", "unix_seconds");
  put_numbers("a.parquet", {10});
  load();
  put_numbers("b.parquet", {30, 31});
  put_numbers("c.parquet", {20, 21});
  load(0, {.max_units = 1});
  EXPECT_EQ(mark(), "unix_seconds s 10");
  load();
  EXPECT_EQ(column(), (Lines{"10", "20", "21", "30", "31"}));
  EXPECT_EQ(mark(), "unix_seconds s 31");
}

// Nothing of a file that was refused is lost, although the mark went on without it.
TEST_F(AppendMark, Rule1AFileThatWasRefusedIsReadFromTheMarkOfThatTime) {
  set("time_format", "unix_seconds");
  put_numbers("a.parquet", {10});
  load();
  folder_.write("in/bad.parquet", "not Parquet at all");
  put_numbers("b.parquet", {30});
  load(3);
  EXPECT_EQ(mark(), "unix_seconds s 30");
  put_numbers("bad.parquet", {5, 20, 40});
  load();
  EXPECT_EQ(column(), (Lines{"10", "20", "30", "40"}));
}

TEST_F(AppendMark, Rule1AnIdleCycleOpensNothingAndWritesNothing) {
  set("time_format", "unix_seconds");
  put_numbers("a.parquet", {1});
  load();
  const CycleReport report = load();
  EXPECT_EQ(report.outcome, Outcome::nothing_new);
  EXPECT_EQ(report.units.already_applied, 1U);
  EXPECT_EQ(report.requests.get + report.requests.head, 0U);
  EXPECT_EQ(query("SELECT count(*) FROM _forebay.commits"), (Lines{"1"}));
}

}  // namespace
}  // namespace forebay::test
