#include <memory>
#include <utility>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/load_report.h"
#include "app/cli/plan.h"
#include "base/log.h"
#include "base/stop.h"
#include "load/cycle.h"

namespace forebay::cli {
namespace {

struct LoadOptions {
  Selection selection;
  std::size_t max_units = 0;
  std::string until;
  bool dry_run = false;
};

Outcome outcome_of(const std::vector<CycleReport>& reports) {
  Outcome outcome = Outcome::nothing_new;
  for (const CycleReport& report : reports) {
    if (report.outcome == Outcome::failed) return Outcome::failed;
    if (report.outcome == Outcome::applied) outcome = Outcome::applied;
  }
  return outcome;
}

CycleReport load_chosen(const Session& session, const Chosen& chosen, const CycleOptions& options) {
  if (stop_requested()) {
    const Error stopped{ErrorCode::interrupted, "load", chosen.name,
                        "the process was asked to stop before this pipeline began", ""};
    log_error(with_hint(stopped), chosen.name);
    return failed_report(chosen.name, chosen.feed, stopped);
  }
  if (!chosen.config) {
    log_error(with_hint(chosen.config.error()), chosen.name);
    return failed_report(chosen.name, chosen.feed, chosen.config.error());
  }
  return load_one(session, *chosen.config, options);
}

ExitCode run_load(const Session& session, const LoadOptions& given) {
  CycleOptions options;
  if (given.max_units > 0) options.max_units = given.max_units;
  if (!given.until.empty()) {
    const auto until = parse_time_option("--until", given.until);
    if (!until) return session.refuse(until.error());
    options.until = *until;
  }
  if (given.dry_run) return run_plan(session, given.selection, options);

  const auto chosen = choose(session, given.selection);
  if (!chosen) return session.refuse(chosen.error());
  std::vector<CycleReport> reports;
  ExitCode code = ExitCode::done;
  Json pipelines = Json::array();
  for (const Chosen& one : *chosen) {
    reports.push_back(load_chosen(session, one, options));
    const auto prices = one.config ? one.config->prices : std::nullopt;
    session.note(report_text(reports.back(), prices));
    pipelines.push_back(report_json(reports.back(), prices));
    code = worse(code, reports.back().exit);
  }
  session.document({{"outcome", to_string(outcome_of(reports))},
                    {"exit_code", std::to_underlying(code)},
                    {"pipelines", pipelines}});
  return code;
}

}  // namespace

void add_load(const Command& program) {
  const auto options = std::make_shared<LoadOptions>();
  const Command command =
      program.add("load", "Bring pipelines up to date",
                  "  forebay load\n"
                  "  forebay load carwash --max-units 10\n"
                  "  forebay load --source s3://acme-lake/events/ --feed files \\\n"
                  "      --target duckdb:warehouse.duckdb --set table=events");
  command.selection(options->selection);
  command.number({"--max-units", "Apply at most so many units", "N"}, options->max_units, 1);
  command.text({"--until", "Apply only units whose own time is not later", "TIME"}, options->until);
  command.flag({"--dry-run", "Say what would be done (= plan)"}, options->dry_run);
  command.runs([options](const Session& session) { return run_load(session, *options); });
}

}  // namespace forebay::cli
