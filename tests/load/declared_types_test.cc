#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "support/files_feed_fixture.h"

// Aim: `columns: {name: TYPE}` is the last word on a column's type, and no value changes by it
// (docs/FEEDS.md). Method: text and Parquet files, loaded in process.
namespace forebay::test {
namespace {

using ::testing::HasSubstr;

class DeclaredTypes : public FilesTest {
 protected:
  DeclaredTypes() { wait_until_all_settled(); }

  void put(const std::string& key, const std::string& bytes) { folder_.write("in/" + key, bytes); }
  void declare(const std::vector<std::pair<std::string, std::string>>& types) {
    OptionValue map{.where = "forebay.yaml:5", .is_map = true};
    for (const auto& [name, type] : types)
      map.fields.emplace_back(name, OptionValue{.values = {type}, .where = "forebay.yaml:6"});
    pipeline_.settings.more["columns"] = std::move(map);
  }
};

TEST_F(DeclaredTypes, TextIsWhatIsDeclaredAndNotWhatItLooksLike) {
  declare({{"zip", "TEXT"}, {"Amount", "decimal(9,2)"}, {"*_at", "TIMESTAMPTZ"}});
  put("1.csv", "zip,amount,paid_at,n\n01067,1.5,2026-01-02 10:00:00,1\n");
  put("2.csv", "zip,amount,paid_at,n\n8,12,2026-01-02T10:00:00+02:00,2\n");
  EXPECT_EQ(load().units.applied, 2U);
  EXPECT_EQ(columns(), (Lines{"zip|VARCHAR", "amount|DECIMAL(9,2)",
                              "paid_at|TIMESTAMP WITH TIME ZONE", "n|BIGINT"}));
  EXPECT_EQ(query("SELECT zip, amount, timezone('UTC', paid_at), n FROM main.events ORDER BY n"),
            (Lines{"01067|1.50|2026-01-02 10:00:00|1", "8|12.00|2026-01-02 08:00:00|2"}));
}

TEST_F(DeclaredTypes, AValueThatIsNotOneIsDriftAndShown) {
  declare({{"amount", "DECIMAL(9,2)"}});
  put("1.csv", "amount\n1.50\n");
  put("2.csv", "amount\n1.505\n");
  load(4);
  EXPECT_EQ(rows(), (Lines{"1.50"}));
  EXPECT_THAT(reason("2.csv"), HasSubstr("1.505"));
  EXPECT_THAT(reason("2.csv"), HasSubstr("amount (DECIMAL(9,2))"));
}

TEST_F(DeclaredTypes, FilesWithoutAHeaderTakeTheirNamesFromIt) {
  option("header", "false");
  declare({{"id", "BIGINT"}, {"name", "TEXT"}, {"day", "DATE"}});
  put("1.csv", "1,007,2026-01-02\n");
  load();
  EXPECT_EQ(columns(), (Lines{"id|BIGINT", "name|VARCHAR", "day|DATE"}));
  EXPECT_EQ(rows(), (Lines{"1|007|2026-01-02"}));
}

TEST_F(DeclaredTypes, ParquetMayBecomeNarrowerIfEveryValueFits) {
  declare({{"n", "SMALLINT"}, {"b", "TEXT"}, {"s", "JSON"}});
  put_file("1.parquet", "SELECT 300::BIGINT AS n, 'ab'::BLOB AS b, {'x': 1} AS s");
  put_file("2.parquet", "SELECT 70000::BIGINT AS n, 'ab'::BLOB AS b, {'x': 1} AS s");
  put_file("3.parquet", "SELECT 1::BIGINT AS n, '\\xFF'::BLOB AS b, {'x': 1} AS s");
  load(4);
  EXPECT_EQ(columns(), (Lines{"n|SMALLINT", "b|VARCHAR", "s|JSON"}));
  EXPECT_EQ(rows(), (Lines{"300|ab|{\"x\":1}"}));
  EXPECT_THAT(reason("2.parquet"), HasSubstr("70000"));
  EXPECT_THAT(reason("3.parquet"), HasSubstr("b (VARCHAR)"));
}

TEST_F(DeclaredTypes, ATypeThatNoValueCouldTakeIsSaidBeforeAnyRowIsRead) {
  declare({{"n", "TIMESTAMP"}});
  put_file("1.parquet", "SELECT 1::BIGINT AS n");
  load(4);
  EXPECT_THAT(reason("1.parquet"),
              HasSubstr("declared as TIMESTAMP, and BIGINT in this file cannot become that"));
}

TEST_F(DeclaredTypes, AStandingColumnTakesATypeIfNoneOfItsValuesChanges) {
  put_file("1.parquet",
           "SELECT 1::INTEGER AS a, 'x' AS b, NULL::INTEGER AS c, 1.50::DECIMAL(9,2) AS d");
  load();
  declare({{"a", "BIGINT"}, {"c", "DATE"}, {"d", "TEXT"}});
  put_file("2.parquet",
           "SELECT 2::BIGINT AS a, 'y' AS b, DATE '2026-01-02' AS c, 2.5::DOUBLE AS d");
  load();
  EXPECT_EQ(columns(), (Lines{"a|BIGINT", "b|VARCHAR", "c|DATE", "d|VARCHAR"}));
  EXPECT_EQ(rows(), (Lines{"1|x|null|1.50", "2|y|2026-01-02|2.5"}));
  declare({{"b", "BIGINT"}});
  put_file("3.parquet", "SELECT 3::BIGINT AS a, '7' AS b, NULL::DATE AS c, 'z' AS d");
  load(4);
  EXPECT_THAT(reason("3.parquet"), HasSubstr("is VARCHAR in the table and declared as BIGINT"));
}

TEST_F(DeclaredTypes, DeclarationsThatAreNoneAreErrorsOfTheConfiguration) {
  declare({{"n", "DECIMAL"}});
  put_file("1.parquet", "SELECT 1 AS n");
  EXPECT_THAT(text(load(1)), HasSubstr("DECIMAL(digits,digits after the point)"));
}

}  // namespace
}  // namespace forebay::test
