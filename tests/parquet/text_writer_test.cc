// Aim: what the writer writes, our footer check accepts and DuckDB reads as it was given. Method:
// random rows with columns that come late, over several row groups, read back by DuckDB.

#include "parquet/text_writer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "base/limits.h"
#include "parquet/footer.h"
#include "support/parquet_maker.h"
#include "support/temp_folder.h"

namespace forebay {
namespace {

using test::sql_value;

class TextWriter : public ::testing::Test {
 protected:
  void finish() {
    ASSERT_TRUE(writer_.finish());
    folder_.write("rows.parquet", bytes_);
    const auto footer = read_parquet_footer(path_, path_);
    ASSERT_TRUE(footer) << describe(footer.error());
    EXPECT_EQ(footer->rows, writer_.rows());
    EXPECT_EQ(footer->columns.size(), writer_.columns());
  }
  std::string value(const std::string& expression) const {
    return sql_value(
        fmt::format("SELECT ({})::VARCHAR FROM read_parquet('{}')", expression, path_));
  }
  void end_row() { ASSERT_TRUE(writer_.end_row()); }

  test::TempFolder folder_;
  std::string path_ = folder_ / "rows.parquet";
  std::string bytes_;
  TextParquetWriter writer_{[this](std::span<const std::byte> part) -> Status {
    bytes_.append(reinterpret_cast<const char*>(part.data()), part.size());
    return {};
  }};
};

TEST_F(TextWriter, NullsAndEmptyTextsAreToldApart) {
  writer_.add_column();
  writer_.add_column();
  writer_.set(1, "");
  end_row();
  writer_.set(0, "xyz");
  end_row();
  end_row();
  finish();
  EXPECT_EQ(value("list(struct_pack(c0, c1))"),
            "[{'c0': NULL, 'c1': ''}, {'c0': xyz, 'c1': NULL}, "
            "{'c0': NULL, 'c1': NULL}]");
}

TEST_F(TextWriter, AFileWithoutRowsOrColumnsCanBeRead) {
  finish();
  EXPECT_EQ(value("count(*)"), "0");
}

TEST_F(TextWriter, RowsWithoutColumnsAreCounted) {
  for (int i = 0; i < 3; ++i) end_row();
  finish();
  EXPECT_EQ(value("count(*)"), "3");
}

TEST_F(TextWriter, ColumnsThatComeLateAreNullBefore) {
  writer_.add_column();
  const std::uint64_t rows = 2 * kTextGroupRows + 5;
  for (std::uint64_t i = 0; i < rows; ++i) {
    if (i == 10 || i == kTextGroupRows + 3) writer_.add_column();
    for (std::size_t c = 0; c < writer_.columns(); ++c) {
      if ((i + c) % 3 != 0) writer_.set(c, fmt::format("{}", i * (c + 1)));
    }
    end_row();
  }
  finish();
  EXPECT_EQ(value("count(*)"), std::to_string(rows));
  const std::string wrong = sql_value(fmt::format(
      "SELECT count(*) FROM (SELECT *, file_row_number AS n FROM read_parquet('{}')) WHERE "
      "c0 IS DISTINCT FROM CASE WHEN n % 3 = 0 THEN NULL ELSE n::VARCHAR END OR "
      "c1 IS DISTINCT FROM CASE WHEN n < 10 OR (n + 1) % 3 = 0 THEN NULL ELSE (2 * n)::VARCHAR END "
      "OR c2 IS DISTINCT FROM CASE WHEN n < {} OR (n + 2) % 3 = 0 THEN NULL ELSE (3 * n)::VARCHAR "
      "END",
      path_, kTextGroupRows + 3));
  EXPECT_EQ(wrong, "0");
}

TEST_F(TextWriter, LargeValuesEndARowGroupEarly) {
  writer_.add_column();
  const std::string large(kTextGroupBytes, 'x');
  for (int i = 0; i < 3; ++i) {
    writer_.set(0, large);
    end_row();
  }
  EXPECT_GT(bytes_.size(), 2 * kTextGroupBytes) << "row groups were written before the end";
  finish();
  EXPECT_EQ(value("sum(length(c0))"), std::to_string(3 * kTextGroupBytes));
}

TEST_F(TextWriter, AnErrorOfTheSinkEndsIt) {
  TextParquetWriter writer([](std::span<const std::byte>) -> Status {
    return fail({.code = ErrorCode::unavailable, .operation = "write", .cause = "disk full"});
  });
  const Status finished = writer.finish();
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().code, ErrorCode::unavailable);
}

}  // namespace
}  // namespace forebay
