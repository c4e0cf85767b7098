#include <fmt/format.h>

#include <filesystem>

#include "support/files_feed_fixture.h"
#include "support/parquet_bytes.h"

// Aim: what users of other loaders have reported does not happen here. Each test carries the number
// of the reports it answers (docs/TESTING.md); those that other suites answer carry it there.
// Method: the feed `files` over a folder, loaded in process.
namespace forebay::test {
namespace {

class Bugs : public WatchedFilesTest {
 protected:
  using FilesTest::put_file;
};

// DUP-11: a memory that is bounded loads the first file again after the last of them.
TEST_F(Bugs, DUP_11_NoFileIsForgottenHoweverManyCameAfterIt) {
  put_file("0000.parquet", "SELECT 1 AS n");
  for (int i = 1; i <= 1'000; ++i)
    std::filesystem::copy_file(folder_ / "in/0000.parquet",
                               folder_ / fmt::format("in/{:04}.parquet", i));
  EXPECT_EQ(load().units.applied, 1'001U);
  const CycleReport again = load();
  EXPECT_EQ(again.outcome, Outcome::nothing_new);
  EXPECT_EQ(again.units.already_applied, 1'001U);
  EXPECT_EQ(query("SELECT sum(n) FROM main.events"), (Lines{"1001"}));
}

TEST_F(Bugs, MISS_2_AClockThatMovesWhileListingMakesNoSecondNow) {
  put_file("a.parquet", "SELECT 1 AS n");
  put_file("b.parquet", "SELECT 2 AS n");
  const Time begun = pipeline_.clock().now();
  watch_.after_page = [&](std::vector<ObjectInfo>& objects) {
    for (ObjectInfo& object : objects) object.last_modified = Time{};
    pipeline_.clock().advance(std::chrono::hours(1));
  };
  load();
  EXPECT_GT(pipeline_.clock().now(), begun);
  EXPECT_EQ(query("SELECT DISTINCT decided_at = TIMESTAMP '2026-12-31' FROM _forebay.units"),
            (Lines{"true"}));
  EXPECT_EQ(rows(), (Lines{"1", "2"}));
}

TEST_F(Bugs, MISS_4_WhatAStoreSaysOfTheTimeMakesNoOtherFile) {
  put_file("a.parquet", "SELECT 1 AS n");
  load();
  watch_.after_page = [](std::vector<ObjectInfo>& objects) {
    for (ObjectInfo& object : objects) object.last_modified = Time{std::chrono::milliseconds(500)};
  };
  EXPECT_EQ(load().outcome, Outcome::nothing_new);
  EXPECT_EQ(rows(), (Lines{"1"}));
}

// Each new name sorts before all that were loaded.
TEST_F(Bugs, MISS_11_MISS_16_FilesThatComeOneByOneAreFoundWhateverTheirNames) {
  for (int i = 9; i >= 0; --i) {
    put_file(fmt::format("{}.parquet", i), fmt::format("SELECT {} AS n", i));
    EXPECT_EQ(load().units.applied, 1U) << i;
  }
  EXPECT_EQ(query("SELECT count(DISTINCT n), count(*) FROM main.events"), (Lines{"10|10"}));
}

TEST_F(Bugs, DUP_10_APlanSaysOfEachFileWhyItIsOrIsNotLoaded) {
  put_file("a.parquet", "SELECT 1 AS n");
  load();
  put_file("b.parquet", "SELECT 2 AS n");
  const auto plan = pipeline_.plan();
  ASSERT_TRUE(plan) << describe(plan.error());
  EXPECT_EQ(plan->discovery.already_applied, 1U);
  EXPECT_EQ(load().units.applied, 1U) << "and what is known is not chosen again";
}

TEST_F(Bugs, DRIFT_3_AStructGainsAFieldAlsoInsideALists) {
  put_file("a.parquet", "SELECT {'x': 1} AS s, [{'y': 1}] AS l");
  load();
  put_file("b.parquet", "SELECT {'x': 2, 'z': 'two'} AS s, [{'y': 2, 'w': 0.5::DOUBLE}] AS l");
  load();
  EXPECT_EQ(columns(),
            (Lines{"s|STRUCT(x INTEGER, z VARCHAR)", "l|STRUCT(y INTEGER, w DOUBLE)[]"}));
  EXPECT_EQ(rows(), (Lines{"{'x': 1, 'z': NULL}|[{'y': 1, 'w': NULL}]",
                           "{'x': 2, 'z': two}|[{'y': 2, 'w': 0.5}]"}));
}

// A time of day somewhere is not an instant; neither becomes the other.
TEST_F(Bugs, DRIFT_9_ATimeWithoutAZoneMeetsOneWithAZoneAsDrift) {
  put_file("a.parquet", "SELECT TIMESTAMP '2026-01-01' AS t");
  load();
  put_file("b.parquet", "SELECT TIMESTAMPTZ '2026-01-01 00:00:00+00' AS t");
  load(4);
  EXPECT_EQ(rows(), (Lines{"2026-01-01 00:00:00"}));
  const Lines reason = query("SELECT reason FROM _forebay.units WHERE state = 'quarantined'");
  ASSERT_EQ(reason.size(), 1U);
  EXPECT_TRUE(reason[0].contains("TIMESTAMP WITH TIME ZONE")) << reason[0];
}

// What a known public data set did from one month to the next: widths, an integer for a double, and
// another case of a name.
TEST_F(Bugs, DRIFT_14_WidthsNumbersAndCaseMayChangeInOneMonth) {
  put_file("2023-01.parquet",
           "SELECT 1::BIGINT AS \"VendorID\", 2::DOUBLE AS passenger_count, 3::BIGINT AS "
           "\"PULocationID\", 0.5::DOUBLE AS airport_fee");
  load();
  put_file("2023-02.parquet",
           "SELECT 4::INTEGER AS \"VendorID\", 5::BIGINT AS passenger_count, 6::INTEGER AS "
           "\"PULocationID\", 1.25::DOUBLE AS \"Airport_fee\"");
  load();
  EXPECT_EQ(columns(), (Lines{"VendorID|BIGINT", "passenger_count|DOUBLE", "PULocationID|BIGINT",
                              "airport_fee|DOUBLE"}));
  EXPECT_EQ(rows(), (Lines{"1|2.0|3|0.5", "4|5.0|6|1.25"}));
}

TEST_F(Bugs, TYPE_1_ADecimalThatTheReaderCannotHoldIsTextAndNeverADouble) {
  put_file("a.parquet", "SELECT 1.50::DECIMAL(38,2) AS d");
  const std::string path = folder_ / "in/a.parquet";
  const std::string wider = with_footer(read_file(path), [](parquet::FileMetaData& footer) {
    parquet::SchemaElement& column = footer.schema[1];
    column.__set_precision(39);
    if (column.__isset.logicalType) column.logicalType.DECIMAL.precision = 39;
  });
  std::filesystem::remove(path);
  write_file(path, wider);
  load();
  EXPECT_EQ(query("SELECT typeof(d), d FROM main.events"), (Lines{"VARCHAR|1.50"}));
}

// Every type that a file can have, at its limits: the table has the type and the very value.
TEST_F(Bugs, TYPE_7_TYPE_12_EveryTypeKeepsItsValuesAtItsLimits) {
  const char* kSelect =
      "SELECT unnest([true, false, NULL]) AS b, unnest([127::TINYINT, -128, NULL]) AS i8, "
      "unnest([32767::SMALLINT, -32768, NULL]) AS i16, unnest([2147483647, -2147483648, NULL]) AS "
      "i32, unnest([9223372036854775807, -9223372036854775808, NULL]) AS i64, "
      "unnest([255::UTINYINT, 0, NULL]) AS u8, unnest([65535::USMALLINT, 0, NULL]) AS u16, "
      "unnest([4294967295::UINTEGER, 0, NULL]) AS u32, "
      "unnest([18446744073709551615::UBIGINT, 0, NULL]) AS u64, "
      "unnest(['nan'::FLOAT, '-inf', NULL]) AS f, unnest(['inf'::DOUBLE, -0.0, NULL]) AS d, "
      "unnest([9.99::DECIMAL(3,2), -9.99, NULL]) AS d3, "
      "unnest([9999999999999999.99::DECIMAL(18,2), -9999999999999999.99, NULL]) AS d18, "
      "unnest([99999999999999999999999999999999999.999::DECIMAL(38,3), "
      "-99999999999999999999999999999999999.999, NULL]) AS d38, "
      "unnest([DATE '0001-01-01', DATE '9999-12-31', NULL]) AS day, "
      "unnest([TIME '00:00:00', TIME '23:59:59.999999', NULL]) AS t, "
      "unnest([TIMESTAMP '0001-01-01 00:00:00', TIMESTAMP '9999-12-31 23:59:59.999999', NULL]) AS "
      "ts, unnest([TIMESTAMP_MS '1969-12-31 23:59:59.999', TIMESTAMP_MS '9999-12-31', NULL]) AS "
      "ms, unnest([TIMESTAMP_NS '1677-09-22 00:00:00', TIMESTAMP_NS '2262-04-11 "
      "23:47:16.854775806', NULL]) AS ns, unnest([TIMESTAMPTZ '0001-01-01 00:00:00+00', "
      "TIMESTAMPTZ '9999-12-31 23:59:59.999999+00', NULL]) AS tz, "
      "unnest(['00000000-0000-0000-0000-000000000000'::UUID, "
      "'ffffffff-ffff-4fff-bfff-ffffffffffff', NULL]) AS u, "
      "unnest(['\\x00\\xFF'::BLOB, ''::BLOB, NULL]) AS raw, unnest(['', 'ä 💧', NULL]) AS s, "
      "unnest([INTERVAL '13 months 2 days 3 hours', INTERVAL '0 days', NULL]) AS span, "
      "unnest([{'a': [1, NULL], 'b': {'c': 'x'}}, {'a': [], 'b': NULL}, NULL]) AS nested, "
      "unnest([MAP {'k': NULL::INTEGER, 'l': 2}, MAP {}, NULL]) AS m";
  put_file("a.parquet", kSelect);
  load();
  const std::string file = folder_ / "in/a.parquet";
  const std::string source = "read_parquet('" + file + "')";
  EXPECT_EQ(rows(), query("SELECT * FROM " + source + " ORDER BY ALL"));
  EXPECT_EQ(columns(),
            query("SELECT column_name, column_type FROM (DESCRIBE FROM " + source + ")"));
  // And the file says what was meant, where a writer can say it.
  EXPECT_EQ(
      query("SELECT i64, u64, d38, day, t, ts, ns, u, s FROM main.events WHERE b"),
      (Lines{"9223372036854775807|18446744073709551615|99999999999999999999999999999999999.999|"
             "0001-01-01|00:00:00|0001-01-01 00:00:00|1677-09-22 00:00:00|"
             "00000000-0000-0000-0000-000000000000|"}));
}

TEST_F(Bugs, WIDE_4_MEM_6_ThousandsOfColumnsAreLoaded) {
  std::string columns;
  for (int i = 0; i < 3'508; ++i) columns += fmt::format("{}{} AS c{}", i == 0 ? "" : ", ", i, i);
  put_file("a.parquet", "SELECT " + columns);
  load();
  EXPECT_EQ(query("SELECT c0, c1754, c3507 FROM main.events"), (Lines{"0|1754|3507"}));
  EXPECT_EQ(query("SELECT count(*) FROM duckdb_columns() WHERE table_name = 'events'"),
            (Lines{"3509"}));
}

}  // namespace
}  // namespace forebay::test
