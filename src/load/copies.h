#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "load/fetch.h"
#include "load/pipeline.h"

namespace forebay {

// Content under another name (`dedup: content`): for each unit the one whose bytes it repeats, a
// live one of the ledger or one that stands before it here; empty for what is new. Units are files,
// as they were fetched; one that is applied under its own name already is never a copy.
Result<std::vector<std::string>> find_copies(const Pipeline& pipeline,
                                             const std::vector<const LoadedUnit*>& units);

// The ledger's entry for such a unit: its digest is the checksum of its bytes.
UnitEntry copy_entry(const LoadedUnit& unit, const std::string& original);

// The names of those of `known` that repeated what no longer stands: they are news again.
Result<std::set<std::string>> orphaned_copies(const Pipeline& pipeline,
                                              const std::vector<KnownUnit>& known);

}  // namespace forebay
