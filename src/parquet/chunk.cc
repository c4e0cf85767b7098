#include "parquet/chunk.h"

#include <fmt/core.h>

#include <utility>

#include <parquet_types.h>

namespace forebay {
namespace {

using parquet::CompressionCodec;

constexpr std::int64_t kOpeningMark = 4;

std::unexpected<Error> damaged(const ChunkContext& context, std::string cause) {
  return fail({.code = ErrorCode::damaged,
               .operation = "check a Parquet column chunk",
               .object = context.object,
               .cause = std::move(cause),
               .hint = "Have the file written again."});
}

// The codecs that DuckDB has. LZ4 is the old name for several framings; the one that DuckDB does
// not know fails there by itself.
bool known_codec(std::int32_t codec) {
  return codec >= CompressionCodec::UNCOMPRESSED && codec <= CompressionCodec::LZ4_RAW &&
         codec != CompressionCodec::LZO;
}

// Readers start at the dictionary if there is one. Writers without one leave the field out or say
// 0.
Result<ChunkPlace> check_place(const ChunkDescription& chunk, const ChunkContext& context) {
  if (*chunk.bytes == 0) {
    if (*chunk.values == 0) return ChunkPlace{};
    return damaged(context, "a column chunk has values but no bytes");
  }
  const std::int64_t dictionary = chunk.dictionary_page.value_or(0);
  const std::int64_t start = dictionary != 0 ? dictionary : *chunk.data_page;
  const auto end = static_cast<std::int64_t>(context.data_end);
  if (start < kOpeningMark || start >= end || *chunk.bytes > end - start) {
    return damaged(context, fmt::format("a column chunk of {} bytes at {} does not lie within the "
                                        "data, which ends at {}",
                                        *chunk.bytes, start, end));
  }
  // A writer that had no values has no page for them either, whatever it says of its place.
  if (*chunk.values > 0 && (*chunk.data_page < start || *chunk.data_page >= end)) {
    return damaged(context, "the values of a column chunk do not follow its dictionary");
  }
  return ChunkPlace{.offset = static_cast<std::uint64_t>(start),
                    .bytes = static_cast<std::uint64_t>(*chunk.bytes),
                    .values = static_cast<std::uint64_t>(*chunk.values)};
}

}  // namespace

Result<ChunkPlace> check_chunk(const ChunkDescription& chunk, const ChunkContext& context) {
  if (!chunk.has_metadata) return damaged(context, "a column chunk is not described");
  if (!chunk.type || !chunk.codec || !chunk.has_encodings || !chunk.has_path || !chunk.values ||
      !chunk.uncompressed_bytes || !chunk.bytes || !chunk.data_page) {
    return damaged(context, "a column chunk lacks a required field");
  }
  if (*chunk.type != context.leaf.physical_type) {
    return damaged(context, "a column chunk has another type than its column");
  }
  if (!known_codec(*chunk.codec)) {
    return fail(
        {.code = ErrorCode::refused,
         .operation = "check a Parquet column chunk",
         .object = context.object,
         .cause = fmt::format("a column is compressed with the unknown codec {}", *chunk.codec),
         .hint = "Have the file written with Zstandard, Snappy or Gzip."});
  }
  if (*chunk.values < 0 || *chunk.bytes < 0 || *chunk.uncompressed_bytes < 0) {
    return damaged(context, "a column chunk has a negative number");
  }
  // Nulls count as values; only below a repeated field a row has more than one.
  if (context.leaf.repeated ? *chunk.values < context.rows : *chunk.values != context.rows) {
    return damaged(context, fmt::format("a column chunk has {} values in a row group of {} rows",
                                        *chunk.values, context.rows));
  }
  return check_place(chunk, context);
}

}  // namespace forebay
