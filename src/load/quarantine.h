#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "load/cycle.h"
#include "load/pipeline.h"
#include "load/progress.h"
#include "load/report.h"

namespace forebay {

// What was refused, and what a person may decide about it.

// A unit that was refused and that nobody decided on yet.
struct RefusedUnit {
  KnownUnit unit;
  bool stops = false;  // the unit at which an ordered feed stops; the ledger has no entry of it yet
};

// Quarantined units, newest first, and the unit at which the feed stops.
Result<std::vector<RefusedUnit>> refused_units(Target& target, const std::string& pipeline);

// Tries refused units again: `names`, or all when it is empty. The report is that of the attempt.
// invalid_config: no such unit is refused; not_found: the store does not have it any more.
CycleReport retry_units(const Pipeline& pipeline, std::set<std::string> names, Clock& clock,
                        Progress& progress);

// Decides that a refused unit, in the version that was refused, will not be loaded: an ordered feed
// goes on behind it. Errors as of retry_units(), and those of Target::apply().
Status drop_unit(const Pipeline& pipeline, const std::string& name, Clock& clock);

}  // namespace forebay
