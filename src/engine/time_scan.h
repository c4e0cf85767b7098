#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "engine/database.h"
#include "engine/engine.h"

// What Engine says of the times in files (engine.h); errors are the reader's own, not yet about the
// files.
namespace forebay::duckdb {

Result<TimeScan> scan_times(Connection& db, const CollapseRequest& request, const TimeAxis& axis,
                            std::int64_t latest);
Result<std::uint64_t> count_nulls_kept_out(Connection& db, const CollapseRequest& request,
                                           const TimeAxis& axis);
Result<std::string> example_kept_out(Connection& db, const CollapseRequest& request,
                                     const TimeAxis& axis);

Result<GroupCount> count_groups(Connection& db, const CollapseRequest& request,
                                const TimeAxis& axis);

}  // namespace forebay::duckdb
