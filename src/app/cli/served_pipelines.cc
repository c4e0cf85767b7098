#include "app/cli/served_pipelines.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/cli/load_report.h"
#include "app/pipeline_status.h"
#include "app/reload_signal.h"
#include "app/wiring.h"
#include "base/check.h"
#include "base/log.h"
#include "base/stop.h"
#include "load/cycle.h"

namespace forebay::cli {
namespace {

Result<PipelineStatus> status_of(const PipelineConfig& config) {
  ASSIGN_OR_RETURN(const auto target, open_target(config, TargetMode::read));
  return read_status(*target, config.name, config.feed.stale_after);
}

}  // namespace

ServedPipelines::ServedPipelines(const Session& session, RawConfig config, ServeState& state)
    : session_(session), config_(std::move(config)), state_(state) {}

Status ServedPipelines::prepare() {
  const std::vector<Chosen> chosen = read_all(config_);
  take(config_, chosen);
  bool any = false;
  for (const Chosen& one : chosen) {
    state_.read(one.name, one.config ? status_of(*one.config)
                                     : Result<PipelineStatus>(fail(one.config.error())));
    any = any || one.config.has_value();
  }
  if (any) return {};
  for (const Chosen& one : chosen) log_error(with_hint(one.config.error()), one.name);
  return fail({ErrorCode::invalid_config, "serve", config_.origin, "no pipeline can run",
               "mend the configuration; 'forebay check' says what is wrong with each"});
}

CycleReport ServedPipelines::run(const std::string& pipeline) {
  CycleReport report = cycle(find(pipeline));
  say(report);
  return report;
}

std::optional<std::vector<Schedule::Entry>> ServedPipelines::reloaded() {
  if (!take_reload_request()) return std::nullopt;
  const auto keep = [](const Error& error) {
    log_error(with_hint(error));
    log(LogLevel::warning, "the configuration is not valid: the one that was read before stays");
    return std::nullopt;
  };
  auto config = load_config(session_.globals.config, session_.environment);
  if (!config) return keep(config.error());
  const auto serve = read_serve(*config, session_.environment);
  if (!serve) return keep(serve.error());
  const std::vector<Chosen> chosen = read_all(*config);
  for (const Chosen& one : chosen) {
    if (!one.config) return keep(one.config.error());
  }
  const auto before = read_serve(config_, session_.environment);
  if (!before || before->listen != serve->listen || before->token != serve->token)
    log(LogLevel::warning, "serve: changes when the process starts again, not before");
  take(std::move(*config), chosen);
  session_.note(fmt::format("configuration read again: {} pipelines\n", entries_.size()));
  log(LogLevel::info, "configuration read again", {{"pipelines", std::uint64_t{entries_.size()}}});
  return entries_;
}

bool ServedPipelines::stop() { return stop_requested(); }

void ServedPipelines::take(RawConfig config, const std::vector<Chosen>& chosen) {
  config_ = std::move(config);
  entries_.clear();
  std::vector<ServeState::Known> known;
  for (const Chosen& one : chosen) {
    const Duration every = one.config ? one.config->every : kDefaultEvery;
    entries_.push_back({one.name, every});
    known.push_back({.name = one.name,
                     .feed = one.feed,
                     .source = one.config ? one.config->source.display() : "",
                     .every = every});
  }
  state_.set_pipelines(known);
}

std::vector<Chosen> ServedPipelines::read_all(const RawConfig& config) const {
  std::vector<Chosen> chosen;
  for (const RawPipeline& pipeline : config.pipelines)
    chosen.push_back(read_chosen(session_, config, pipeline));
  return chosen;
}

Chosen ServedPipelines::find(const std::string& pipeline) const {
  const auto found = std::ranges::find(config_.pipelines, pipeline, &RawPipeline::name);
  CHECK(found != config_.pipelines.end());
  return read_chosen(session_, config_, *found);
}

CycleReport ServedPipelines::cycle(const Chosen& chosen) {
  const auto no_news = [&](const Error& error) { state_.read(chosen.name, fail(error)); };
  if (!chosen.config) {
    no_news(chosen.config.error());
    return failed_report(chosen.name, chosen.feed, chosen.config.error());
  }
  const PipelineConfig& config = *chosen.config;
  bool opened = false;
  CycleReport report = run_silently(session_, config, [&](const Pipeline& pipeline) {
    opened = true;
    StateProgress progress(state_, session_.clock);
    CycleReport done = run_cycle(pipeline, {}, session_.clock, progress);
    // While the database is open anyway. Who was asked to stop has no time left for it.
    if (!stop_requested())
      state_.read(config.name, read_status(*pipeline.target, config.name, config.feed.stale_after));
    return done;
  });
  if (!opened && report.error) no_news(*report.error);
  return report;
}

// A cycle that brings nothing new is not worth a line, nor a warning that was given before.
void ServedPipelines::say(const CycleReport& report) {
  std::set<std::string> warnings(report.warnings.begin(), report.warnings.end());
  for (const std::string& warning : report.warnings) {
    if (!warned_[report.pipeline].contains(warning))
      log(LogLevel::warning, fmt::format("{}: {}", report.pipeline, warning));
  }
  warned_[report.pipeline] = std::move(warnings);

  int& failures = failures_[report.pipeline];
  const bool recovered = failures > 0 && report.exit == ExitCode::done;
  failures = report.exit == ExitCode::done ? 0 : failures + 1;
  if (report.error) log_error(with_hint(*report.error), report.pipeline);
  const bool news = report.outcome != Outcome::nothing_new || recovered;
  log(news ? LogLevel::info : LogLevel::debug, "loaded", report_fields(report));
  if (report.outcome == Outcome::applied || recovered) {
    session_.note(fmt::format("{}: {}{}\n", report.pipeline, headline(report),
                              recovered ? "; the cycles before had failed" : ""));
  }
}

}  // namespace forebay::cli
