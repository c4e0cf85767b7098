#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "load/fetch.h"
#include "load/pipeline.h"
#include "load/progress.h"
#include "target/batch.h"

namespace forebay {

// Content that changed under a known name (FEEDS, section 1).
enum class Rewrite {
  same,       // the same files with the same bytes, whatever etag and time say: nothing new
  different,  // other content: `on_rewrite` decides
};

// Compares a unit that was applied with what its document and files are now. Files whose version
// the ledger knows are not read again.
Result<Rewrite> compare_rewrite(const Pipeline& pipeline, const LoadedUnit& unit,
                                Progress& progress);

// The files that a unit brought when it was applied, by table, if a table still shows which rows
// came with them (it has no key) and the unit has as many rows in each now; else nothing.
using StandingFiles = std::map<std::string, std::vector<std::int64_t>>;
Result<StandingFiles> comparable_files(const Pipeline& pipeline, const LoadedUnit& unit);

// Whether all that a unit would bring stands with these files. Columns of what the store says of a
// file, its time for one, are no part of the comparison.
Result<bool> stand_already(const Pipeline& pipeline, const StandingFiles& standing,
                           const std::vector<TableChange>& changes);

}  // namespace forebay
