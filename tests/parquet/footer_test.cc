// Aim: no file that is damaged at its end, or that is no Parquet file, reaches the engine, whatever
// its bytes are. Method: real files, cut, flipped and re-assembled, through the whole check.

#include "parquet/footer.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "base/limits.h"
#include "support/parquet_bytes.h"
#include "support/parquet_maker.h"

namespace forebay {
namespace {

using test::MemoryFile;

Result<ParquetFooter> read(const MemoryFile& file) {
  return read_parquet_footer(file.path(), "s3://bucket/key.parquet");
}

Result<ParquetFooter> read_bytes(std::string_view bytes) {
  MemoryFile file;
  file.set(bytes);
  return read(file);
}

// The bytes of a Parquet file with the rows of `query`.
std::string parquet_of(const std::string& query, const std::string& options = "") {
  const std::string path = ::testing::TempDir() + "footer_test.parquet";
  test::make_parquet(path, query, options);
  std::string bytes = test::read_file(path);
  std::filesystem::remove(path);
  return bytes;
}

const std::string& small_file() {
  static const std::string file =
      parquet_of("SELECT i::INT AS id, 'x' || i AS name FROM range(3) t(i)");
  return file;
}

void expect_failure(const Result<ParquetFooter>& result, ErrorCode code, std::string_view cause) {
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, code) << describe(result.error());
  EXPECT_NE(result.error().cause.find(cause), std::string::npos) << describe(result.error());
  EXPECT_EQ(result.error().object, "s3://bucket/key.parquet");
}

TEST(Footer, TellsRowsAndColumnsOfASoundFile) {
  const auto footer = read_bytes(small_file());
  ASSERT_TRUE(footer) << describe(footer.error());
  EXPECT_EQ(footer->rows, 3u);
  ASSERT_EQ(footer->columns.size(), 2u);
  EXPECT_EQ(footer->columns[0].name, "id");
  EXPECT_EQ(footer->columns[0].type, "INT32 (INT_32)");
  EXPECT_EQ(footer->columns[1].name, "name");
  EXPECT_EQ(footer->columns[1].type, "BYTE_ARRAY (STRING)");
}

TEST(Footer, DamagedWhereverASmallFileIsCut_CORR_1) {
  MemoryFile file;
  for (std::size_t size = 0; size < small_file().size(); ++size) {
    file.set(std::string_view(small_file()).substr(0, size));
    const auto footer = read(file);
    ASSERT_FALSE(footer.has_value()) << "cut at " << size;
    EXPECT_EQ(footer.error().code, ErrorCode::damaged) << "cut at " << size;
  }
  file.set(small_file());
  EXPECT_TRUE(read(file).has_value());
}

TEST(Footer, DamagedWhereverTheEndOfALargeFileIsCut_CORR_1) {
  const std::string large = parquet_of(
      "SELECT i, hash(i) AS h, repeat('y', 40) || hash(i) AS text FROM range(60000) t(i)",
      "row_group_size 2048");
  ASSERT_GT(large.size(), 1u << 20);
  MemoryFile file;
  file.set(large);
  ASSERT_TRUE(read(file).has_value());
  for (std::size_t size = large.size() - 1; size > large.size() - (64 << 10); --size) {
    file.cut(size);
    const auto footer = read(file);
    ASSERT_FALSE(footer.has_value()) << "cut at " << size;
    ASSERT_EQ(footer.error().code, ErrorCode::damaged) << "cut at " << size;
  }
}

TEST(Footer, NeverFailsWorseThanDamagedOrRefusedWhenAnyBitOfItIsFlipped) {
  const std::size_t footer_start = test::footer_offset(small_file());
  std::string bytes = small_file();
  std::size_t undetected = 0;
  MemoryFile file;
  for (std::size_t bit = footer_start * 8; bit < bytes.size() * 8; ++bit) {
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    file.set(bytes);
    const auto footer = read(file);
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    if (footer) {
      ++undetected;
      continue;
    }
    EXPECT_TRUE(footer.error().code == ErrorCode::damaged ||
                footer.error().code == ErrorCode::refused)
        << "bit " << bit << ": " << describe(footer.error());
  }
  // A footer carries no checksum: a flipped bit in a statistic, a column's name or the writer's
  // name gives another valid footer.
  EXPECT_LT(undetected, (bytes.size() - footer_start) * 8 * 2 / 3);
}

TEST(Footer, DamagedWhenItsLengthIsNothingOrMoreThanTheFileHas) {
  const std::string_view data(small_file().data(), test::footer_offset(small_file()));
  const std::string_view footer = test::footer_of(small_file());
  expect_failure(read_bytes(test::join(data, footer, 0)), ErrorCode::damaged, "no bytes");
  const auto room = static_cast<std::uint32_t>(data.size() - 4 + footer.size());
  for (const std::uint32_t length : {room + 1, 0x7fffffffu, 0x80000000u, 0xffffffffu}) {
    expect_failure(read_bytes(test::join(data, footer, length)), ErrorCode::damaged, "claims");
  }
  for (const std::uint32_t length : {1u, static_cast<std::uint32_t>(footer.size() - 1),
                                     static_cast<std::uint32_t>(footer.size() + 1), room}) {
    expect_failure(read_bytes(test::join(data, footer, length)), ErrorCode::damaged, "");
  }
}

TEST(Footer, DamagedWhenItIsLargerThanTheLimit) {
  const std::string path = ::testing::TempDir() + "footer_limit.parquet";
  const std::uint64_t size = kMaxParquetFooterBytes + 12;
  test::write_file(path, "PAR1");
  std::filesystem::resize_file(path, size + 1);  // sparse: it occupies next to nothing
  std::string all_of_it =
      test::join("", "", static_cast<std::uint32_t>(kMaxParquetFooterBytes + 1));
  {
    std::FILE* file = std::fopen(path.c_str(), "r+b");
    ASSERT_EQ(std::fseek(file, -8, SEEK_END), 0);
    std::fwrite(all_of_it.data(), 1, 8, file);
    std::fclose(file);
  }
  expect_failure(read_parquet_footer(path, "s3://bucket/key.parquet"), ErrorCode::damaged,
                 "at most");
  std::filesystem::remove(path);
}

TEST(Footer, DamagedWhenItIsNoise) {
  std::mt19937_64 random(7);
  MemoryFile file;
  for (int i = 0; i < 20000; ++i) {
    std::string noise(random() % 300 + 1, '\0');
    for (char& c : noise) c = static_cast<char>(random());
    // Half of them start as a footer does, so that they get further.
    if (i % 2)
      noise.replace(0, std::min<std::size_t>(noise.size(), 8), "\x15\x02\x19\x2c\x48\x01r\x15");
    file.set(test::join("PAR1", noise));
    const auto footer = read(file);
    ASSERT_FALSE(footer.has_value());
    ASSERT_TRUE(footer.error().code == ErrorCode::damaged ||
                footer.error().code == ErrorCode::refused);
  }
}

TEST(Footer, DamagedWhenItBelongsToALargerFile) {
  const std::string larger =
      parquet_of("SELECT i, repeat('z', 100) || i AS s FROM range(5000) t(i)");
  const std::string_view data(small_file().data(), test::footer_offset(small_file()));
  expect_failure(read_bytes(test::join(data, test::footer_of(larger))), ErrorCode::damaged,
                 "does not lie within the data");
}

TEST(Footer, RefusesEncryptedFiles) {
  expect_failure(read_bytes("PARE some encrypted bytes \x08\x01\x01\x01PARE"), ErrorCode::refused,
                 "encrypted");
  expect_failure(read_bytes("PARE some encrypted bytes, cut off"), ErrorCode::damaged, "end");
  expect_failure(read_bytes(test::with_footer(small_file(),
                                              [](parquet::FileMetaData& metadata) {
                                                metadata.__set_encryption_algorithm({});
                                              })),
                 ErrorCode::refused, "encrypted");
}

TEST(Footer, DamagedWhenTheObjectIsEmpty_EMPTY_1) {
  expect_failure(read_bytes(""), ErrorCode::damaged, "0 bytes");
}

TEST(Footer, SaysWhatAFileIsThatIsNoParquet) {
  expect_failure(read_bytes("id,name\n1,a\n2,b\n3,cccccccccccccccc\n"), ErrorCode::damaged,
                 "does not start with PAR1");
  expect_failure(read_bytes("<!DOCTYPE html><html><body>503 Slow Down</body></html>"),
                 ErrorCode::damaged, "looks like HTML");
  expect_failure(read_bytes("<a/>"), ErrorCode::damaged, "looks like HTML");
  expect_failure(read_bytes("{\"message\": \"Forbidden\"}"), ErrorCode::damaged, "JSON");
  expect_failure(read_bytes("PAR1"), ErrorCode::damaged, "ends after its opening mark");
  expect_failure(read_bytes("PAR1PAR1"), ErrorCode::damaged, "ends after its opening mark");
}

TEST(Footer, UnavailableWhenTheFileCannotBeRead) {
  const auto missing = read_parquet_footer("/nonexistent/file.parquet", "f");
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code, ErrorCode::unavailable);
  const auto folder = read_parquet_footer("/", "f");
  ASSERT_FALSE(folder.has_value());
  EXPECT_EQ(folder.error().code, ErrorCode::unavailable);
}

