#pragma once

#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "load/collapse.h"
#include "load/evolve.h"
#include "load/fetch.h"
#include "load/pipeline.h"
#include "load/window.h"
#include "target/target.h"

namespace forebay {

// What a window's files mean for their table: the rows above the bound, less those that may have
// been read before and stand already. Adds to `collapsed` the files' entries, what the rows reach
// and what there is to warn about. `units`: each one file. Errors as of collapse().
Result<TableChange> collapse_window(const Pipeline& pipeline, const LedgerHead& head,
                                    const WindowState& window, const TableName& table,
                                    TableState state, const BornColumns& born,
                                    const std::vector<const LoadedUnit*>& units,
                                    Collapsed& collapsed);

}  // namespace forebay
