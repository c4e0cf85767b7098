#pragma once

#include <optional>
#include <set>
#include <string>

#include "base/clock.h"
#include "feed/feed.h"
#include "load/cycle.h"

namespace forebay {

// What a person asks for by time or by name, as a selection for a cycle.

// Units to look for wherever they are: all that is given must hold; nothing given: all units.
struct BackfillRequest {
  std::optional<Time> from;    // not earlier; by the time in the key, without one by last-modified
  std::optional<Time> before;  // earlier than this
  std::string prefix;          // of keys below the source
};
UnitSelection select_for_backfill(const Feed& feed, const BackfillRequest& request);

// Units by their names, quarantined ones included. `found`, which outlives the selection, gets the
// names that the store still has.
UnitSelection select_units(const Feed& feed, const std::set<std::string>& names,
                           std::set<std::string>& found);

}  // namespace forebay
