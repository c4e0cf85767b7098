#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/value.h"
#include "parquet_types.h"
#include "support/files_feed_fixture.h"
#include "support/parquet_bytes.h"

// Aim: a column or a table may have any name that a file or a key can have; values never change
// columns by it, whatever the order of columns in the next file (CONTRACT, section 3; CASE-3).
// Method: files whose footers get names that no writer would let through, each column with its own
// value.
namespace forebay::test {
namespace {

using ::testing::HasSubstr;

const std::string kLong(1024, 'n');
const std::vector<std::string> kNames = {"plain",
                                         "Plain with spaces",
                                         " ",
                                         "a.b.c",
                                         "\"quoted\"",
                                         "it's; DROP TABLE events; --",
                                         "Zo\u00eb",
                                         "Zoe\u0308",
                                         "\u2603\U0001f600",
                                         "select",
                                         "ORDER",
                                         "line\nbreak\ttab",
                                         "%s{}{0}\\",
                                         "file_index",
                                         "filename",
                                         "rowid",
                                         kLong};

class Names : public FilesTest {
 protected:
  Names() { wait_until_all_settled(); }

  // A row whose columns have these names, and values that are given for each.
  void put(const std::string& key, const std::vector<std::string>& names,
           const std::vector<int>& values) {
    std::string query;
    for (std::size_t i = 0; i < names.size(); ++i)
      query += fmt::format("{} {} AS c{}", i == 0 ? "SELECT" : ",", values[i], i);
    put_file(key, query);
    const std::string path = folder_ / ("in/" + key);
    write_file(path, with_footer(read_file(path), [&](parquet::FileMetaData& footer) {
                 for (std::size_t i = 0; i < names.size(); ++i) {
                   footer.schema[i + 1].name = names[i];
                   for (auto& group : footer.row_groups)
                     group.columns[i].meta_data.path_in_schema = {names[i]};
                 }
               }));
  }
  Lines columns() const {
    return query(
        "SELECT column_name FROM duckdb_columns() WHERE table_name = 'events' AND column_name <> "
        "'_forebay_file' ORDER BY column_index");
  }
};

TEST_F(Names, AnyNameIsKeptExactlyAndKeepsItsColumn) {
  std::vector<int> values;
  for (std::size_t i = 0; i < kNames.size(); ++i) values.push_back(static_cast<int>(i));
  put("1.parquet", kNames, values);
  load();
  EXPECT_EQ(columns(), Lines(kNames.begin(), kNames.end()));
  std::vector<std::string> backwards(kNames.rbegin(), kNames.rend());
  std::ranges::reverse(values);
  put("2.parquet", backwards, values);
  load();
  EXPECT_EQ(columns(), Lines(kNames.begin(), kNames.end()));
  for (std::size_t i = 0; i < kNames.size(); ++i)
    EXPECT_EQ(query(fmt::format("SELECT count(*), min({0}), max({0}) FROM main.events",
                                duckdb::quote(kNames[i]))),
              (Lines{fmt::format("2|{0}|{0}", i)}))
        << kNames[i];
}

// Names that a database cannot hold beside each other, or that are ours.
TEST_F(Names, ANameThatTheTableCannotHoldGetsAStableOne) {
  const std::vector<std::string> names = {"a", "A", "", "_forebay_file", "_FOREBAY_x", "b"};
  put("1.parquet", names, {1, 2, 3, 4, 5, 6});
  load();
  const Lines made = {"a", "A_2", "unnamed", "x_forebay_file", "x_FOREBAY_x", "b"};
  EXPECT_EQ(columns(), made);
  std::vector<std::string> backwards(names.rbegin(), names.rend());
  put("2.parquet", backwards, {16, 15, 14, 13, 12, 11});
  load();
  EXPECT_EQ(columns(), made);
  EXPECT_EQ(rows(), (Lines{"1|2|3|4|5|6", "11|12|13|14|15|16"}));
}

// A file whose one column differs by case alone goes into the column that is there.
TEST_F(Names, CASE_3_OneSpellingMeetsTheOther) {
  put("1.parquet", {"UserId"}, {1});
  put("2.parquet", {"userid"}, {2});
  load();
  EXPECT_EQ(columns(), Lines{"UserId"});
  EXPECT_EQ(rows(), (Lines{"1", "2"}));
}

TEST_F(Names, TheSameNameTwiceIsTwoColumns) {
  put("1.parquet", {"a", "a"}, {1, 2});
  load();
  EXPECT_EQ(columns(), (Lines{"a", "a_2"}));
  EXPECT_EQ(rows(), (Lines{"1|2"}));
  put("2.parquet", {"a", "a"}, {3, 4});
  load();
  EXPECT_EQ(rows(), (Lines{"1|2", "3|4"}));
}

// PART-1: a value of the path beside a column of the same name.
TEST_F(Names, PART_1_AValueOfThePathMustAgreeWithAColumnOfItsName) {
  OptionValue map{.where = "forebay.yaml:5", .is_map = true};
  map.fields.emplace_back("dt", OptionValue{.values = {"DATE"}, .where = "forebay.yaml:5"});
  pipeline_.settings.more["partition_columns"] = map;
  put_file("dt=2026-01-01/a.parquet", "SELECT 1 AS n, DATE '2026-01-01' AS dt");
  put_file("dt=2026-01-02/a.parquet", "SELECT 2 AS n, DATE '2026-01-03' AS DT");
  put_file("dt=2026-01-04/a.parquet", "SELECT 3 AS n");
  load(3);
  EXPECT_EQ(query("SELECT n, dt FROM main.events ORDER BY n"),
            (Lines{"1|2026-01-01", "3|2026-01-04"}));
}

TEST_F(Names, CsvHasThemToo) {
  folder_.write("in/1.csv", "\"a \"\"b\"\"\",,select,A B,a b\n1,2,3,4,5\n");
  load();
  EXPECT_EQ(columns(), (Lines{"a \"b\"", "unnamed", "select", "A B", "a b_2"}));
  folder_.write("in/2.csv", "a b,A B,select,,\"a \"\"b\"\"\"\n10,9,8,7,6\n");
  load();
  EXPECT_EQ(rows(), (Lines{"1|2|3|4|5", "6|7|8|9|10"}));
}

TEST(TableNames, ATableMayBeCalledLikeAnyFolder) {
  const TempFolder folder;
  const std::vector<std::string> names = {"a.b",    "with space",         "\"q\"",
                                          "it's",   "Zo\u00eb",           "Zoe\u0308",
                                          "select", std::string(200, 't')};
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::filesystem::create_directories(folder / ("in/" + names[i]));
    make_parquet(folder / "made.parquet", fmt::format("SELECT {} AS n", i));
    std::filesystem::rename(folder / "made.parquet", folder / ("in/" + names[i] + "/1.parquet"));
  }
  const std::string database = folder / "warehouse.duckdb";
  TestPipeline pipeline({.yaml = "about: a table of each folder\n"
                                 "unit: {file: \"{table}/{file}.parquet\"}\n"
                                 "table: {capture: table}\neffect: append\n",
                         .name = "names",
                         .schema = "main",
                         .source = folder / "in",
                         .database = database});
  pipeline.clock().advance(std::chrono::hours(24 * 365 * 10));
  const CycleReport report = pipeline.load();
  EXPECT_EQ(code(report), 0) << text(report);
  for (std::size_t i = 0; i < names.size(); ++i)
    EXPECT_EQ(query_lines(database, fmt::format("SELECT n FROM main.{}", duckdb::quote(names[i]))),
              (Lines{std::to_string(i)}))
        << names[i];
  EXPECT_EQ(code(pipeline.load()), 0);
}

}  // namespace
}  // namespace forebay::test
