// Aim: where a column chunk may lie, to the byte. The whole footer's checks are in
// metadata_test.cc.

#include "parquet/chunk.h"

#include <gtest/gtest.h>

namespace forebay {
namespace {

constexpr std::uint64_t kEnd = 1000;
const std::string kObject = "s3://bucket/key";
const ParquetSchema::Leaf kFlat{.node = 1, .physical_type = 2, .repeated = false, .depth = 1};

ChunkDescription sound() {
  return {.has_metadata = true,
          .has_encodings = true,
          .has_path = true,
          .type = 2,
          .codec = 0,
          .values = 10,
          .uncompressed_bytes = 80,
          .bytes = 80,
          .data_page = 4,
          .dictionary_page = {}};
}

Result<ChunkPlace> check(const ChunkDescription& chunk, std::int64_t rows = 10) {
  return check_chunk(chunk, {.leaf = kFlat, .rows = rows, .data_end = kEnd, .object = kObject});
}

TEST(Chunk, TellsWhereItsPagesLie) {
  const auto place = check(sound());
  ASSERT_TRUE(place) << describe(place.error());
  EXPECT_EQ(place->offset, 4u);
  EXPECT_EQ(place->bytes, 80u);
  EXPECT_EQ(place->values, 10u);
}

TEST(Chunk, StartsAtItsDictionaryIfItHasOne) {
  ChunkDescription chunk = sound();
  chunk.data_page = 60;
  chunk.dictionary_page = 40;
  EXPECT_EQ(check(chunk)->offset, 40u);
  chunk.dictionary_page = 0;
  EXPECT_EQ(check(chunk)->offset, 60u);
}

TEST(Chunk, MayEndWhereTheFooterStartsAndNotOneByteLater) {
  ChunkDescription chunk = sound();
  chunk.bytes = static_cast<std::int64_t>(kEnd) - 4;
  EXPECT_TRUE(check(chunk).has_value());
  ++*chunk.bytes;
  ASSERT_FALSE(check(chunk).has_value());
  EXPECT_EQ(check(chunk).error().code, ErrorCode::damaged);
}

// EMPTY-2: as one common writer leaves a row group without rows: a dictionary page, and no other.
TEST(Chunk, OfNoValuesMayHaveADictionaryAlone) {
  ChunkDescription chunk = sound();
  chunk.values = chunk.data_page = 0;
  chunk.dictionary_page = 4;
  chunk.bytes = 15;
  EXPECT_TRUE(check(chunk, 0).has_value());
  EXPECT_FALSE(check(chunk, 1).has_value());
}

TEST(Chunk, OfNoValuesNeedsNoPlace) {
  ChunkDescription chunk = sound();
  chunk.values = chunk.bytes = chunk.data_page = 0;
  const auto place = check(chunk, 0);
  ASSERT_TRUE(place) << describe(place.error());
  EXPECT_EQ(place->bytes, 0u);
}

TEST(Chunk, DamagedWhenAnyRequiredFieldIsMissing) {
  const auto missing = [](auto forget) {
    ChunkDescription chunk = sound();
    forget(chunk);
    const auto place = check(chunk);
    return !place && place.error().code == ErrorCode::damaged;
  };
  EXPECT_TRUE(missing([](ChunkDescription& c) { c.has_metadata = false; }));
  EXPECT_TRUE(missing([](ChunkDescription& c) { c.has_encodings = false; }));
  EXPECT_TRUE(missing([](ChunkDescription& c) { c.has_path = false; }));
  EXPECT_TRUE(missing([](ChunkDescription& c) { c.type.reset(); }));
  EXPECT_TRUE(missing([](ChunkDescription& c) { c.codec.reset(); }));
  EXPECT_TRUE(missing([](ChunkDescription& c) { c.values.reset(); }));
  EXPECT_TRUE(missing([](ChunkDescription& c) { c.uncompressed_bytes.reset(); }));
  EXPECT_TRUE(missing([](ChunkDescription& c) { c.bytes.reset(); }));
  EXPECT_TRUE(missing([](ChunkDescription& c) { c.data_page.reset(); }));
}

}  // namespace
}  // namespace forebay
