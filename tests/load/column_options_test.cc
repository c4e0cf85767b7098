#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "support/files_feed_fixture.h"

// Aim: what a pipeline says of a column (`columns: {name: {type, rename, format, unit, timezone,
// null_values}}`, `rename`, `include_columns`, `exclude_columns`) holds, and no value changes or
// vanishes by it (docs/FEEDS.md, `columns`). Method: text and Parquet files, loaded in process.
namespace forebay::test {
namespace {

using ::testing::HasSubstr;
using Parts = std::vector<std::pair<std::string, std::string>>;

class ColumnOptions : public FilesTest {
 protected:
  ColumnOptions() {
    wait_until_all_settled();
    map_.where = "forebay.yaml:5";
    map_.is_map = true;
  }

  void put(const std::string& key, const std::string& bytes) { folder_.write("in/" + key, bytes); }
  void column(const std::string& name, const Parts& parts) {
    OptionValue option{.where = "forebay.yaml:6", .is_map = true};
    for (const auto& [key, value] : parts)
      option.fields.emplace_back(key, OptionValue{.values = {value}, .where = "forebay.yaml:7"});
    map_.fields.emplace_back(name, std::move(option));
    pipeline_.settings.more["columns"] = map_;
  }
  void forget() {
    map_.fields.clear();
    pipeline_.settings.more.erase("columns");
  }
  void map_option(const std::string& name, const Parts& parts) {
    OptionValue map{.where = "forebay.yaml:8", .is_map = true};
    for (const auto& [key, value] : parts)
      map.fields.emplace_back(key, OptionValue{.values = {value}, .where = "forebay.yaml:9"});
    pipeline_.settings.more[name] = std::move(map);
  }
  // A table that somebody else makes.
  void make(const std::string& table) {
    run_sql(
        fmt::format("ATTACH '{}' AS made (STORAGE_VERSION 'v1.2.0'); CREATE TABLE made.{}; "
                    "DETACH made",
                    database_, table));
  }

