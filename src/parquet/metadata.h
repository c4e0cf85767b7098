#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "parquet/chunk.h"
#include "parquet/schema.h"

namespace forebay {

// What the footer says. Internal to parquet/.
struct ParquetMetadata {
  std::uint64_t rows = 0;
  ParquetSchema schema;
  std::vector<ChunkPlace> chunks;  // empty unless asked for
};

struct MetadataRequest {
  std::string_view footer;     // the bytes between the data and the footer's length
  std::uint64_t data_end = 0;  // offset of the footer in its file
  bool want_chunks = false;
  std::uint64_t max_chunks = kMaxParquetColumnChunks;
  const std::string& object;
};

// Reads the footer's bytes field by field and keeps the schema only, so that memory stays within a
// small multiple of the bytes, whatever they claim. Errors as read_parquet_footer has them.
Result<ParquetMetadata> parse_metadata(const MetadataRequest& request);

}  // namespace forebay
