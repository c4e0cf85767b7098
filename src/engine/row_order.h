#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/json_form.h"
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
  std::vector<JsonForm> forms;     // the column is JSON of one of these forms; empty: as it is
  bool may_lack = false;           // a row may have no value: that is the lowest
  bool missing = false;            // no file of this batch and no table has the column
  bool natural = false;            // texts of digits alone are compared as numbers

  bool of_unit() const { return column.empty(); }
};

struct RowOrder {
  std::vector<OrderTerm> terms;
  std::size_t decisive = 0;  // so many make up the version; the others break its ties, and may
                             // be null, which is the lowest, as those that may lack a value

  bool empty() const { return terms.empty(); }
  bool nullable(std::size_t term) const {
    return terms[term].may_lack || (term >= decisive && terms[term].ranks.empty());
  }
};

}  // namespace forebay
