#pragma once

#include <string>

#include "base/result.h"
#include "load/fetch.h"
#include "load/pipeline.h"
#include "load/progress.h"

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

}  // namespace forebay
