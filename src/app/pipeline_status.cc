#include "app/pipeline_status.h"

#include <algorithm>
#include <utility>

#include "base/time_text.h"

namespace forebay {
namespace {

Result<std::optional<KnownUnit>> newest_unit(Target& target, const std::string& pipeline,
                                             const LedgerHead& head) {
  if (!head.mark_name.empty()) {
    ASSIGN_OR_RETURN(const auto known, target.known(pipeline, {head.mark_name}));
    if (!known.empty() && known.front().state == UnitState::applied) return known.front();
  }
  ASSIGN_OR_RETURN(const auto applied,
                   target.history(pipeline, {.states = {UnitState::applied}, .limit = 1}));
  if (applied.empty()) return std::optional<KnownUnit>();
  return applied.front().unit;
}

Json seconds_of(const std::optional<Duration>& duration) {
  if (!duration) return nullptr;
  return std::chrono::duration<double>(*duration).count();
}

Json cycle_json(const std::optional<CycleNote>& note) {
  if (!note) return nullptr;
  return {{"finished_at", format_rfc3339(note->finished_at)},
          {"outcome", note->outcome},
          {"exit_code", note->exit_code},
          {"message", note->message},
          {"full_listing", note->full_listing}};
}

}  // namespace

std::optional<Time> PipelineStatus::newest_time() const {
  if (!newest) return std::nullopt;
  return std::min(newest->unit_time.value_or(newest->decided_at), newest->decided_at);
}

std::optional<Duration> PipelineStatus::age(Time now) const {
  if (const auto time = newest_time()) return now - *time;
  return std::nullopt;
}

bool PipelineStatus::stale(Time now) const {
  const auto old = age(now);
  return stale_after && (!old || *old > *stale_after);
}

Result<PipelineStatus> read_status(Target& target, const std::string& pipeline,
                                   std::optional<Duration> stale_after) {
  PipelineStatus status{.stale_after = stale_after};
  ASSIGN_OR_RETURN(const LedgerHead head, target.head(pipeline));
  status.last_cycle = head.last_cycle;
  if (head.last_cycle) status.waiting = head.last_cycle->waiting;
  ASSIGN_OR_RETURN(status.newest, newest_unit(target, pipeline, head));
  ASSIGN_OR_RETURN(const auto refused,
                   target.history(pipeline, {.states = {UnitState::quarantined}}));
  for (const Target::HistoryRow& row : refused) status.quarantined.push_back(row.unit);
  return status;
}

Json status_json(const std::string& pipeline, const std::string& feed, const PipelineStatus& status,
                 Time now) {
  Json quarantined = Json::array();
  for (const KnownUnit& unit : status.quarantined) {
    quarantined.push_back({{"unit", unit.unit},
                           {"version", unit.version},
                           {"reason", unit.reason},
                           {"decided_at", format_rfc3339(unit.decided_at)}});
  }
  const auto newest_time = status.newest_time();
  Json out = {
      {"pipeline", pipeline},
      {"feed", feed},
      {"newest_unit", status.newest ? Json(status.newest->unit) : Json(nullptr)},
      {"newest_unit_time", newest_time ? Json(format_rfc3339(*newest_time)) : Json(nullptr)},
      {"age_seconds", seconds_of(status.age(now))},
      {"units", {{"waiting", status.waiting}, {"quarantined", status.quarantined.size()}}},
      {"quarantined", quarantined},
      {"last_cycle", cycle_json(status.last_cycle)},
      {"stale_after_seconds", seconds_of(status.stale_after)},
      {"stale", status.stale(now)},
      {"error", nullptr}};
  if (status.due) out["units"]["due"] = *status.due;
  return out;
}

}  // namespace forebay
