#include "parquet/raw_columns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "support/parquet_maker.h"
#include "support/sample_feed.h"
#include "support/temp_folder.h"

namespace forebay::test {
namespace {

// A part of a real export with a decimal of each physical form.
std::string lay_out_sample(const TempFolder& folder) {
  const Sample sample = read_sample("01-full-types");
  lay_out(sample, sample.steps.front(), folder / "exports");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / "exports")) {
    if (entry.path().extension() == ".parquet") return entry.path();
  }
  ADD_FAILURE() << "the sample has no part";
  return {};
}

ParquetFooter footer_of(const std::string& path) {
  const auto footer = read_parquet_footer(path, "the file");
  EXPECT_TRUE(footer) << describe(footer.error());
  return footer ? *footer : ParquetFooter{};
}

const ParquetColumn& column(const ParquetFooter& footer, const std::string& name) {
  return *std::ranges::find(footer.columns, name, &ParquetColumn::name);
}

TEST(RawColumns, WideOnesAreBytesAndAllElseIsAsItWas) {
  const TempFolder folder;
  const std::string path = lay_out_sample(folder);
  const ParquetFooter before = footer_of(path);
  EXPECT_TRUE(before.has_raw());
  EXPECT_EQ(column(before, "n50_10").leaves,
            (std::vector<RawLeaf>{{.form = RawLeaf::Form::decimal, .scale = 10}}));
  EXPECT_TRUE(column(before, "n76_38").plain_bytes);

  std::ofstream out(folder / "plain.parquet", std::ios::binary);
  const Status written = write_raw_columns(path, "the file", {.leaves = true},
                                           [&](std::span<const std::byte> bytes) -> Status {
                                             out.write(reinterpret_cast<const char*>(bytes.data()),
                                                       static_cast<std::streamsize>(bytes.size()));
                                             return {};
                                           });
  out.close();
  ASSERT_TRUE(written) << describe(written.error());

  const ParquetFooter after = footer_of(folder / "plain.parquet");
  EXPECT_FALSE(after.has_raw());
  EXPECT_EQ(after.rows, before.rows);
  EXPECT_EQ(column(after, "n50_10").type, "FIXED_LEN_BYTE_ARRAY");
  EXPECT_EQ(column(after, "n38_10").type, column(before, "n38_10").type);
  const std::string others =
      "SELECT md5(string_agg(t::VARCHAR, '|' ORDER BY id)) FROM (SELECT * "
      "EXCLUDE (n50_10, n76_38) FROM read_parquet('{}')) t";
  const auto sum = [&](const std::string& of) {
    std::string sql = others;
    sql.replace(sql.find("{}"), 2, of);
    return sql_value(sql);
  };
  EXPECT_EQ(sum(folder / "plain.parquet"), sum(path));
  EXPECT_EQ(sql_value("SELECT typeof(any_value(n76_38)) FROM read_parquet('" +
                      (folder / "plain.parquet") + "')"),
            "BLOB");
}

TEST(RawColumns, TheSinksErrorComesBack) {
  const TempFolder folder;
  const Status written = write_raw_columns(
      lay_out_sample(folder), "the file", {.leaves = true}, [](std::span<const std::byte>) {
        return Status(fail({.code = ErrorCode::unavailable, .operation = "write"}));
      });
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::unavailable);
}

}  // namespace
}  // namespace forebay::test
