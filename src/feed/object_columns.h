#pragma once

#include <string>
#include <vector>

#include "feed/type_name.h"

namespace forebay {

// A column that comes from the object and not from its bytes: one value for all rows of a file, or
// the rows' numbers.
struct ObjectColumn {
  enum class From {
    file_name,       // the key as the ledger has it: TEXT
    file_timestamp,  // last modified: TIMESTAMPTZ
    file_size,       // BIGINT
    file_etag,       // the store's word for the version: TEXT
    path_value,      // V of a part K=V of the key below the source, K being `name`: of type `type`
    row_number,      // the row's number in its file, from 0: BIGINT
    capture,         // of the unit's name: of the capture's type
  } from = From::path_value;
  std::string name;
  TypeName type;  // of a path value or capture

  bool operator==(const ObjectColumn&) const = default;
};

}  // namespace forebay
