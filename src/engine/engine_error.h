#pragma once

#include <duckdb.h>

#include <string_view>

#include "base/error.h"

namespace forebay::duckdb {

// What an error of the engine means for whoever asked, and what to do. `text`: its message, or
// null; `what` was done when it came. For src/engine only.
Error to_error(duckdb_error_type type, const char* text, std::string_view what);

}  // namespace forebay::duckdb
