#pragma once

#include <string>

#include "engine/engine.h"

namespace forebay::duckdb {

// How a column of the table is filled from a file's column, as a term of a SELECT that has its
// name. A value that does not survive raises an error with kDriftMark. `row`: the expression of the
// row's number in its file.
std::string column_sql(const Column& column, const ColumnSource& source, const std::string& row);

// Two terms of a SELECT over the file: how many of its values do not survive, and the least of them
// as text. Empty: none is compared.
std::string count_misfits_sql(const Column& column, const ColumnSource& source);

}  // namespace forebay::duckdb
