#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.h"
#include "engine/text_profile.h"

namespace forebay {

// Where a reader of text puts rows. Columns are numbered as they are added.
class RowSink {
 public:
  virtual ~RowSink() = default;
  // damaged: more columns than limits.h allows.
  virtual Result<std::size_t> add_column(std::string_view name) = 0;
  // At most once a column and row; a column without a value is null.
  virtual void set(std::size_t column, std::string_view value, TextOrigin origin) = 0;
  virtual Status end_row() = 0;
};

}  // namespace forebay
