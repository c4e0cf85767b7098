#pragma once

#include <duckdb.h>

#include <functional>
#include <vector>

#include "base/result.h"
#include "engine/value.h"

namespace forebay::duckdb {

// All rows of a small result. Columns must be BOOLEAN, BIGINT (or narrower), DOUBLE, VARCHAR, BLOB
// or TIMESTAMPTZ (as microseconds); a query that gives another type is a bug: internal. For
// src/engine.
Result<std::vector<Row>> read_rows(duckdb_result* result);
// The same, one row at a time; the row is the receiver's to move from.
Status read_each(duckdb_result* result, const std::function<Status(Row&)>& each);
// The same of one UBIGINT column, without a Row for each: gives the number of nulls, which are left
// out.
Result<std::uint64_t> read_hashes(duckdb_result* result,
                                  const std::function<void(std::uint64_t)>& each);

}  // namespace forebay::duckdb
