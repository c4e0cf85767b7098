#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "feed/feed.h"
#include "feed/unit.h"
#include "load/pipeline.h"
#include "load/plan.h"

namespace forebay {

// Adds documents of a listing, in the order of their keys, to `found.units`: those that the ledger
// knows at their version as Standing::applied. `settles_in`: how long until one may be read.
Status see_documents(const Pipeline& pipeline, std::vector<PlannedUnit> documents,
                     const std::function<std::optional<Duration>(const PlannedUnit&)>& settles_in,
                     Discovery& found);

// Units that are known by what their documents say. `found.units` holds one unit for each document
// that was listed, those that the ledger knows as they are with Standing::applied and their unit's
// name as `known`. Afterwards it holds the units that are due or wait, each read once, with its
// gates asked: of the documents that speak of one unit the newest counts, of the units that clear
// one part of a table the newest. A document that cannot be read is a unit that fails and stops its
// folder.
Status identify(const Pipeline& pipeline, Time now, Discovery& found);

}  // namespace forebay