TEST(Footer, AcceptsAFileWithoutRows_EMPTY_2) {
  const auto footer = read_bytes(parquet_of("SELECT 1 AS a, 'x' AS b WHERE false"));
  ASSERT_TRUE(footer) << describe(footer.error());
  EXPECT_EQ(footer->rows, 0u);
  EXPECT_EQ(footer->columns.size(), 2u);
}

TEST(Footer, AcceptsAFileWithoutRowGroupsOrWithAnEmptyOne_EMPTY_2) {
  const auto none = read_bytes(test::with_footer(small_file(), [](parquet::FileMetaData& metadata) {
    metadata.row_groups.clear();
    metadata.num_rows = 0;
  }));
  ASSERT_TRUE(none) << describe(none.error());
  EXPECT_EQ(none->rows, 0u);

  const auto empty =
      read_bytes(test::with_footer(small_file(), [](parquet::FileMetaData& metadata) {
        metadata.num_rows = metadata.row_groups[0].num_rows = 0;
        for (parquet::ColumnChunk& chunk : metadata.row_groups[0].columns) {
          chunk.meta_data.num_values = chunk.meta_data.total_compressed_size = 0;
        }
      }));
  ASSERT_TRUE(empty) << describe(empty.error());
  EXPECT_EQ(empty->rows, 0u);
}

