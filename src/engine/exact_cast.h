#pragma once

#include <string>
#include <string_view>

#include "engine/column_type.h"

namespace forebay {

// Whether a column of a file may be declared to be of a type: there is then a way by which each
// value becomes exactly the same value of it, or shows that it cannot.
bool can_be_declared(const ColumnType& file, const ColumnType& declared);

namespace duckdb {

// A value of a file as one of a declared type; null where it is not exactly one. Numbers and times
// in text may be written in any way that loses nothing (007, 1.50, 2026-01-01T10:00:00Z); a time
// without a zone is one of UTC, and a FLOAT or DOUBLE is the nearest there is. `value` is an
// expression. Only where can_be_declared().
std::string exact_cast_sql(std::string_view value, const ColumnType& file,
                           const ColumnType& declared);

}  // namespace duckdb
}  // namespace forebay
