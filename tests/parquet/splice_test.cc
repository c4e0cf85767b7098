// Aim: what the splicer makes of many files, our footer check accepts and DuckDB reads as it reads
// the files, row by row, with the number of each row's file. Method: files made by DuckDB, of all
// kinds of columns, codecs and row groups; both ways of reading are compared as sorted rows.

#include "parquet/splice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "parquet/footer.h"
#include "parquet/pages.h"
#include "support/parquet_maker.h"
#include "support/temp_folder.h"

namespace forebay {
namespace {

using test::make_parquet;
using test::sql_value;

constexpr std::uint64_t kAnySize = 1 << 30;

class Splicer : public ::testing::Test {
 protected:
  std::string file(const std::string& query, const std::string& options = "") {
    paths_.push_back(folder_ / fmt::format("{}.parquet", paths_.size()));
    make_parquet(paths_.back(), query, options);
    return paths_.back();
  }
  bool add(const std::string& path) {
    const auto added = splicer_.add(path, path, number_);
    EXPECT_TRUE(added) << describe(added.error());
    number_ += 1;
    return added && *added;
  }
  void finish() {
    ASSERT_TRUE(splicer_.finish());
    folder_.write("shared.parquet", bytes_);
    EXPECT_EQ(splicer_.bytes(), bytes_.size());
    const auto footer = read_parquet_footer(shared_, shared_);
    ASSERT_TRUE(footer) << describe(footer.error());
    EXPECT_EQ(footer->rows, splicer_.rows());
    EXPECT_EQ(footer->columns.back().name, splicer_.column());
  }
  // The rows of `from` as one text, in order.
  static std::string rows(const std::string& from, const std::string& number) {
    return sql_value(fmt::format(
        "SELECT list(r ORDER BY n, row)::VARCHAR FROM (SELECT {} AS n, file_row_number AS row, "
        "row(*COLUMNS(lambda x: NOT starts_with(x, '_forebay_number')))::VARCHAR AS r FROM {})",
        number, from));
  }
  void expect_same_rows() {
    std::vector<std::string> names;
    for (const std::string& path : paths_) names.push_back(fmt::format("'{}'", path));
    EXPECT_EQ(rows(fmt::format("read_parquet('{}')", shared_), splicer_.column()),
              rows(fmt::format("read_parquet([{}])", fmt::join(names, ", ")), "file_index"));
  }

