#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "load/cycle.h"
#include "load/pipeline.h"
#include "load/plan.h"
#include "load/progress.h"

namespace forebay {

// Which parts of the bucket this cycle lists. A feed whose names begin with a time is listed from
// the mark minus the look-back; a full listing is due for a first cycle, after `audit_every`, when
// the last full listing ended at a unit that failed, and for feeds whose names do not grow.
struct ListingPlan {
  std::vector<ListRange> scopes;
  bool full = false;
};
ListingPlan plan_listing(const Feed& feed, const LedgerHead& head, bool forced_full, Time now);

// Objects that were still settling in an earlier pass of the same cycle, with the version they had.
using Settling = std::map<std::string, std::string>;

// Lists, names the units and compares them with the ledger. `now` is the cycle's one clock reading.
// An object is settled when it is older than the feed's `settle`, or when it was in `settling` with
// the version it has now. Memory is independent of how many units are applied already.
Result<Discovery> discover(const Pipeline& pipeline, const LedgerHead& head,
                           const CycleOptions& options, const Settling& settling, Time now,
                           Progress& progress);

}  // namespace forebay
