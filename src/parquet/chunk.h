#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "parquet/schema.h"

namespace forebay {

// A column chunk as the footer describes it: the pages of one column in one row group. What is not
// there is empty, whatever the format requires. Internal to parquet/.
struct ChunkDescription {
  bool has_metadata = false;
  bool has_encodings = false;
  bool has_path = false;
  std::optional<std::int32_t> type;
  std::optional<std::int32_t> codec;
  std::optional<std::int64_t> values;
  std::optional<std::int64_t> uncompressed_bytes;
  std::optional<std::int64_t> bytes;
  std::optional<std::int64_t> data_page;
  std::optional<std::int64_t> dictionary_page;
};

// What a chunk is checked against.
struct ChunkContext {
  const ParquetSchema::Leaf& leaf;
  std::int64_t rows = 0;       // of its row group
  std::uint64_t data_end = 0;  // where the footer starts
  const std::string& object;
};

// Where its pages lie. All zero for a chunk without any.
struct ChunkPlace {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t values = 0;
};

// damaged: something required is missing, numbers do not fit the row group, or the pages do not lie
// between the file's opening mark and its footer. refused: a codec that the reader does not have.
Result<ChunkPlace> check_chunk(const ChunkDescription& chunk, const ChunkContext& context);

}  // namespace forebay
