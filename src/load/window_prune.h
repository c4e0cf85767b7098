#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "load/plan.h"
#include "load/window.h"

namespace forebay {

// Why a file cannot hold rows that the window takes, by what its key says of its partition; empty:
// it may. A key that says nothing, or nothing that can be read, prunes nothing.
std::string why_pass_over(const Feed& feed, const TimeMark& mark, const PlannedUnit& unit);

// The same for the rows of a file whose partition is a column of it: which rows cannot have times at
// or above `ticks` of `axis`. Nothing where the columns have no such column. drift: a column that
// cannot be read as a time.
Result<std::optional<PartBound>> part_bound(const WindowRule& rule, const TableName& table,
                                            const std::vector<Column>& columns,
                                            const TimeAxis& axis, std::int64_t ticks);

// The value of `name=value` among the folders of a key, as it stands there.
std::optional<std::string_view> partition_value(std::string_view key, std::string_view name);

}  // namespace forebay
