#pragma once

#include <duckdb.h>

namespace forebay::duckdb {

// Gives a connection the function kDecimalFunction(BLOB, INTEGER) → VARCHAR, which is
// decimal_text() and raises an error for what is none. For src/engine only.
bool add_decimal_function(duckdb_connection connection);

}  // namespace forebay::duckdb
