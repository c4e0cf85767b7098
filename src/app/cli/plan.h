#pragma once

#include <functional>

#include "app/cli/session.h"
#include "feed/feed.h"
#include "load/cycle.h"

namespace forebay::cli {

// `plan`, and `load --dry-run`.
ExitCode run_plan(const Session& session, const Selection& selection, const CycleOptions& options);

// The same where the options depend on the pipeline's feed.
ExitCode run_plan(const Session& session, const Selection& selection,
                  const std::function<CycleOptions(const Feed&)>& options);

}  // namespace forebay::cli
