#pragma once

#include <cstddef>
#include <optional>

#include "base/clock.h"
#include "base/result.h"
#include "load/pipeline.h"
#include "load/plan.h"
#include "load/progress.h"
#include "load/report.h"

namespace forebay {

struct CycleOptions {
  std::optional<std::size_t> max_units;
  std::optional<Time> until;  // units whose own time is not later
  bool full_listing = false;  // list everything, whatever the mark says
};

// One pass over a pipeline: discover, fetch, collapse, apply, report. Never throws; whatever goes
// wrong is in the report, and tables and ledger agree with each other in any case.
CycleReport run_cycle(const Pipeline& pipeline, const CycleOptions& options, Clock& clock,
                      Progress& progress);

// What run_cycle would do, and why. Reads the documents of the units that are due, no data files
// except their footers; needs a target opened to read.
Result<Plan> plan_cycle(const Pipeline& pipeline, const CycleOptions& options, Clock& clock);

}  // namespace forebay
