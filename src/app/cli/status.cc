#include <fmt/format.h>

#include <memory>
#include <utility>

#include "app/cli/commands.h"
#include "app/pipeline_status.h"
#include "app/text_table.h"
#include "app/wiring.h"
#include "base/log.h"
#include "base/quantity.h"
#include "base/time_text.h"
#include "load/cycle.h"

namespace forebay::cli {
namespace {

constexpr std::size_t kQuarantinedShown = 20;

struct StatusOptions {
  Selection selection;
  bool fail_if_stale = false;
  bool list = false;
};

Result<PipelineStatus> status_of(const Session& session, const PipelineConfig& config, bool list) {
  ASSIGN_OR_RETURN(const OpenPipeline open,
                   open_pipeline(config, TargetMode::read, session.environment, session.clock));
  ASSIGN_OR_RETURN(PipelineStatus status,
                   read_status(*open.target, config.name, config.feed.stale_after));
  if (!list) return status;
  ASSIGN_OR_RETURN(const Plan plan, plan_cycle(open.pipeline, {}, session.clock));
  status.waiting = 0;
  status.due = 0;
  for (const PlannedUnit& unit : plan.discovery.units) {
    if (unit.due()) ++*status.due;
    if (unit.standing == Standing::waiting) ++status.waiting;
  }
  return status;
}

std::string cycle_text(const PipelineStatus& status) {
  if (!status.last_cycle) return "never";
  return fmt::format(
      "{} {}", status.last_cycle->outcome,
      format_rfc3339(std::chrono::floor<std::chrono::seconds>(status.last_cycle->finished_at)));
}

std::string state_text(const PipelineStatus& status, Time now) {
  if (!status.stale_after) return status.newest ? "loaded" : "empty";
  return status.stale(now) ? fmt::format("STALE (limit {})", format_age(*status.stale_after))
                           : "fresh";
}

std::string details_text(const Chosen& chosen, const PipelineStatus& status) {
  std::string text;
  if (status.last_cycle && status.last_cycle->outcome == "failed") {
    text += fmt::format("{}: the last cycle failed ({}): {}\n", chosen.name,
                        status.last_cycle->exit_code,
                        error_in_one_line(status.last_cycle->message, 400));
  }
  std::size_t shown = 0;
  for (const KnownUnit& unit : status.quarantined) {
    if (shown++ == kQuarantinedShown) {
      text += fmt::format("{}: … and {} more quarantined; --json shows them all\n", chosen.name,
                          status.quarantined.size() - kQuarantinedShown);
      break;
    }
    text += fmt::format("{}: quarantined {}: {}\n", chosen.name, one_line(unit.unit, 80),
                        error_in_one_line(unit.reason, 300));
  }
  if (!status.newest) {
    text += fmt::format("{}: no unit was applied yet; 'forebay plan {}' shows what there is\n",
                        chosen.name, chosen.name);
  }
  return text;
}

ExitCode run_status(const Session& session, const StatusOptions& options) {
  const auto chosen = choose(session, options.selection);
  if (!chosen) return session.refuse(chosen.error());
  using enum TextTable::Align;
  std::vector<TextTable::Heading> headings = {
      {"pipeline"},           {"newest unit"},      {"age"},  {"waiting", right},
      {"quarantined", right}, {"last noted cycle"}, {"state"}};
  if (options.list) headings.push_back({"due", right});
  TextTable table(std::move(headings));
  std::string details;
  Json pipelines = Json::array();
  ExitCode code = ExitCode::done;
  for (const Chosen& one : *chosen) {
    const Result<PipelineStatus> status = one.config
                                              ? status_of(session, *one.config, options.list)
                                              : Result<PipelineStatus>(fail(one.config.error()));
    if (!status) {
      log_error(with_hint(status.error()), one.name);
      code = worse(code, exit_code(status.error().code));
      pipelines.push_back(
          {{"pipeline", one.name}, {"feed", one.feed}, {"error", error_json(status.error())}});
      continue;
    }
    const Time now = session.clock.now();
    if (options.fail_if_stale && status->stale(now)) code = worse(code, ExitCode::try_again);
    const auto age = status->age(now);
    std::vector<std::string> cells = {one.name,
                                      status->newest ? one_line(status->newest->unit, 60) : "-",
                                      age ? format_age(*age) : "-",
                                      std::to_string(status->waiting),
                                      std::to_string(status->quarantined.size()),
                                      cycle_text(*status),
                                      state_text(*status, now)};
    if (status->due) cells.push_back(std::to_string(*status->due));
    table.add(std::move(cells));
    details += details_text(one, *status);
    pipelines.push_back(status_json(one.name, one.feed, *status, now));
  }
  if (!table.empty()) session.answer(table.render() + details);
  session.document({{"exit_code", std::to_underlying(code)}, {"pipelines", pipelines}});
  return code;
}

}  // namespace

void add_status(const Command& program) {
  const auto options = std::make_shared<StatusOptions>();
  const Command command =
      program.add("status", "Newest unit, its age, what waits and what was refused",
                  "  forebay status\n"
                  "  forebay status carwash --fail-if-stale");
  command.selection(options->selection);
  command.flag({"--fail-if-stale", "Exit with 2 when one is stale"}, options->fail_if_stale);
  command.flag({"--list", "Ask the store too what is due and what waits"}, options->list);
  command.runs([options](const Session& session) { return run_status(session, *options); });
}

}  // namespace forebay::cli
