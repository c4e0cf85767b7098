#include "load/mark.h"

#include <algorithm>
#include <utility>

namespace forebay {
namespace {

void advance_by_place(const Feed& feed, const std::vector<const PlannedUnit*>& units, Time now,
                      Batch& batch) {
  for (const PlannedUnit* unit : units) {
    const UnitName& name = unit->name;
    if (beyond_future(feed, name, now)) continue;
    if (!batch.mark_name.empty() && name.place <= batch.mark_place) continue;
    batch.mark_place = name.place;
    batch.mark_name = name.name;
    batch.mark_time = name.name_time;
    batch.mark = "name " + name.name;
  }
}

}  // namespace

MarkPoint mark_point(const UnitName& name) { return {.time = name.name_time, .name = name.name}; }

void MarkLimits::hold(const UnitName& name) {
  MarkPoint point = mark_point(name);
  if (!held || point < *held) held = std::move(point);
}

void MarkLimits::settle(const Feed& feed, const std::vector<const PlannedUnit*>& units, Time now) {
  for (const PlannedUnit* unit : units) {
    MarkPoint point = mark_point(unit->name);
    due.erase(point);
    if (!beyond_future(feed, unit->name, now))
      seen = std::max(seen, std::optional(std::move(point)));
  }
}

bool beyond_future(const Feed& feed, const UnitName& name, Time now) {
  return name.name_time && *name.name_time > now + feed.max_future;
}

void advance_mark(const Pipeline& pipeline, const std::vector<const PlannedUnit*>& units,
                  const MarkLimits& limits, Time now, Batch& batch) {
  if (pipeline.feed.ordered()) return advance_by_place(pipeline.feed, units, now, batch);
  if (limits.fixed) return;
  std::set<MarkPoint> settled;
  for (const PlannedUnit* unit : units) settled.insert(mark_point(unit->name));
  const auto open = std::ranges::find_if(
      limits.due, [&](const MarkPoint& point) { return !settled.contains(point); });
  MarkPoint mark{.time = batch.mark_time, .name = batch.mark_name};
  const auto move_to = [&](const MarkPoint& point) {
    const bool passes =
        (limits.held && point >= *limits.held) || (open != limits.due.end() && point >= *open);
    if (!passes) mark = std::max(mark, point);
  };
  for (const PlannedUnit* unit : units) {
    if (!beyond_future(pipeline.feed, unit->name, now)) move_to(mark_point(unit->name));
  }
  if (limits.seen) move_to(*limits.seen);
  if (mark.name.empty()) return;
  batch.mark_name = mark.name;
  batch.mark_time = mark.time;
  batch.mark = "name " + mark.name;
}

}  // namespace forebay
