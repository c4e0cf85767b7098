#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/cli/session.h"
#include "app/prices.h"
#include "app/report_json.h"
#include "base/log.h"
#include "load/cycle.h"
#include "load/pipeline.h"
#include "load/progress.h"
#include "load/report.h"

namespace forebay::cli {

// A bar on a terminal, else nothing.
std::unique_ptr<Progress> make_progress(const Session& session, const std::string& pipeline);

// What one cycle did, for people, several lines; with prices also what it cost.
std::string report_text(const CycleReport& report, const std::optional<Prices>& prices = {});

// The first line of that, without the pipeline's name and the line break.
std::string headline(const CycleReport& report, const std::optional<Prices>& prices = {});

// A finished cycle as fields of a log line.
LogFields report_fields(const CycleReport& report);

// A report of a cycle that could not begin.
CycleReport failed_report(const std::string& pipeline, const std::string& feed, const Error& error);

// One cycle of a pipeline from its configuration: opens it, runs it, closes it. Says warnings and
// the error on standard error; results are the caller's to print.
CycleReport load_one(const Session& session, const PipelineConfig& config,
                     const CycleOptions& options);

// The same for what is no ordinary cycle.
using ShownAction = std::function<CycleReport(const Pipeline&, Progress&)>;
CycleReport run_one(const Session& session, const PipelineConfig& config,
                    const ShownAction& action);

// The same without a word, for who has others to say.
using CycleAction = std::function<CycleReport(const Pipeline&)>;
CycleReport run_silently(const Session& session, const PipelineConfig& config,
                         const CycleAction& action);

// Ends a command that ran one cycle of one pipeline: prints it like `load`.
ExitCode finish(const Session& session, const CycleReport& report,
                const std::optional<Prices>& prices = {});

}  // namespace forebay::cli
