#pragma once

#include <duckdb.h>

#include <vector>

#include "base/result.h"
#include "engine/value.h"

namespace forebay::duckdb {

// All rows of a small result. Columns must be BOOLEAN, BIGINT (or narrower), DOUBLE, VARCHAR, BLOB
// or TIMESTAMPTZ (as microseconds); a query that gives another type is a bug: internal. For
// src/engine.
Result<std::vector<Row>> read_rows(duckdb_result* result);

}  // namespace forebay::duckdb
