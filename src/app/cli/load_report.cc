#include "app/cli/load_report.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "app/progress_bar.h"
#include "app/text_table.h"
#include "app/wiring.h"
#include "base/log.h"
#include "base/quantity.h"

namespace forebay::cli {
namespace {

std::string plural(std::uint64_t count, std::string_view word) {
  return fmt::format("{} {}{}", format_count(count), word, count == 1 ? "" : "s");
}

// An easy slip: without the slash the source is a beginning of names, not a folder.
void warn_about_prefix(CycleReport& report, const PipelineConfig& config) {
  const std::string& prefix = config.source.prefix;
  const UnitCounts& units = report.units;
  const bool empty = units.applied + units.already_applied + units.waiting + units.quarantined == 0;
  if (!empty || report.error || prefix.empty() || prefix.ends_with('/')) return;
  report.warnings.push_back(fmt::format(
      "the source {} does not end in '/': it means all keys that begin so; for a folder write {}/",
      config.source.display(), config.source.display()));
}

}  // namespace

std::unique_ptr<Progress> make_progress(const Session& session, const std::string& pipeline) {
  if (!session.shows_progress()) return std::make_unique<Progress>();
  const bool color = session.environment.get("NO_COLOR").value_or("").empty();
  return std::make_unique<ProgressBar>(pipeline, color);
}

std::string headline(const CycleReport& report, const std::optional<Prices>& prices) {
  const std::uint64_t requests =
      report.requests.list + report.requests.get + report.requests.head + report.requests.other;
  std::string cost = fmt::format("in {}", format_seconds(report.seconds));
  if (requests > 0) cost += ", " + plural(requests, "request");
  if (requests > 0 && prices)
    cost += fmt::format(", {}", money_text(cost_of(*prices, report.requests, report.bytes).total(),
                                           prices->currency));
  const std::string brought = fmt::format(
      "{} applied, {}, {}, {}", plural(report.units.applied, "unit"), plural(report.files, "file"),
      plural(report.rows, "row"), format_size(report.bytes));
  switch (report.outcome) {
    case Outcome::applied: return fmt::format("{} {}", brought, cost);
    case Outcome::nothing_new: return fmt::format("nothing new {}", cost);
    case Outcome::failed:
      return report.units.applied > 0 ? fmt::format("failed after {} {}", brought, cost)
                                      : fmt::format("failed {}", cost);
  }
  std::unreachable();
}

std::string report_text(const CycleReport& report, const std::optional<Prices>& prices) {
  std::string text = fmt::format("{}: {}\n", report.pipeline, headline(report, prices));
  if (!report.tables.empty()) {
    using enum TextTable::Align;
    TextTable table({{"table"},
                     {"inserted", right},
                     {"updated", right},
                     {"deleted", right},
                     {"rows now", right}});
    for (const auto& [name, counts] : report.tables) {
      table.add({name, format_count(counts.inserted), format_count(counts.updated),
                 format_count(counts.deleted), format_count(counts.rows_after)});
    }
    text += table.render(2);
  }
  if (report.units.waiting > 0) {
    text += fmt::format("  {} waiting; 'forebay plan {}' says what for\n",
                        plural(report.units.waiting, "unit"), report.pipeline);
  }
  if (report.units.quarantined > 0) {
    text += fmt::format("  {} quarantined; 'forebay status {}' shows them\n",
                        plural(report.units.quarantined, "unit"), report.pipeline);
  }
  if (report.changed_since_applied > 0) {
    text += fmt::format("  {} changed since applied; 'on_rewrite' decides what that means\n",
                        plural(report.changed_since_applied, "unit"));
  }
  return text;
}

LogFields report_fields(const CycleReport& report) {
  return {{"pipeline", report.pipeline},
          {"outcome", std::string(to_string(report.outcome))},
          {"units", report.units.applied},
          {"files", report.files},
          {"rows", report.rows},
          {"bytes", report.bytes},
          {"seconds", report.seconds},
          {"exit_code", static_cast<std::int64_t>(std::to_underlying(report.exit))}};
}

CycleReport failed_report(const std::string& pipeline, const std::string& feed,
                          const Error& error) {
  CycleReport report;
  report.pipeline = pipeline;
  report.feed = feed;
  report.outcome = Outcome::failed;
  report.error = with_hint(error);
  report.exit = exit_code(error.code);
  return report;
}

CycleReport load_one(const Session& session, const PipelineConfig& config,
                     const CycleOptions& options) {
  return run_one(session, config, [&](const Pipeline& pipeline, Progress& progress) {
    return run_cycle(pipeline, options, session.clock, progress);
  });
}

ExitCode finish(const Session& session, const CycleReport& report,
                const std::optional<Prices>& prices) {
  session.note(report_text(report, prices));
  Json pipelines = Json::array();
  pipelines.push_back(report_json(report, prices));
  session.document({{"outcome", to_string(report.outcome)},
                    {"exit_code", std::to_underlying(report.exit)},
                    {"pipelines", pipelines}});
  return report.exit;
}

CycleReport run_silently(const Session& session, const PipelineConfig& config,
                         const CycleAction& action) {
  auto open = open_pipeline(config, TargetMode::write, session.environment, session.clock);
  CycleReport report =
      open ? action(open->pipeline) : failed_report(config.name, config.feed.name, open.error());
  warn_about_prefix(report, config);
  return report;
}

CycleReport run_one(const Session& session, const PipelineConfig& config,
                    const ShownAction& action) {
  log(LogLevel::info, "loading",
      {{"pipeline", config.name},
       {"source", config.source.display()},
       {"target", config.target.database}});
  const CycleReport report = run_silently(session, config, [&](const Pipeline& pipeline) {
    const std::unique_ptr<Progress> progress = make_progress(session, config.name);
    return action(pipeline, *progress);
  });
  for (const std::string& warning : report.warnings) {
    log(LogLevel::warning, fmt::format("{}: {}", report.pipeline, warning));
  }
  if (report.error) log_error(with_hint(*report.error), report.pipeline);
  log(LogLevel::info, "loaded", report_fields(report));
  return report;
}

}  // namespace forebay::cli
