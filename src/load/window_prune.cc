#include "load/window_prune.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "base/time_text.h"

namespace forebay {
namespace {

// A date as far as the grain needs it: 2026, 2026-10 or 2026-10-20; more may follow.
std::optional<Time> parse_value(const TimePartition& partition, std::string_view value) {
  if (partition.format != "date") return parse_time(value, partition.format);
  for (const char* format : {"%Y-%m-%d", "%Y-%m", "%Y"}) {
    if (const auto time = parse_time(value, format)) return time;
  }
  return std::nullopt;
}

Time floor_to(TimeGrain grain, Time time) {
  const std::chrono::year_month_day day(std::chrono::floor<std::chrono::days>(time));
  switch (grain) {
    case TimeGrain::day: return std::chrono::sys_days(day);
    case TimeGrain::month: return std::chrono::sys_days(day.year() / day.month() / 1);
    case TimeGrain::year: return std::chrono::sys_days(day.year() / 1 / 1);
  }
  std::unreachable();
}

// Whether the window takes rows of this file from below the mark's bound as well.
bool takes_all(const Feed& feed, const PlannedUnit& unit) {
  if (unit.standing == Standing::retry) return true;  // from a mark of its own
  if (unit.standing == Standing::fresh) return feed.window->load_late;
  return feed.on_rewrite == OnRewrite::replace;
}

Result<std::optional<PartBound>> part_bound(const WindowRule& rule, const TableName& table,
                                            const std::vector<Column>& columns,
                                            const TimeAxis& axis, std::int64_t ticks) {
  if (!rule.partition) return std::optional<PartBound>();
  ASSIGN_OR_RETURN(auto part, part_axis(*rule.partition, table, columns));
  const auto from = time_of({TimeFormat::timestamp, axis.unit, ticks});
  if (!part || !from) return std::optional<PartBound>();
  const Time first = floor_to(rule.partition->grain, *from);
  const std::int64_t bound = ticks_at(first, part->unit);
  return std::optional(PartBound{.axis = std::move(*part), .from = bound});
}

}  // namespace

std::optional<std::string_view> partition_value(std::string_view key, std::string_view name) {
  std::optional<std::string_view> value;
  while (true) {
    const std::size_t slash = key.find('/');
    if (slash == key.npos) return value;
    const std::string_view folder = key.substr(0, slash);
    if (folder.size() > name.size() && folder.starts_with(name) && folder[name.size()] == '=')
      value = folder.substr(name.size() + 1);
    key.remove_prefix(slash + 1);
  }
}

Result<std::optional<RowFilter>> window_filter(const WindowRule& rule, const TableName& table,
                                               const std::vector<Column>& columns,
                                               const TimeAxis& axis,
                                               const std::optional<TimeMark>& mark) {
  RowFilter filter{
      .axis = axis, .above = lower_bound(rule, mark, axis.unit), .nulls = rule.load_nulls};
  if (!filter.above && filter.nulls) return std::optional<RowFilter>();
  if (filter.above) {
    ASSIGN_OR_RETURN(filter.part, part_bound(rule, table, columns, axis, filter.above->ticks));
  }
  return std::optional(std::move(filter));
}

Result<WindowPlan> plan_window(const Pipeline& pipeline, const LedgerHead& head,
                               const TableName& table, const Evolution& evolution,
                               const std::vector<StagedFile>& files) {
  const WindowRule& rule = *pipeline.feed.window;
  const std::vector<Column>& columns = evolution.read.columns;
  WindowPlan plan;
  const bool whole = rule.load_late || pipeline.feed.on_rewrite == OnRewrite::replace;
  if (whole || by_file_time(rule, columns)) return plan;
  ASSIGN_OR_RETURN(const TimeAxis axis, time_axis(rule, table, columns));
  ASSIGN_OR_RETURN(const auto mark, mark_of(head, table));
  ASSIGN_OR_RETURN(plan.filter, window_filter(rule, table, columns, axis, mark));
  if (!plan.filter || !mark) return plan;
  GroupCount sum;
  for (const StagedFile& file : files) {
    if (file.text) continue;
    const CollapseRequest request{
        .table = table.display(),
        .columns = columns,
        .layouts = evolution.layouts,
        .filters = {*plan.filter},
        .files = {{.path = file.bytes->path(),
                   .object = file.object,
                   .layout = evolution.layout_of.at(file.footer.schema_fingerprint),
                   .filter = 0}}};
    ASSIGN_OR_RETURN(const GroupCount count, pipeline.target->engine().count_groups(request, axis));
    sum.all += count.all;
    sum.skipped += count.skipped;
  }
  if (sum.skipped > 0)
    plan.skipped =
        fmt::format("{}: {} of {} row groups of {} files hold nothing above {} and are not read",
                    table.display(), sum.skipped, sum.all, files.size(), to_text(*mark));
  return plan;
}

std::string why_pass_over(const Feed& feed, const TimeMark& mark, const PlannedUnit& unit) {
  const auto& partition = feed.window->partition;
  if (!partition || takes_all(feed, unit)) return {};
  const auto value = partition_value(unit.name.key, partition->column);
  const auto begins = value ? parse_value(*partition, *value) : std::nullopt;
  const auto bound = lower_bound(*feed.window, mark, mark.unit);
  const auto from = bound ? time_of({mark.format, mark.unit, bound->ticks}) : std::nullopt;
  if (!begins || !from) return {};
  const Time first = floor_to(partition->grain, *from);
  if (*begins >= first) return {};
  return fmt::format("its partition {}={} lies before {}, where the window begins",
                     partition->column, *value, format_rfc3339(first));
}

}  // namespace forebay
