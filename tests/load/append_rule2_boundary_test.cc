#include <gtest/gtest.h>

#include <string>

#include "support/append_fixture.h"

// Aim: FEEDS 2.5, rule 2, and the whole table of boundaries that another loader's users met.
// Method: files in a folder, loaded in process; each case is one row of that table.
namespace forebay::test {
namespace {

class AppendBoundary : public AppendTest {};

class AppendNumbers : public AppendTest {
 protected:
  AppendNumbers() : AppendTest({{"time_column", "t"}, {"time_format", "unix_seconds"}}) {}
};

TEST_F(AppendNumbers, Rule2ByDefaultRowsAreStrictlyAboveTheMark) {
  put_numbers("a.parquet", {1, 2});
  load();
  put_numbers("b.parquet", {2, 3});
  load();
  EXPECT_EQ(column(), (Lines{"1", "2", "3"}));
}

TEST_F(AppendNumbers, Rule2RowsThatShareTheMarkAndComeLaterNeedTheInclusiveBoundary) {
  set("boundary", "inclusive");
  put_numbers("a.parquet", {1, 2});
  load();
  put_numbers("b.parquet", {1, 2, 3});
  load();
  EXPECT_EQ(column(), (Lines{"1", "2", "2", "3"})) << "the second 2 is another file's row";
  put_numbers("b.parquet", {1, 2, 3, 3});
  load();
  EXPECT_EQ(column(), (Lines{"1", "2", "2", "3", "3"})) << "a row that was read counts once";
}

TEST_F(AppendNumbers, Rule2ARowExactlyAtTheMarkLessTheOverlapIsNotRead) {
  set("overlap", "3s");
  put_numbers("a.parquet", {10});
  load();
  put_numbers("b.parquet", {6, 7, 8});
  load();
  EXPECT_EQ(column(), (Lines{"8", "10"}));
}

TEST_F(AppendNumbers, Rule2WithTheInclusiveBoundaryItIs) {
  set("overlap", "3s");
  set("boundary", "inclusive");
  put_numbers("a.parquet", {10});
  load();
  put_numbers("b.parquet", {6, 7, 8});
  load();
  EXPECT_EQ(column(), (Lines{"7", "8", "10"}));
}

TEST_F(AppendNumbers, Rule2AnOverlapLargerThanTheMarkReadsEverything) {
  set("overlap", "1h");
  put_numbers("a.parquet", {10});
  load();
  put_numbers("b.parquet", {-5, 1});
  load();
  EXPECT_EQ(column(), (Lines{"-5", "1", "10"}));
}

TEST_F(AppendNumbers, Rule2MarksBefore1970AreMarks) {
  put_numbers("a.parquet", {-100, -50});
  load();
  EXPECT_EQ(mark(), "unix_seconds s -50");
  put_numbers("b.parquet", {-60, -50, -49});
  load();
  EXPECT_EQ(column(), (Lines{"-100", "-50", "-49"}));
}

TEST_F(AppendBoundary, Rule2TimestampsBefore1970) {
  set("overlap", "1s");
  put_file("a.parquet", "SELECT TIMESTAMP '1960-01-01 00:00:00.5' AS t");
  load();
  put_file("b.parquet",
           "SELECT unnest([TIMESTAMP '1959-12-31 23:59:59.5', TIMESTAMP '1959-12-31 "
           "23:59:59.500001']) AS t");
  load();
  EXPECT_EQ(column(), (Lines{"1959-12-31 23:59:59.500001", "1960-01-01 00:00:00.5"}));
}

TEST_F(AppendBoundary, Rule2ADayColumnIsReadFromTheStartOfTheMarksDay) {  // CLOCK-5
  put_file("a.parquet", "SELECT DATE '2026-01-02' AS t, 1 AS n");
  load();
  put_file("b.parquet",
           "SELECT unnest([DATE '2026-01-01', DATE '2026-01-02', DATE '2026-01-03']) AS t, 2 AS n");
  load();
  EXPECT_EQ(rows(), (Lines{"2026-01-02|1", "2026-01-02|2", "2026-01-03|2"}));
  EXPECT_EQ(mark(), "date day 20456");
}

TEST_F(AppendBoundary, Rule2AnOverlapBelowADayTakesTheDayThatItReachesInto) {
  set("overlap", "1h");
  put_file("a.parquet", "SELECT DATE '2026-01-03' AS t");
  load();
  put_file("b.parquet", "SELECT unnest([DATE '2026-01-01', DATE '2026-01-02']) AS t");
  load();
  EXPECT_EQ(column(), (Lines{"2026-01-02", "2026-01-03"}));
}

TEST_F(AppendBoundary, Rule2DaysBefore1970) {
  put_file("a.parquet", "SELECT DATE '1969-12-30' AS t");
  load();
  put_file("b.parquet", "SELECT unnest([DATE '1969-12-29', DATE '1969-12-30']) AS t");
  load();
  EXPECT_EQ(column(), (Lines{"1969-12-30", "1969-12-30"}));
}

// Date64 in Arrow comes as a timestamp of milliseconds.
TEST_F(AppendBoundary, Rule2ATimestampCanBeReadAsADay) {
  set("time_format", "date");
  put_file("a.parquet", "SELECT TIMESTAMP_MS '2026-01-02 00:00:00' AS t, 1 AS n");
  load();
  put_file("b.parquet",
           "SELECT unnest([TIMESTAMP_MS '2026-01-01 23:59:59.999', TIMESTAMP_MS '2026-01-02 "
           "00:00:00', TIMESTAMP_MS '1969-12-31 12:00:00']) AS t, 2 AS n");
  load();
  EXPECT_EQ(rows(), (Lines{"2026-01-02 00:00:00|1", "2026-01-02 00:00:00|2"}));
  EXPECT_EQ(mark(), "date day 20455");
}

TEST_F(AppendBoundary, Rule2ADateAsTextIsADay) {
  set("time_format", "date");
  put_file("a.parquet", "SELECT '2026-01-02' AS t, 1 AS n");
  load();
  put_file("b.parquet", "SELECT unnest(['2026-01-01', '2026-01-02']) AS t, 2 AS n");
  load();
  EXPECT_EQ(rows(), (Lines{"2026-01-02|1", "2026-01-02|2"}));
}

// An overlap that is no whole number of ticks.
TEST_F(AppendBoundary, Rule2AnOverlapOfSecondsOverMinutesOfDays) {
  set("time_format", "unix_millis");
  set("overlap", "1s");
  put_numbers("a.parquet", {5000});
  load();
  put_numbers("b.parquet", {3999, 4000, 4001});
  load();
  EXPECT_EQ(column(), (Lines{"4001", "5000"}));
}

TEST_F(AppendNumbers, Rule2AnEmptyFileAndAnEmptyWindowMoveNothing) {
  put_numbers("a.parquet", {1, 2});
  load();
  put_file("b.parquet", "SELECT 1::BIGINT AS t LIMIT 0");
  load();
  EXPECT_EQ(mark(), "unix_seconds s 2");
  put_numbers("c.parquet", {3});
  load();
  EXPECT_EQ(column(), (Lines{"1", "2", "3"}));
}

TEST_F(AppendNumbers, Rule7ATimeInTheFutureIsLoadedAndNeverBecomesTheMark) {
  put_file("a.parquet", "SELECT unnest([10, 99999999999]::BIGINT[]) AS t");
  load();
  EXPECT_EQ(mark(), "unix_seconds s 10");
  put_file("a.parquet", "SELECT unnest([10, 11, 99999999999]::BIGINT[]) AS t");
  load();
  EXPECT_EQ(column(), (Lines{"10", "11", "99999999999"})) << "it is not loaded again";
}

TEST_F(AppendBoundary, Rule7InfinityIsInTheFuture) {
  put_file("a.parquet", "SELECT unnest([TIMESTAMP '2026-01-01', TIMESTAMP 'infinity']) AS t");
  load();
  EXPECT_EQ(mark(), "timestamp us 1767225600000000");
  put_file("a.parquet",
           "SELECT unnest([TIMESTAMP '2026-01-01', TIMESTAMP '2026-01-02', TIMESTAMP 'infinity']) "
           "AS t");
  load();
  EXPECT_EQ(column(), (Lines{"2026-01-01 00:00:00", "2026-01-02 00:00:00", "infinity"}));
}

TEST_F(AppendNumbers, Rule7RowsWithoutATimeAreLoadedOnce) {
  put_file("a.parquet", "SELECT unnest([1, NULL, NULL]::BIGINT[]) AS t");
  load();
  put_file("a.parquet", "SELECT unnest([1, NULL, NULL, NULL, 2]::BIGINT[]) AS t");
  load();
  EXPECT_EQ(column(), (Lines{"1", "2", "null", "null", "null"}));
  put_file("b.parquet", "SELECT NULL::BIGINT AS t");
  load();
  EXPECT_EQ(column().size(), 6U);
}

TEST_F(AppendNumbers, Rule7RowsWithoutATimeCanBeSkippedAndAreCounted) {
  set("null_time", "skip");
  put_file("a.parquet", "SELECT unnest([1, NULL, NULL]::BIGINT[]) AS t");
  EXPECT_EQ(ignored(load(), "null_time"), 2U);
  put_file("b.parquet", "SELECT unnest([NULL, 0, 2]::BIGINT[]) AS t");
  const CycleReport report = load();
  EXPECT_EQ(ignored(report, "null_time"), 1U);
  EXPECT_EQ(ignored(report, "late"), 1U);
  EXPECT_EQ(column(), (Lines{"1", "2"}));
}

// Spice #10518: a column without any time is no mark, and nothing is read again for that.
TEST_F(AppendNumbers, Rule7AColumnWithoutAnyTimeMovesNothing) {
  put_file("a.parquet", "SELECT unnest([NULL, NULL]::BIGINT[]) AS t, unnest([1, 2]) AS n");
  load();
  EXPECT_EQ(mark(), "");
  EXPECT_EQ(load().outcome, Outcome::nothing_new);
  put_file("b.parquet", "SELECT 5::BIGINT AS t, 3 AS n");
  load();
  EXPECT_EQ(rows(), (Lines{"5|3", "null|1", "null|2"}));
  EXPECT_EQ(mark(), "unix_seconds s 5");
}

TEST_F(AppendNumbers, Rule7LateRowsAreCountedAndShown) {
  put_numbers("a.parquet", {10});
  load();
  put_numbers("b.parquet", {3, 4, 11});
  const CycleReport report = load();
  EXPECT_EQ(ignored(report, "late"), 2U);
  EXPECT_TRUE(warns(report, "2 rows of 1 new files are not above the mark")) << text(report);
  EXPECT_TRUE(warns(report, "b.parquet")) << text(report);
  EXPECT_EQ(column(), (Lines{"10", "11"}));
}

TEST_F(AppendNumbers, Rule7LateLoadReadsNewFilesWhole) {
  set("late", "load");
  put_numbers("a.parquet", {10});
  load();
  put_numbers("b.parquet", {3, 4, 11});
  EXPECT_EQ(ignored(load(), "late"), 0U);
  EXPECT_EQ(column(), (Lines{"3", "4", "10", "11"}));
  put_numbers("b.parquet", {2, 3, 4, 11, 12});
  load();
  EXPECT_EQ(column(), (Lines{"3", "4", "10", "11", "12"})) << "a known file gives what is above";
}

}  // namespace
}  // namespace forebay::test
