#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/cli/session.h"
#include "app/prices.h"
#include "load/cycle.h"
#include "load/pipeline.h"
#include "load/progress.h"
#include "load/report.h"

namespace forebay::cli {

// A bar on a terminal, else nothing.
std::unique_ptr<Progress> make_progress(const Session& session, const std::string& pipeline);

// One pipeline's part of the document that `load --json` prints. The keys are public.
Json report_json(const CycleReport& report, const std::optional<Prices>& prices = {});

// Requests by kind, and what they and the bytes cost; null where no prices are known.
Json requests_json(const RequestCounts& requests);
Json cost_json(const std::optional<Prices>& prices, const RequestCounts& requests,
               std::uint64_t bytes);

// The same for people, several lines.
std::string report_text(const CycleReport& report, const std::optional<Prices>& prices = {});

// A report of a cycle that could not begin.
CycleReport failed_report(const std::string& pipeline, const std::string& feed, const Error& error);

// One cycle of a pipeline from its configuration: opens it, runs it, closes it. Says warnings and
// the error on standard error; results are the caller's to print.
CycleReport load_one(const Session& session, const PipelineConfig& config,
                     const CycleOptions& options);

// The same for what is no ordinary cycle.
using CycleAction = std::function<CycleReport(const Pipeline&, Progress&)>;
CycleReport run_one(const Session& session, const PipelineConfig& config,
                    const CycleAction& action);

// Ends a command that ran one cycle of one pipeline: prints it like `load`.
ExitCode finish(const Session& session, const CycleReport& report,
                const std::optional<Prices>& prices = {});

}  // namespace forebay::cli
