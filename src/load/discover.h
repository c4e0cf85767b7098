#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "load/cycle.h"
#include "load/pipeline.h"
#include "load/plan.h"
#include "load/progress.h"

namespace forebay {

// Which parts of the bucket this cycle lists. A partitioned feed lists the prefixes of its window
// and, after a pause, of every day since the mark; a feed whose names begin with a time, from the
// mark minus the look-back. All is listed in a first cycle, after `audit_every`, as long as what
// the last full listing found is not settled, and for feeds whose names do not grow.
struct ListingPlan {
  std::vector<ListRange> scopes;
  bool full = false;               // all that this pipeline may load
  std::optional<Time> not_before;  // units dated earlier are not loaded (`start`)
};
ListingPlan plan_listing(const Feed& feed, const StorePromises& store, const LedgerHead& head,
                         bool forced_full, Time now);

// How old an object must be to be read.
Duration settle_time(const Pipeline& pipeline);

// Objects dated in the future that earlier passes of the same cycle saw, by key.
struct SettlingObject {
  std::string version;
  Time since{};
};
using Settling = std::map<std::string, SettlingObject>;

// Lists, names the units and compares them with the ledger. `now` is the cycle's one clock reading.
// An object is settled when it is older than the feed's `settle`, or, dated in the future, when it
// was in `settling` with the version it has now. Memory is independent of how many units are
// applied already.
Result<Discovery> discover(const Pipeline& pipeline, const LedgerHead& head,
                           const CycleOptions& options, Settling& settling, Time now,
                           Progress& progress);

}  // namespace forebay