TEST(Footer, ReadsFiveThousandColumnsAndALargeFooter_WIDE_3) {
  std::string columns;
  for (int i = 0; i < 5000; ++i)
    columns += fmt::format("{}i AS column_number_{}", i ? ", " : "", i);
  const std::string wide = parquet_of("SELECT " + columns + " FROM range(3) t(i)");
  ASSERT_GT(wide.size() - test::footer_offset(wide), 64u << 10) << "longer than the first read";
  const auto footer = read_bytes(wide);
  ASSERT_TRUE(footer) << describe(footer.error());
  EXPECT_EQ(footer->columns.size(), 5000u);
  EXPECT_EQ(footer->columns[4999].name, "column_number_4999");
  EXPECT_EQ(footer->rows, 3u);
}

TEST(Footer, ReadsThousandsOfTinyRowGroups) {
  std::string many = test::with_footer(small_file(), [](parquet::FileMetaData& metadata) {
    const parquet::RowGroup group = metadata.row_groups[0];
    metadata.row_groups.assign(5000, group);
    metadata.num_rows = 15000;
  });
  const auto footer = read_bytes(many);
  ASSERT_TRUE(footer) << describe(footer.error());
  EXPECT_EQ(footer->rows, 15000u);
}

TEST(Footer, KeepsOddColumnNamesByteForByte) {
  const auto footer =
      read_bytes(parquet_of("SELECT 1 AS \"a\"\"b\", 2 AS \" \", 3 AS \"naïve ☃\", 4 AS \"x\ny\", "
                            "5 AS \"A\", 6 AS \"aa\""));
  ASSERT_TRUE(footer) << describe(footer.error());
  std::vector<std::string> names;
  for (const ParquetColumn& column : footer->columns) names.push_back(column.name);
  EXPECT_EQ(names, (std::vector<std::string>{"a\"b", " ", "naïve ☃", "x\ny", "A", "aa"}));
}

TEST(Footer, TellsTheLargestDecimalInsideANestedColumn_TYPE_1) {
  const auto footer =
      read_bytes(parquet_of("SELECT 1.5::DECIMAL(10,2) AS d, [{'a': 1::DECIMAL(38,10), 'b': "
                            "2::DECIMAL(5,1)}] AS n, 3 AS i"));
  ASSERT_TRUE(footer) << describe(footer.error());
  EXPECT_EQ(footer->columns[0].type, "DECIMAL(10,2)");
  EXPECT_EQ(footer->columns[0].decimal_precision, 10);
  EXPECT_EQ(footer->columns[1].type, "group");
  EXPECT_EQ(footer->columns[1].decimal_precision, 38);
  EXPECT_EQ(footer->columns[2].decimal_precision, 0);
}

TEST(Footer, GivesTheSameFingerprintToEqualSchemasAlone) {
  const auto print = [](const std::string& query, const std::string& options = "") {
    return read_bytes(parquet_of(query, options))->schema_fingerprint;
  };
  const std::string base = print("SELECT i::INT AS a, 'x' || i AS b FROM range(3) t(i)");
  EXPECT_EQ(base,
            print("SELECT i::INT AS a, 'y' || i AS b FROM range(500) t(i)", "compression zstd"));
  const auto of_rows = [&](const std::string& columns) {
    return print("SELECT " + columns + " FROM range(3) t(i)");
  };
  EXPECT_NE(base, of_rows("i::INT AS a, 'x' || i AS c"));
  EXPECT_NE(base, of_rows("i::INT AS A, 'x' || i AS b"));
  EXPECT_NE(base, of_rows("i AS a, 'x' || i AS b"));
  EXPECT_NE(base, of_rows("'x' || i AS b, i::INT AS a"));
  EXPECT_NE(base, of_rows("i::INT AS a, 'x' || i AS b, i AS c"));
  EXPECT_NE(of_rows("i::DECIMAL(10,2) AS a"), of_rows("i::DECIMAL(10,3) AS a"));
  EXPECT_NE(of_rows("make_timestamp(i) AS t"), of_rows("to_timestamp(i) AS t"));
}

TEST(Footer, AcceptsEveryCodecThatTheEngineReads) {
  for (const char* codec : {"uncompressed", "snappy", "gzip", "zstd", "brotli", "lz4_raw"}) {
    const auto footer = read_bytes(
        parquet_of("SELECT i FROM range(10) t(i)", fmt::format("compression {}", codec)));
    EXPECT_TRUE(footer.has_value()) << codec;
  }
}

}  // namespace
}  // namespace forebay
