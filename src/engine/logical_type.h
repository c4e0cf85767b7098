#pragma once

#include <duckdb.h>

#include "engine/column_type.h"

namespace forebay::duckdb {

// The engine-neutral form of a DuckDB type. For src/engine only. Does not take ownership.
ColumnType from_logical(duckdb_logical_type type);

}  // namespace forebay::duckdb
