#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "load/evolve.h"
#include "load/plan.h"
#include "load/window.h"

namespace forebay {

// Why a file cannot hold rows that the window takes, by what its key says of its partition; empty:
// it may. A key that says nothing, or nothing that can be read, prunes nothing.
std::string why_pass_over(const Feed& feed, const TimeMark& mark, const PlannedUnit& unit);

// What a window takes of its files' rows with that mark; nothing: every row. The column of a
// partition takes part. drift: one that cannot be read as a time.
Result<std::optional<RowFilter>> window_filter(const WindowRule& rule, const TableName& table,
                                               const std::vector<Column>& columns,
                                               const TimeAxis& axis,
                                               const std::optional<TimeMark>& mark);

// For `plan`: what is taken of the rows of files that are due, and how many of their row groups are
// skipped for it, as a sentence for people (empty: none, or nothing can be said).
struct WindowPlan {
  std::optional<RowFilter> filter;
  std::string skipped;
};
// `files`: due, with their footers. Errors as of window_filter() and Engine.
Result<WindowPlan> plan_window(const Pipeline& pipeline, const LedgerHead& head,
                               const TableName& table, const Evolution& evolution,
                               const std::vector<StagedFile>& files);

// The value of `name=value` among the folders of a key, as it stands there.
std::optional<std::string_view> partition_value(std::string_view key, std::string_view name);

}  // namespace forebay
