#pragma once

#include <optional>
#include <set>
#include <vector>

#include "base/clock.h"
#include "load/pipeline.h"
#include "load/plan.h"
#include "target/target.h"

namespace forebay {

// The mark: where a listing may start, and nothing else. In an ordered feed it is the greatest
// place that was applied. In a feed without order it is the greatest name below which every unit
// that was seen is settled (applied, quarantined, ignored or dropped); a name that tells its time
// counts by that time first. Names dated beyond `max_future` never move it.

// Where a name stands among those of a feed without order.
MarkPoint mark_point(const UnitName& name);

// How far a cycle may move the mark of a feed without order.
struct MarkLimits {
  bool fixed = false;             // the cycle did not look at all that is new
  std::optional<MarkPoint> held;  // the least unit that waits
  std::set<MarkPoint> due;        // units that are due and not decided on yet
  std::optional<MarkPoint> seen;  // the greatest that is settled

  void hold(const UnitName& name);
  // These were decided on, and that is durable.
  void settle(const Feed& feed, const std::vector<const PlannedUnit*>& units, Time now);
};

// Moves the mark over the units that are decided on with this batch.
void advance_mark(const Pipeline& pipeline, const std::vector<const PlannedUnit*>& units,
                  const MarkLimits& limits, Time now, Batch& batch);

// Whether a name is dated too far in the future to be believed.
bool beyond_future(const Feed& feed, const UnitName& name, Time now);

}  // namespace forebay
