#pragma once

#include <memory>

#include "engine/database.h"
#include "engine/engine.h"

namespace forebay {

// The engine inside a DuckDB connection: deltas are temporary relations of it. The connection must
// outlive the engine; both belong to one thread.
std::unique_ptr<Engine> make_duckdb_engine(duckdb::Connection& connection);

}  // namespace forebay
