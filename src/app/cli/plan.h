#pragma once

#include "app/cli/session.h"
#include "load/cycle.h"

namespace forebay::cli {

// `plan`, and `load --dry-run`.
ExitCode run_plan(const Session& session, const Selection& selection, const CycleOptions& options);

}  // namespace forebay::cli
