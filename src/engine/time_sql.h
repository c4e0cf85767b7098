#pragma once

#include <string>

#include "engine/time_axis.h"

// The SQL that compares rows by their time, as pure functions. `alias` stands before the column:
// "t." or nothing.
namespace forebay::duckdb {

// The row's time as BIGINT ticks; null for no time, and for one that no tick can hold. A text that
// is no time raises drift (kDriftMark).
std::string ticks_sql(const TimeAxis& axis, const std::string& alias = {});

// The same for a value of ISO 8601 text that has a name for messages: nanoseconds.
std::string instant_sql(const std::string& name, const std::string& value);

// A value of the column's own type, so that the engine can compare it with statistics.
std::string ticks_literal(const TimeAxis& axis, std::int64_t ticks);

// Conditions that are never null.
std::string filter_sql(const RowFilter& filter, const std::string& alias = {});
std::string range_sql(const TimeRange& range, const std::string& alias = {});
// Rows with a time before `ticks`.
std::string before_sql(const TimeAxis& axis, std::int64_t ticks, const std::string& alias = {});

}  // namespace forebay::duckdb
