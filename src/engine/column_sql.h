#pragma once

#include <string>

#include "engine/engine.h"

namespace forebay::duckdb {

// How a column of the table is filled from a file's column, as a term of a SELECT that has its
// name. A value that does not survive raises an error with kDriftMark. `row`: the expression of the
// row's number in its file.
std::string column_sql(const Column& column, const ColumnSource& source, const std::string& row);

}  // namespace forebay::duckdb
