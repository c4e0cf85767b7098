#include "load/quarantine.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "load/apply.h"
#include "load/discover.h"
#include "load/record.h"
#include "load/selection.h"

namespace forebay {
namespace {

Error not_refused(const Pipeline& pipeline, const std::string& name) {
  return {.code = ErrorCode::invalid_config,
          .operation = fmt::format("pipeline '{}'", pipeline.name),
          .object = name,
          .cause = "no unit of this name was refused",
          .hint = fmt::format("'forebay quarantine list {}' shows those that were", pipeline.name)};
}

Error gone(const Pipeline& pipeline, const std::string& name) {
  return {.code = ErrorCode::not_found,
          .operation = "find unit",
          .object = name,
          .cause = fmt::format("it is not at {} any more", pipeline.source),
          .hint = "bring it back, or decide that it will not be loaded: quarantine drop"};
}

Result<RefusedUnit> find_refused(const Pipeline& pipeline, const std::string& name) {
  ASSIGN_OR_RETURN(auto refused, refused_units(*pipeline.target, pipeline.name));
  for (RefusedUnit& one : refused) {
    if (one.unit.unit == name) return std::move(one);
  }
  return fail(not_refused(pipeline, name));
}

// The names that an attempt is about.
Result<std::set<std::string>> names_to_retry(const Pipeline& pipeline,
                                             std::set<std::string> names) {
  ASSIGN_OR_RETURN(const auto refused, refused_units(*pipeline.target, pipeline.name));
  std::set<std::string> known;
  for (const RefusedUnit& one : refused) known.insert(one.unit.unit);
  if (names.empty()) return known;
  for (const std::string& name : names) {
    if (!known.contains(name)) return fail(not_refused(pipeline, name));
  }
  return names;
}

// What the ledger will say of a unit that it has no entry of: as it is in the store now.
Result<UnitEntry> entry_from_store(const Pipeline& pipeline, const LedgerHead& head,
                                   const std::string& name, Time now) {
  std::set<std::string> found;
  const CycleOptions options{.selection = select_units(pipeline.feed, {name}, found)};
  Settling nothing_seen;
  Progress silent;
  ASSIGN_OR_RETURN(const Discovery discovery,
                   discover(pipeline, head, options, nothing_seen, now, silent));
  if (discovery.units.empty()) return fail(gone(pipeline, name));
  return unit_entry({.planned = discovery.units.front()}, UnitState::dropped, "");
}

UnitEntry entry_from_ledger(const KnownUnit& unit) {
  return {.unit = unit.unit,
          .version = unit.version,
          .kind = unit.kind,
          .state = UnitState::dropped,
          .files = unit.files,
          .rows = unit.rows,
          .unit_time = unit.unit_time,
          .place = unit.place,
          .digest = unit.digest};
}

}  // namespace

Result<std::vector<RefusedUnit>> refused_units(Target& target, const std::string& pipeline) {
  std::vector<RefusedUnit> refused;
  ASSIGN_OR_RETURN(const LedgerHead head, target.head(pipeline));
  if (head.last_cycle && !head.last_cycle->stopped_at.empty()) {
    refused.push_back({.unit = {.unit = head.last_cycle->stopped_at,
                                .state = UnitState::quarantined,
                                .reason = head.last_cycle->message,
                                .kind = "unknown",
                                .decided_at = head.last_cycle->finished_at},
                       .stops = true});
  }
  ASSIGN_OR_RETURN(const auto rows, target.history(pipeline, {.states = {UnitState::quarantined}}));
  for (const Target::HistoryRow& row : rows) refused.push_back({.unit = row.unit});
  return refused;
}

CycleReport retry_units(const Pipeline& pipeline, std::set<std::string> names, Clock& clock,
                        Progress& progress) {
  CycleReport report;
  report.pipeline = pipeline.name;
  report.feed = pipeline.feed.name;
  auto wanted = names_to_retry(pipeline, std::move(names));
  if (!wanted) {
    add_error(report, wanted.error());
    return report;
  }
  if (wanted->empty()) return report;
  std::set<std::string> found;
  report = run_cycle(pipeline, {.selection = select_units(pipeline.feed, *wanted, found)}, clock,
                     progress);
  for (const std::string& name : *wanted) {
    if (!found.contains(name) && !report.error) add_error(report, gone(pipeline, name));
  }
  return report;
}

Status drop_unit(const Pipeline& pipeline, const std::string& name, Clock& clock) {
  const Time now = clock.now();
  ASSIGN_OR_RETURN(const LedgerHead head, pipeline.target->head(pipeline.name));
  ASSIGN_OR_RETURN(const RefusedUnit refused, find_refused(pipeline, name));
  UnitEntry entry = entry_from_ledger(refused.unit);
  if (refused.stops) {
    ASSIGN_OR_RETURN(entry, entry_from_store(pipeline, head, name, now));
    entry.kind = refused.unit.kind;
  }
  entry.reason = "dropped by hand; it was refused: " + refused.unit.reason;
  auto applied = pipeline.target->apply(make_batch(pipeline, head, {}, {std::move(entry)}, now));
  if (!applied) return fail(std::move(applied).error());
  return {};
}

}  // namespace forebay