 private:
  OptionValue map_;
};

TEST_F(ColumnOptions, TimesInAFormOfTheirOwn) {
  column("day", {{"type", "DATE"}, {"format", "%d.%m.%Y"}});
  column("at", {{"type", "TIMESTAMPTZ"}, {"format", "%d/%b/%Y:%H:%M:%S %z"}});
  column("clock", {{"type", "TIME"}, {"format", "%I:%M %p"}});
  put("1.csv",
      "day,at,clock\n31.12.2025,10/Oct/2000:13:55:36 -0700,02:30 PM\n1.2.2026,,12:00 AM\n");
  load();
  EXPECT_EQ(columns(), (Lines{"day|DATE", "at|TIMESTAMP WITH TIME ZONE", "clock|TIME"}));
  EXPECT_EQ(query("SELECT day, timezone('UTC', \"at\"), clock FROM main.events ORDER BY ALL"),
            (Lines{"2025-12-31|2000-10-10 20:55:36|14:30:00", "2026-02-01|null|00:00:00"}));
  put("2.csv", "day,at,clock\n2026-01-01,,\n31.04.2026,,\n30.04.2026,,\n");
  load(4);
  EXPECT_THAT(reason("2.csv"), HasSubstr("2 of column day, such as 2026-01-01"));
}

TEST_F(ColumnOptions, NumbersThatAreTimes) {
  column("s", {{"type", "TIMESTAMPTZ"}, {"unit", "s"}});
  column("ms", {{"type", "TIMESTAMP"}, {"unit", "ms"}});
  column("ns", {{"type", "TIMESTAMP_NS"}, {"unit", "ns"}});
  put_file("1.parquet",
           "SELECT 1700000000 AS s, 1700000000123::BIGINT AS ms, 1700000000123456789::BIGINT AS "
           "ns");
  put("2.csv", "s,ms,ns\n1700000000.5,-1,\n");
  load();
  const std::string sql =
      "SELECT epoch_us(s), epoch_us(ms), epoch_ns(ns) FROM main.events ORDER BY ALL";
  EXPECT_EQ(query(sql), (Lines{"1700000000000000|1700000000123000|1700000000123456789",
                               "1700000000500000|-1000|null"}));
  put("3.csv", "s,ms,ns\n,0.0001,\n");
  put_file("4.parquet",
           "SELECT NULL::INTEGER AS s, 9223372036854775807::BIGINT AS ms, NULL::BIGINT AS ns");
  load(4);
  EXPECT_THAT(reason("3.csv"), HasSubstr("1 of column ms, such as 0.0001"));
  EXPECT_THAT(reason("4.parquet"), HasSubstr("1 of column ms, such as 9223372036854775807"));
}

// One hour of the year has no local time, another has two for each: of these it is the later.
TEST_F(ColumnOptions, TimesThatStandInAZone) {
  column("at", {{"type", "TIMESTAMPTZ"}, {"timezone", "Europe/Berlin"}});
  column("back", {{"type", "TIMESTAMP"}, {"timezone", "Europe/Berlin"}});
  put_file("1.parquet",
           "SELECT TIMESTAMP '2026-01-02 10:00:00' AS at, TIMESTAMPTZ '2026-07-01 10:00:00+00' AS "
           "back");
  put("2.csv", "at,back\n2026-07-02 10:00:00,\n2026-07-02 10:00:00Z,\n2026-10-25 02:30:00,\n");
  load();
  EXPECT_EQ(query("SELECT timezone('UTC', \"at\"), back FROM main.events ORDER BY ALL"),
            (Lines{"2026-01-02 09:00:00|2026-07-01 12:00:00", "2026-07-02 08:00:00|null",
                   "2026-07-02 10:00:00|null", "2026-10-25 01:30:00|null"}));
  put("3.csv", "at,back\n2026-03-29 02:30:00,\n");
  load(4);
  EXPECT_THAT(reason("3.csv"), HasSubstr("such as 2026-03-29 02:30:00"));
}

TEST_F(ColumnOptions, AZoneThatNobodyKnowsIsAnErrorOfTheConfiguration) {
  column("at", {{"type", "TIMESTAMPTZ"}, {"timezone", "Europe/Atlantis"}});
  put_file("1.parquet", "SELECT TIMESTAMP '2026-01-02 10:00:00' AS at");
  EXPECT_THAT(text(load(1)), HasSubstr("Europe/Atlantis"));
}

TEST_F(ColumnOptions, WhatStandsForNoValue) {
  column("n", {{"null_values", "N/A"}});
  column("p", {{"null_values", "-999"}});
  put("1.csv", "n,p,t\n1,2,N/A\nN/A,-999,x\n");
  load();
  EXPECT_EQ(columns(), (Lines{"n|BIGINT", "p|BIGINT", "t|VARCHAR"}));
  put_file("2.parquet", "SELECT 3::BIGINT AS n, -999::BIGINT AS p, 'N/A' AS t");
  load();
  EXPECT_EQ(rows(), (Lines{"1|2|N/A", "3|null|N/A", "null|null|x"}));
}

TEST_F(ColumnOptions, ColumnsAreRenamedAndStayBoundToTheirName) {
  column("Odd Name!", {{"rename", "odd"}, {"type", "BIGINT"}});
  map_option("rename", {{"x", "y"}});
  put("1.csv", "Odd Name!,x\n1,2\n");
  load();
  EXPECT_EQ(columns(), (Lines{"odd|BIGINT", "y|BIGINT"}));
  forget();
  pipeline_.settings.more.erase("rename");
  put("2.csv", "Odd Name!,x,y\n3,4,5\n");
  load();
  EXPECT_EQ(rows(), (Lines{"1|2|null", "3|4|5"}));
  EXPECT_EQ(columns(), (Lines{"odd|BIGINT", "y|BIGINT", "y_2|BIGINT"}));
  map_option("rename", {{"x", "z"}});
  put("3.csv", "Odd Name!,x\n6,7\n");
  load(5);
  EXPECT_THAT(reason("3.csv"), HasSubstr("column 'x' stands as 'y', and `rename` says 'z'"));
}

TEST_F(ColumnOptions, AColumnThatTheProducerRenamedGoesOnWhereItWas) {
  put("1.csv", "old,n\na,1\n");
  load();
  map_option("rename", {{"new", "old"}});
  put("2.csv", "new,n\nb,2\n");
  load();
  EXPECT_EQ(columns(), (Lines{"old|VARCHAR", "n|BIGINT"}));
  EXPECT_EQ(rows(), (Lines{"a|1", "b|2"}));
}

TEST_F(ColumnOptions, TwoColumnsCannotHaveOneName) {
  map_option("rename", {{"a", "b"}});
  put("1.csv", "b,a\n1,2\n");
  EXPECT_THAT(text(load(1)), HasSubstr("cannot be called 'b'"));
}

// CONTRACT, section 2: a column included later is null on old rows.
TEST_F(ColumnOptions, ColumnsAreLeftOut) {
  option("exclude_columns", "secret*");
  put("1.csv", "n,secret_a,secretb\n1,x,y\n");
  load();
  EXPECT_EQ(columns(), (Lines{"n|BIGINT"}));
  pipeline_.settings.options.pop_back();
  put("2.csv", "n,secret_a,secretb\n2,x,y\n");
  load();
  EXPECT_EQ(rows(), (Lines{"1|null|null", "2|x|y"}));
}

TEST_F(ColumnOptions, OrOnlySomeAreTaken) {
  option("include_columns", "n");
  put("1.csv", "n,a,b\n1,x,y\n");
  load();
  EXPECT_EQ(columns(), (Lines{"n|BIGINT"}));
  EXPECT_EQ(rows(), (Lines{"1"}));
}

TEST_F(ColumnOptions, WhatMakesNoSenseIsSaid) {
  const auto problem = [&](const Parts& parts) {
    forget();
    column("c", parts);
    return text(load(1));
  };
  put("1.csv", "c\n1\n");
  EXPECT_THAT(problem({{"typ", "DATE"}}), HasSubstr("did you mean"));
  EXPECT_THAT(problem({{"format", "%Y"}}), HasSubstr("say its type too"));
  EXPECT_THAT(problem({{"type", "TEXT"}, {"unit", "s"}}), HasSubstr("numbers that are times"));
  EXPECT_THAT(problem({{"type", "DATE"}, {"unit", "days"}}), HasSubstr("\"days\""));
  EXPECT_THAT(problem({{"type", "DATE"}, {"timezone", "UTC"}}), HasSubstr("`timezone` is of"));
  EXPECT_THAT(problem({{"type", "TIMESTAMP"}, {"unit", "s"}, {"format", "%s"}}),
              HasSubstr("counts from 1970"));
}

// -0.0 is no integer, however equal it is to 0.
TEST_F(ColumnOptions, MinusZeroIsNotLost) {
  column("n", {{"type", "BIGINT"}});
  put_file("1.parquet", "SELECT 1::DOUBLE AS n");
  put_file("2.parquet", "SELECT unnest(['-0.0', '0.0', '2'])::DOUBLE AS n");
  load(4);
  EXPECT_EQ(rows(), (Lines{"1"}));
  EXPECT_THAT(reason("2.parquet"), HasSubstr("1 of column n, such as -0.0"));
}

TEST_F(ColumnOptions, AnEmptyTableThatFitsIsAdoptedIfThePipelineSaysSo) {
  put("1.csv", "id,name\n1,a\n");
  make("main.events (name VARCHAR, id BIGINT, more DATE)");
  EXPECT_THAT(text(load(5)), HasSubstr("adopt: true"));
  option("adopt", "true");
  load();
  EXPECT_EQ(query("SELECT name, id, more, _forebay_file FROM main.events"), (Lines{"a|1|null|1"}));
  put("2.csv", "id,name\n2,b\n");
  pipeline_.settings.options.pop_back();
  load();
  EXPECT_EQ(query("SELECT count(*) FROM main.events"), (Lines{"2"}));
}

TEST_F(ColumnOptions, ATableWithRowsIsNeverAdopted) {
  put("1.csv", "id\n1\n");
  make("main.events AS SELECT 7::BIGINT AS id");
  option("adopt", "true");
  EXPECT_THAT(text(load(5)), HasSubstr("it has rows"));
  EXPECT_EQ(query("SELECT * FROM main.events"), (Lines{"7"}));
}

TEST_F(ColumnOptions, ATableThatDoesNotFitIsNotAdopted) {
  put("1.csv", "id\nx\n");
  make("main.events (other BIGINT)");
  option("adopt", "true");
  load(4);
  EXPECT_THAT(reason("1.csv"), HasSubstr("shares no column"));
  EXPECT_EQ(query("SELECT column_name FROM duckdb_columns() WHERE table_name = 'events'"),
            (Lines{"other"}));
}

}  // namespace
}  // namespace forebay::test
