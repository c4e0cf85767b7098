#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/column_type.h"

namespace forebay {

// What says which of two rows of a key is newer, where rows carry versions: terms that are compared
// one after the other, and after them the place of the row's unit, its file and its row.
struct OrderTerm {
  std::string name;                // unique among the terms; a column's own name
  std::string column;              // of the rows; empty: a value of the unit, InputFile::version
  ColumnType type;                 // of its values; text for ranks, BLOB for values of units
  std::vector<std::string> ranks;  // lowest first; empty: values are compared as they are
  bool instant = false;            // texts that are compared as the times they mean (ISO 8601)

  bool of_unit() const { return column.empty(); }
};

struct RowOrder {
  std::vector<OrderTerm> terms;
  std::size_t decisive = 0;  // so many make up the version; the others break its ties, and may
                             // be null, which is the lowest

  bool empty() const { return terms.empty(); }
  bool nullable(std::size_t term) const { return term >= decisive && terms[term].ranks.empty(); }
};

}  // namespace forebay
