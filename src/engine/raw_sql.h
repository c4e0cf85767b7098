#pragma once

#include <string>
#include <vector>

#include "engine/engine.h"

namespace forebay::duckdb {

// What a column of raw values stands for: `value` is an expression of it as the reader gives it,
// `type` what comes of it, with a RawValue for each leaf of that type. A time that does not fit
// raises an error with kDriftMark; `column` names it there.
std::string raw_value_sql(const std::string& value, const ColumnType& type,
                          const std::vector<RawValue>& raw, const std::string& column);

}  // namespace forebay::duckdb
