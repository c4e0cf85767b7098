#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/column_type.h"

namespace forebay::sim {

using Cell = std::optional<std::string>;  // as text; nothing is null
using Cells = std::vector<Cell>;

// A Parquet file that was made before the first simulation, and what it holds. The model engine and
// the oracle know its rows from here, and never read one.
struct ReadyFile {
  std::string bytes;
  std::vector<Column> columns;  // _row_id, _deleted, amount and, in some, note
  std::vector<Cells> rows;
};

const std::vector<ReadyFile>& ready_files();

// The file that is these bytes and no others; null: none is.
const ReadyFile* find_ready_file(std::string_view bytes);

}  // namespace forebay::sim
