#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "load/pipeline.h"
#include "load/plan.h"
#include "load/progress.h"
#include "load/report.h"

namespace forebay {

// Units that someone asks for, instead of those that mark and window say. Such a cycle leaves the
// mark where it is and counts as no full listing. Of an ordered feed it takes only units below the
// mark: what comes after it must come in its order.
struct UnitSelection {
  std::vector<ListRange> scopes;
  std::function<bool(const PlannedUnit&)> wants;  // name and object are known by then
  bool retry = false;                             // quarantined units are due again
  bool any_place = false;                         // also units above an ordered feed's mark
};

struct CycleOptions {
  std::optional<std::size_t> max_units;
  std::optional<Time> until;  // units whose own time is not later
  bool full_listing = false;  // list everything, whatever the mark says
  std::optional<UnitSelection> selection;
};

// One pass over a pipeline: discover, fetch, collapse, apply, report. Never throws; whatever goes
// wrong is in the report, and tables and ledger agree with each other in any case.
CycleReport run_cycle(const Pipeline& pipeline, const CycleOptions& options, Clock& clock,
                      Progress& progress);

// What run_cycle would do, and why. Reads the documents of the units that are due, no data files
// except their footers; needs a target opened to read.
Result<Plan> plan_cycle(const Pipeline& pipeline, const CycleOptions& options, Clock& clock);

}  // namespace forebay
