#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace forebay {

inline constexpr int kMaxDecimalDigits = 38;

// A top-level column as the file's schema has it.
struct ParquetColumn {
  std::string name;  // exact bytes
  std::string type;  // for messages: "INT64", "BYTE_ARRAY (STRING)", "DECIMAL(40,2)", "group"
  bool required = false;
  int decimal_precision = 0;  // 0: no decimal; the largest one inside a nested column
  int decimal_scale = 0;      // of that decimal
  bool plain_bytes = false;   // BYTE_ARRAY or FIXED_LEN_BYTE_ARRAY, and one a row at most

  // A decimal of more digits than readers have a type for. Some make DOUBLE of it, and lose digits.
  bool is_wide_decimal() const { return decimal_precision > kMaxDecimalDigits; }
};

// What the end of a Parquet file says, checked against the file's size.
struct ParquetFooter {
  std::uint64_t rows = 0;
  std::vector<ParquetColumn> columns;
  // Equal exactly for files whose schemas are element by element the same: such files can be read
  // together, column by column, without looking at each.
  std::string schema_fingerprint;
};

// Reads and verifies the footer of the file at `path`. `object` names it in errors.
// damaged: too short, no magic, footer out of bounds, noise instead of a footer, row groups whose
//   rows do not add up, column chunks that overlap the footer or leave the file, a schema tree that
//   does not close, more elements than limits.h allows.
// refused: encrypted, or a codec or encoding that the reader does not have.
// unavailable: the file cannot be read.
// Memory is bounded by limits.h whatever the bytes claim.
Result<ParquetFooter> read_parquet_footer(const std::string& path, const std::string& object);

}  // namespace forebay
