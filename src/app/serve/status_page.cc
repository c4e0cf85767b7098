#include "app/serve/status_page.h"

#include <utility>

#include "app/report_json.h"
#include "base/time_text.h"
#include "base/version.h"

namespace forebay {
namespace {

Json time_json(const std::optional<Time>& time) {
  return time ? Json(format_rfc3339(*time)) : Json(nullptr);
}

double seconds_of(Duration duration) { return std::chrono::duration<double>(duration).count(); }

// What a person wants to know first.
const char* word_for(const PipelineState& pipeline, Time now) {
  if (pipeline.running_since && pipeline.cycles.empty()) return "running";
  if (pipeline.cycles.empty()) return "new";
  if (pipeline.cycles.front().exit_code != 0) {
    const auto& error = pipeline.last_report->error;
    return error && error->code == ErrorCode::busy ? "held_up" : "failing";
  }
  if (!pipeline.status) return "loaded";
  if (pipeline.status->stale(now)) return "stale";
  return pipeline.status->stale_after ? "fresh" : "loaded";
}

Json cycles_json(const PipelineState& pipeline) {
  Json cycles = Json::array();
  for (const CycleSummary& cycle : pipeline.cycles) {
    cycles.push_back({{"begun_at", format_rfc3339(cycle.begun)},
                      {"ended_at", format_rfc3339(cycle.ended)},
                      {"seconds", seconds_of(cycle.ended - cycle.begun)},
                      {"outcome", to_string(cycle.outcome)},
                      {"exit_code", cycle.exit_code},
                      {"units", cycle.units},
                      {"rows", cycle.rows},
                      {"bytes", cycle.bytes}});
  }
  return cycles;
}

Json waiting_json(const PipelineState& pipeline) {
  return pipeline.last_report ? report_json(*pipeline.last_report)["waiting"] : Json::array();
}

Json pipeline_json(const PipelineState& pipeline, Time now) {
  // Without a ledger to read it is as if it were empty; `error` says why.
  PipelineStatus status = pipeline.status.value_or(PipelineStatus{});
  const std::size_t quarantined = status.quarantined.size();
  if (quarantined > kQuarantinedNamed) status.quarantined.resize(kQuarantinedNamed);
  Json out = status_json(pipeline.name, pipeline.feed, status, now);
  out["units"]["quarantined"] = quarantined;
  if (pipeline.error) out["error"] = error_json(*pipeline.error);
  out["source"] = pipeline.source;
  out["every_seconds"] = seconds_of(pipeline.every);
  out["state"] = word_for(pipeline, now);
  out["ready"] = pipeline.ready_since.has_value();
  out["running"] = nullptr;
  if (pipeline.running_since) {
    out["running"] = {{"since", format_rfc3339(*pipeline.running_since)},
                      {"step", pipeline.step},
                      {"rows", pipeline.rows_so_far}};
  }
  out["next_run"] = time_json(pipeline.next_run);
  out["last_success"] = time_json(pipeline.last_success);
  out["waiting"] = waiting_json(pipeline);
  out["cycles"] = cycles_json(pipeline);
  out["last_report"] = pipeline.last_report ? report_json(*pipeline.last_report) : Json(nullptr);
  return out;
}

}  // namespace

Json status_document(const ServeState::Snapshot& state, Time now) {
  ExitCode code = ExitCode::done;
  Json pipelines = Json::array();
  for (const PipelineState& pipeline : state.pipelines) {
    if (pipeline.error) code = worse(code, exit_code(pipeline.error->code));
    pipelines.push_back(pipeline_json(pipeline, now));
  }
  return {{"exit_code", std::to_underlying(code)},
          {"pipelines", pipelines},
          {"serve",
           {{"version", version()},
            {"started_at", format_rfc3339(state.started)},
            {"now", format_rfc3339(now)},
            {"alive", state.alive}}}};
}

}  // namespace forebay