  test::TempFolder folder_;
  std::vector<std::string> paths_;
  std::string shared_ = folder_ / "shared.parquet";
  std::string bytes_;
  std::int64_t number_ = 0;
  ParquetSplicer splicer_{[this](std::span<const std::byte> part) -> Status {
                            bytes_.append(reinterpret_cast<const char*>(part.data()), part.size());
                            return {};
                          },
                          kAnySize};
};

TEST_F(Splicer, ColumnsOfEveryKindComeThrough) {
  for (int i = 0; i < 40; ++i) {
    EXPECT_TRUE(add(file(fmt::format(
        "SELECT (range + {0})::INT AS i, range::UBIGINT AS u, random() AS d, "
        "('word' || range % 3) AS t, NULL::VARCHAR AS nothing, range % 2 = 0 AS b, "
        "(range * 1.25)::DECIMAL(9, 2) AS c, range::DECIMAL(38, 4) AS wide, uuid() AS id, "
        "TIMESTAMP '2024-01-01' + INTERVAL (range) HOUR AS at, DATE '1969-12-31' AS day, "
        "[range, NULL, {0}] AS list, {{'a': range, 'b': ['x']}} AS s, MAP {{'k': range}} AS m, "
        "'\\x00\\xFF'::BLOB AS bytes FROM range({1})",
        i, i % 7))));
  }
  finish();
  expect_same_rows();
}

TEST_F(Splicer, EveryCodecAndManyRowGroupsComeThrough) {
  for (const char* codec : {"uncompressed", "snappy", "gzip", "zstd", "lz4_raw", "brotli"}) {
    EXPECT_TRUE(add(file("SELECT range AS n, 'text ' || range AS t FROM range(5000)",
                         fmt::format("compression {}, row_group_size 2048", codec))));
  }
  finish();
  expect_same_rows();
}

TEST_F(Splicer, PageChecksumsStayRight) {
  EXPECT_TRUE(add(file("SELECT range AS n FROM range(10)")));
  EXPECT_TRUE(add(file("SELECT range AS n FROM range(10)")));
  finish();
  EXPECT_TRUE(verify_parquet_pages(shared_, shared_));
}

TEST_F(Splicer, FilesWithoutRowsAddNone) {
  const std::string rows = "SELECT n FROM (VALUES (7::BIGINT), (NULL)) t(n)";
  EXPECT_TRUE(add(file(rows + " LIMIT 0")));
  EXPECT_TRUE(add(file(rows)));
  EXPECT_TRUE(add(file(rows + " LIMIT 0")));
  finish();
  EXPECT_EQ(splicer_.rows(), 2U);
  expect_same_rows();
}

TEST_F(Splicer, OnlyFilesWithoutRowsMakeAFileWithoutRows) {
  EXPECT_TRUE(add(file("SELECT 1::BIGINT AS n LIMIT 0")));
  finish();
  EXPECT_EQ(sql_value(fmt::format("SELECT count(*) FROM read_parquet('{}')", shared_)), "0");
}

TEST_F(Splicer, ItsColumnIsNoColumnOfTheFiles) {
  EXPECT_TRUE(add(file("SELECT 1 AS \"_forebay_number\", 2 AS \"_FOREBAY_NUMBER_\"")));
  finish();
  EXPECT_EQ(splicer_.column(), "_forebay_number__");
}

TEST_F(Splicer, FilesOfOtherColumnsAreLeftOut) {
  EXPECT_TRUE(add(file("SELECT 1::BIGINT AS n")));
  for (const char* other : {"SELECT 1::INT AS n", "SELECT 1::BIGINT AS m", "SELECT 'x' AS n",
                            "SELECT 1::BIGINT AS n, 2 AS more"}) {
    EXPECT_FALSE(add(file(other))) << other;
    paths_.pop_back();
  }
  EXPECT_TRUE(add(file("SELECT 2::BIGINT AS n")));
  finish();
  EXPECT_EQ(sql_value(fmt::format("SELECT list(({}, n) ORDER BY n)::VARCHAR FROM '{}'",
                                  splicer_.column(), shared_)),
            "[(0, 1), (5, 2)]");
}

TEST_F(Splicer, LargeFilesAreLeftOut) {
  const std::string path = file("SELECT range AS n FROM range(100)");
  ParquetSplicer small([](std::span<const std::byte>) -> Status { return {}; }, 100);
  const auto added = small.add(path, path, 0);
  ASSERT_TRUE(added);
  EXPECT_FALSE(*added);
}

TEST_F(Splicer, NotesThatChangeTheMeaningOfAColumnKeepAFileOut) {
  EXPECT_TRUE(add(file("SELECT 1 AS n", "kv_metadata {pandas: 'one row'}")));
  EXPECT_TRUE(add(file("SELECT 2 AS n", "kv_metadata {pandas: 'other words'}")));
  EXPECT_FALSE(add(file("SELECT 3 AS n", "kv_metadata {geo: '{}'}")));
}

TEST_F(Splicer, AFileThatCannotBeReadIsUnavailable) {
  const auto added = splicer_.add(folder_ / "none.parquet", "none", 0);
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code, ErrorCode::unavailable);
}

TEST_F(Splicer, TheSinksErrorEndsIt) {
  ParquetSplicer full(
      [](std::span<const std::byte>) -> Status {
        return fail({.code = ErrorCode::unavailable, .operation = "write to", .cause = "full"});
      },
      kAnySize);
  const std::string path = file("SELECT 1 AS n");
  ASSERT_TRUE(full.add(path, path, 0));
  const auto finished = full.finish();
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().cause, "full");
}

}  // namespace
}  // namespace forebay
