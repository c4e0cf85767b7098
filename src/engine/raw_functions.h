#pragma once

#include <duckdb.h>

namespace forebay::duckdb {

// Gives a connection the functions that read raw values: kDecimalFunction(BLOB, INTEGER) → VARCHAR,
// which is decimal_text() and raises an error for what is none, and kInt96Function(BLOB, INTEGER) →
// BIGINT, which is int96_ticks() and null for what is none. For src/engine only.
bool add_raw_functions(duckdb_connection connection);

}  // namespace forebay::duckdb
