#pragma once

#include <string>

#include "engine/database.h"
#include "engine/engine.h"

namespace forebay::duckdb {

// Engine::misfits().
std::string misfits(Connection& connection, const CollapseRequest& request);

}  // namespace forebay::duckdb
