// Aim: a file of text becomes a Parquet file with the same rows and a profile of each column, and
// an error of any layer comes out. Method: whole files, read back by DuckDB.

#include "decode/decode_text.h"

#include <gtest/gtest.h>

#include "support/packed.h"
#include "support/parquet_maker.h"
#include "support/temp_folder.h"

namespace forebay {
namespace {

class DecodeText : public ::testing::Test {
 protected:
  Result<DecodedText> decode(const std::string& name, const std::string& bytes) {
    folder_.write(name, bytes);
    const FileForm form = form_of({}, name);
    std::string parquet;
    const std::string object = name;
    auto decoded =
        decode_text({.form = form, .path = folder_ / name, .size = bytes.size(), .object = object},
                    [&](std::span<const std::byte> part) -> Status {
                      parquet.append(reinterpret_cast<const char*>(part.data()), part.size());
                      return {};
                    });
    folder_.write("rows.parquet", parquet);
    return decoded;
  }
  std::string rows() const {
    return test::sql_value("SELECT list(r)::VARCHAR FROM (SELECT r FROM read_parquet('" +
                           (folder_ / "rows.parquet") + "') AS r)");
  }

  test::TempFolder folder_;
};

TEST_F(DecodeText, EveryFormatGivesRowsNamesAndProfiles) {
  const std::string csv = "n,t\n1,x\n2,\"\"\n";
  const std::string json = "{\"n\":1,\"t\":\"x\"}\n{\"n\":2,\"t\":\"\"}\n";
  for (const auto& [name, bytes] : {std::pair<std::string, std::string>{"a.csv", csv},
                                    {"a.tsv", "n\tt\n1\tx\n2\t\"\"\n"},
                                    {"a.json", json},
                                    {"a.ndjson.gz", test::gzip(json)},
                                    {"a.csv.gz", test::gzip(csv)},
                                    {"a.csv.zst", test::zstd(csv)}}) {
    const auto decoded = decode(name, bytes);
    ASSERT_TRUE(decoded) << describe(decoded.error());
    EXPECT_EQ(decoded->rows, 2U);
    ASSERT_EQ(decoded->columns.size(), 2U);
    EXPECT_EQ(decoded->columns[0].name, "n");
    EXPECT_EQ(to_sql(natural_type(decoded->columns[0].profile)), "BIGINT");
    EXPECT_EQ(to_sql(natural_type(decoded->columns[1].profile)), "VARCHAR");
    EXPECT_EQ(rows(), "[{'c0': 1, 'c1': x}, {'c0': 2, 'c1': ''}]") << name;
  }
}

TEST_F(DecodeText, ErrorsOfEveryLayerComeOut) {
  for (const auto& [name, bytes, cause] :
       {std::tuple<std::string, std::string, std::string>{"a.csv", "a,b\n1\n", "line 2: it has 1"},
        {"a.csv", "a\n\xff\n", "line 2 is no UTF-8 text"},
        {"a.json", "{\"a\":1}\n\xff", "line 2 is no UTF-8 text"},
        {"a.csv.gz", "a\n1\n", "no sound gzip file"},
        {"a.csv", test::gzip("a\n1\n"), "no UTF-8 text"}}) {
    const auto decoded = decode(name, bytes);
    ASSERT_FALSE(decoded) << name;
    EXPECT_EQ(decoded.error().code, ErrorCode::damaged);
    EXPECT_TRUE(decoded.error().cause.contains(cause)) << decoded.error().cause;
    EXPECT_EQ(decoded.error().object, name);
  }
}

TEST_F(DecodeText, AFileThatIsNotThereIsUnavailable) {
  const FileForm form = form_of({}, "a.csv");
  const std::string object = "a.csv";
  const auto decoded =
      decode_text({.form = form, .path = folder_ / "none", .size = 0, .object = object},
                  [](std::span<const std::byte>) -> Status { return {}; });
  ASSERT_FALSE(decoded);
  EXPECT_EQ(decoded.error().code, ErrorCode::unavailable);
}

}  // namespace
}  // namespace forebay
