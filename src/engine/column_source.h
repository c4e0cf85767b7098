#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engine/column_type.h"
#include "engine/exact_cast.h"

namespace forebay {

// What the bytes of a value stand for, of which the engine's own reader would lose a part.
struct RawValue {
  enum class Kind {
    none,          // the reader gives it as it is
    decimal_text,  // a decimal with `scale` digits behind the point, which becomes text
    time_us,       // an INT96 (nanoseconds of its day, Julian day), which becomes a TIMESTAMP
    time_ns,       // the same, which becomes a TIMESTAMP_NS
  } kind = Kind::none;
  int scale = 0;

  bool operator==(const RawValue&) const = default;
};

// How one column of the table is filled from a file.
struct ColumnSource {
  std::string reader_name;    // as the engine names the file's column; empty: null in this file
  ColumnType reader_type;     // that of its values, once raw ones are what they stand for
  bool check_values = false;  // every value must survive the cast, else drift
  bool declared = false;      // every value must be one of the table's type, else drift
  bool uuid_text = false;     // 16 bytes, a UUID or its text: all become the same text
  // One for each leaf of `reader_type`, depth first, of which the reader gives bytes; empty: none
  // is raw.
  std::vector<RawValue> raw = {};
  CastForm form = {};                         // with `declared`: how values are read
  std::vector<std::string> null_values = {};  // what, as text, stands for no value
  // Which of each file's constants fills it; a column of the file must then agree with it.
  std::optional<std::size_t> constant = {};
  bool row_number = false;  // the row's number in its file, from 0
};

// Files of equal schema share one: a source for each column of the table.
struct Layout {
  std::vector<ColumnSource> columns;
  std::vector<std::string> reader_names;  // of all columns of the file, in its order
  std::string delete_flag;     // the reader's name of the boolean, perhaps as text, that deletes
  std::string operation;       // the reader's name of the column of operations; empty: all rows put
  std::string operation_name;  // the file's own name of it, for messages
};

}  // namespace forebay
