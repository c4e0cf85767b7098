#pragma once

#include <string>

#include "base/result.h"
#include "feed/feed.h"
#include "feed/unit.h"
#include "load/pipeline.h"
#include "load/plan.h"

namespace forebay {

// Among the units that are due: parts of one table belong to one owner, one unit begins a table,
// and of the units that clear a part only the newest is read. Others are refused
// (PlannedUnit::error), or leave `found.units` and are recorded as superseded.
Status settle_parts(const Pipeline& pipeline, Discovery& found);

// What a unit does to its table.
const Effect& effect_of(const Feed& feed, const UnitContent& content);
// Whether a unit replaces its part of a table: then only the newest of a part is read.
bool clears_part(const Feed& feed, const UnitContent& content);

// Decides on a unit without reading its files.
void decide(const PlannedUnit& unit, UnitState state, std::string reason, Discovery& found);

}  // namespace forebay
