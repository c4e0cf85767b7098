#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace forebay {

inline constexpr int kMaxDecimalDigits = 38;

// What a value stands for that readers do not give exactly, so that its bytes are read.
struct RawLeaf {
  enum class Form {
    none,     // readers do
    decimal,  // of more digits than readers have a type for: some make DOUBLE of it
    time,     // INT96: nanoseconds of a day and the day, of which some keep microseconds
  } form = Form::none;
  int scale = 0;  // of a decimal

  bool operator==(const RawLeaf&) const = default;
};

// A top-level column as the file's schema has it.
struct ParquetColumn {
  std::string name;  // exact bytes
  std::string type;  // for messages: "INT64", "BYTE_ARRAY (STRING)", "DECIMAL(40,2)", "group"
  bool required = false;
  int decimal_precision = 0;    // 0: no decimal; the largest one inside a nested column
  bool plain_bytes = false;     // BYTE_ARRAY or FIXED_LEN_BYTE_ARRAY, and one a row at most
  std::vector<RawLeaf> leaves;  // what has values: one, or those inside, in the schema's order

  bool has_raw() const;
};

// What the end of a Parquet file says, checked against the file's size.
struct ParquetFooter {
  std::uint64_t rows = 0;
  std::vector<ParquetColumn> columns;
  // Equal exactly for files whose schemas are element by element the same: such files can be read
  // together, column by column, without looking at each.
  std::string schema_fingerprint;

  bool has_raw() const;  // some column has
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
