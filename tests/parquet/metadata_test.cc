// Aim: a footer that decodes but contradicts itself or its file is damaged. Method: the footer of a
// sound file with one thing changed. Each change stands alone, so that no other check hides it.

#include "parquet/metadata.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <limits>

#include "base/limits.h"
#include "support/parquet_bytes.h"
#include "support/parquet_maker.h"

namespace forebay {
namespace {

using parquet::ColumnChunk;
using parquet::ColumnMetaData;
using parquet::FileMetaData;
using parquet::RowGroup;

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

struct Sound {
  FileMetaData metadata;
  std::uint64_t data_end = 0;
};

// Two row groups; a required-free flat column, a text column with a dictionary, and a list.
const Sound& sound() {
  static const Sound file = [] {
    const std::string path = ::testing::TempDir() + "metadata_test.parquet";
    test::make_parquet(path, "SELECT i, 'x' || i % 3 AS s, [i, i] AS l FROM range(4096) t(i)",
                       "row_group_size 2048");
    const std::string bytes = test::read_file(path);
    std::filesystem::remove(path);
    return Sound{test::decode_footer(test::footer_of(bytes)), test::footer_offset(bytes)};
  }();
  return file;
}

Result<ParquetMetadata> parse(const std::string& footer, bool want_chunks = false) {
  static const std::string object = "gs://bucket/key";
  return parse_metadata({.footer = footer,
                         .data_end = sound().data_end,
                         .want_chunks = want_chunks,
                         .object = object});
}

Result<ParquetMetadata> changed(const std::function<void(FileMetaData&)>& change) {
  FileMetaData metadata = sound().metadata;
  change(metadata);
  return parse(test::encode(metadata));
}

// Changes the first column chunk.
Result<ParquetMetadata> with_chunk(const std::function<void(ColumnMetaData&)>& change) {
  return changed([&](FileMetaData& m) { change(m.row_groups[0].columns[0].meta_data); });
}

void expect(const Result<ParquetMetadata>& result, ErrorCode code, std::string_view cause) {
  ASSERT_FALSE(result.has_value()) << "expected: " << cause;
  EXPECT_EQ(result.error().code, code) << describe(result.error());
  EXPECT_NE(result.error().cause.find(cause), std::string::npos) << describe(result.error());
}

TEST(Metadata, AcceptsTheSoundFileAndTellsWhereItsPagesLie) {
  const auto metadata = parse(test::encode(sound().metadata), true);
  ASSERT_TRUE(metadata) << describe(metadata.error());
  EXPECT_EQ(metadata->rows, 4096u);
  ASSERT_EQ(metadata->chunks.size(), 6u);
  EXPECT_EQ(metadata->chunks[0].offset, 4u);
  EXPECT_EQ(metadata->chunks[2].values, 4096u) << "two values in each of 2,048 lists";
}

TEST(Metadata, DamagedWhenTheRowCountIsNotTheSumOfTheRowGroups) {
  expect(changed([](FileMetaData& m) { m.num_rows += 1; }), ErrorCode::damaged, "4097 rows");
  expect(changed([](FileMetaData& m) { m.num_rows = 0; }), ErrorCode::damaged, "0 rows");
  expect(changed([](FileMetaData& m) { m.row_groups.pop_back(); }), ErrorCode::damaged,
         "have 2048");
  expect(changed([](FileMetaData& m) { m.row_groups.clear(); }), ErrorCode::damaged, "have 0");
}

TEST(Metadata, DamagedWhenANumberIsNegative) {
  expect(changed([](FileMetaData& m) { m.num_rows = -1; }), ErrorCode::damaged, "negative");
  expect(changed([](FileMetaData& m) { m.row_groups[0].num_rows = -1; }), ErrorCode::damaged,
         "negative");
  expect(changed([](FileMetaData& m) { m.row_groups[0].total_byte_size = -1; }), ErrorCode::damaged,
         "negative");
  expect(with_chunk([](ColumnMetaData& c) { c.num_values = -1; }), ErrorCode::damaged, "negative");
  expect(with_chunk([](ColumnMetaData& c) { c.total_compressed_size = -1; }), ErrorCode::damaged,
         "negative");
  expect(with_chunk([](ColumnMetaData& c) { c.total_uncompressed_size = -1; }), ErrorCode::damaged,
         "negative");
}

TEST(Metadata, DamagedWhenTheRowsCannotBeCounted) {
  expect(changed([](FileMetaData& m) {
           for (RowGroup& group : m.row_groups) {
             group.num_rows = kMost;
             for (ColumnChunk& chunk : group.columns) chunk.meta_data.num_values = kMost;
           }
         }),
         ErrorCode::damaged, "more rows than can be counted");
}

TEST(Metadata, DamagedWhenAColumnHasMoreOrFewerValuesThanItsRowGroupHasRows) {
  expect(with_chunk([](ColumnMetaData& c) { c.num_values += 1; }), ErrorCode::damaged,
         "2049 values in a row group of 2048 rows");
  expect(with_chunk([](ColumnMetaData& c) { c.num_values -= 1; }), ErrorCode::damaged,
         "2047 values");
  expect(changed([](FileMetaData& m) { m.row_groups[0].columns[2].meta_data.num_values = 2047; }),
         ErrorCode::damaged, "2047 values");
}

TEST(Metadata, DamagedWhenAColumnChunkIsMissingOrTooMany) {
  expect(changed([](FileMetaData& m) { m.row_groups[1].columns.pop_back(); }), ErrorCode::damaged,
         "2 column chunks for 3 columns");
  expect(changed([](FileMetaData& m) {
           auto& columns = m.row_groups[1].columns;
           columns.push_back(ColumnChunk(columns.back()));
         }),
         ErrorCode::damaged, "4 column chunks for 3 columns");
}

TEST(Metadata, DamagedWhenColumnChunksAreSwappedOrOfAnotherType) {
  expect(changed([](FileMetaData& m) {
           std::swap(m.row_groups[0].columns[0], m.row_groups[0].columns[1]);
         }),
         ErrorCode::damaged, "not where the schema has its column");
  expect(with_chunk([](ColumnMetaData& c) { c.type = parquet::Type::DOUBLE; }), ErrorCode::damaged,
         "another type");
  expect(with_chunk([](ColumnMetaData& c) { c.path_in_schema.clear(); }), ErrorCode::damaged,
         "not where the schema has its column");
  expect(with_chunk([](ColumnMetaData& c) { c.path_in_schema.push_back("more"); }),
         ErrorCode::damaged, "not where the schema has its column");
}

TEST(Metadata, DamagedWhenAColumnChunkDoesNotLieWithinTheData) {
  const auto end = static_cast<std::int64_t>(sound().data_end);
  for (const std::int64_t offset :
       {-kMost - 1, std::int64_t{-4}, std::int64_t{0}, std::int64_t{3}, end, end + 1, kMost}) {
    expect(with_chunk([&](ColumnMetaData& c) {
             c.data_page_offset = offset;
             c.__isset.dictionary_page_offset = false;
           }),
           ErrorCode::damaged, "does not lie within the data");
    if (offset == 0) continue;  // a dictionary at 0 is none
    expect(with_chunk([&](ColumnMetaData& c) { c.__set_dictionary_page_offset(offset); }),
           ErrorCode::damaged, "does not lie within the data");
  }
  for (const std::int64_t size : {end - 3, end, kMost}) {
    expect(with_chunk([&](ColumnMetaData& c) { c.total_compressed_size = size; }),
           ErrorCode::damaged, "does not lie within the data");
  }
  expect(with_chunk([](ColumnMetaData& c) { c.total_compressed_size = 0; }), ErrorCode::damaged,
         "no bytes");
}

TEST(Metadata, AcceptsAColumnChunkThatFillsTheDataToItsLastByte) {
  const auto end = static_cast<std::int64_t>(sound().data_end);
  const auto result = with_chunk([&](ColumnMetaData& c) { c.total_compressed_size = end - 4; });
  EXPECT_TRUE(result) << describe(result.error());
}

TEST(Metadata, TakesADictionaryAtZeroForNone) {
  const auto result = with_chunk([](ColumnMetaData& c) {
    c.data_page_offset = 4;
    c.__set_dictionary_page_offset(0);
  });
  EXPECT_TRUE(result) << describe(result.error());
}

TEST(Metadata, DamagedWhenADictionaryFollowsItsValues) {
  expect(with_chunk([](ColumnMetaData& c) {
           c.data_page_offset = 4;
           c.__set_dictionary_page_offset(5);
         }),
         ErrorCode::damaged, "do not follow its dictionary");
}

TEST(Metadata, RefusesWhatTheReaderDoesNotHave) {
  for (const int codec : {3, 8, -1, 1000}) {
    expect(with_chunk([&](ColumnMetaData& c) {
             c.codec = static_cast<parquet::CompressionCodec::type>(codec);
           }),
           ErrorCode::refused, "unknown codec");
  }
  for (const int encoding : {1, 10, -1, 1000}) {
    expect(with_chunk([&](ColumnMetaData& c) {
             c.encodings.push_back(static_cast<parquet::Encoding::type>(encoding));
           }),
           ErrorCode::refused, "unknown encoding");
  }
  expect(changed([](FileMetaData& m) { m.row_groups[0].columns[0].__set_file_path("part-2"); }),
         ErrorCode::refused, "another file");
  expect(changed([](FileMetaData& m) { m.row_groups[0].columns[0].__set_crypto_metadata({}); }),
         ErrorCode::refused, "encrypted");
}

TEST(Metadata, DamagedWhenSomethingRequiredIsMissing) {
  expect(changed([](FileMetaData& m) { m.row_groups[0].columns[0].__isset.meta_data = false; }),
         ErrorCode::damaged, "not described");
  expect(parse(""), ErrorCode::damaged, "cannot be decoded");
  expect(parse(std::string(1, '\0')), ErrorCode::damaged, "no version");
  expect(parse(std::string("\x15\x02\x00", 3)), ErrorCode::damaged, "no schema");
}

TEST(Metadata, DamagedWhenBytesFollowOrAFieldIsThereTwice) {
  const std::string footer = test::encode(sound().metadata);
  expect(parse(footer + '\0'), ErrorCode::damaged, "1 bytes follow");
  expect(parse("\x15\x02\x05\x02" + footer.substr(2)), ErrorCode::damaged, "");
  // The last field again before the end mark: number of rows, with its id written out.
  std::string twice = footer.substr(0, footer.size() - 1);
  twice += std::string("\x06\x06\x02\x00", 4);
  expect(parse(twice), ErrorCode::damaged, "field 3 is there twice");
}

TEST(Metadata, DamagedWhereverItIsCut) {
  const std::string footer = test::encode(sound().metadata);
  for (std::size_t size = 0; size < footer.size(); ++size) {
    const auto result = parse(footer.substr(0, size));
    ASSERT_FALSE(result.has_value()) << size;
    ASSERT_EQ(result.error().code, ErrorCode::damaged) << size;
  }
}

TEST(Metadata, TakesNoMemoryForWhatABoastfulFooterClaims) {
  // A schema of two thousand million elements, and a text of the same length, in a few bytes.
  expect(parse(std::string("\x15\x02\x19\xfc\xff\xff\xff\xff\x07", 9)), ErrorCode::damaged,
         "cannot be decoded");
  expect(parse(std::string("\x15\x02\x58\xff\xff\xff\xff\x07zz", 10)), ErrorCode::damaged,
         "cannot be decoded");
}

// WIDE-2
TEST(Metadata, ReadsAsManySchemaElementsAsTheLimitAllowsAndNotOneMore) {
  const auto flat = [](std::uint64_t elements) {
    FileMetaData m = sound().metadata;
    m.row_groups.clear();
    m.num_rows = 0;
    parquet::SchemaElement leaf = m.schema[1];
    m.schema.resize(1);
    m.schema[0].__set_num_children(static_cast<std::int32_t>(elements - 1));
    m.schema.resize(elements, leaf);
    return parse(test::encode(m));
  };
  EXPECT_TRUE(flat(kMaxParquetSchemaElements).has_value());
  expect(flat(kMaxParquetSchemaElements + 1), ErrorCode::damaged, "at most");
}

// WIDE-3
TEST(Metadata, ReadsAsManyColumnChunksAsTheLimitAllowsAndNotOneMore) {
  const std::string footer = test::encode(sound().metadata);
  const std::string object = "gs://bucket/key";
  const auto limited = [&](std::uint64_t chunks) {
    return parse_metadata(
        {.footer = footer, .data_end = sound().data_end, .max_chunks = chunks, .object = object});
  };
  EXPECT_TRUE(limited(6).has_value());
  expect(limited(5), ErrorCode::damaged, "more than 5 column chunks");
}

}  // namespace
}  // namespace forebay
