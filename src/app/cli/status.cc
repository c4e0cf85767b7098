#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "app/cli/commands.h"
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

struct PipelineStatus {
  std::optional<KnownUnit> newest;
  std::vector<KnownUnit> quarantined;
  std::optional<CycleNote> last_cycle;
  std::int64_t waiting = 0;         // as the last noted cycle found, or as listed now
  std::optional<std::int64_t> due;  // with --list
  std::optional<Duration> age;      // of the newest unit
  std::optional<Duration> stale_after;
  bool stale = false;
};

// A unit cannot be newer than the moment at which it was loaded, whatever its document says.
Time time_of(const KnownUnit& unit) {
  return std::min(unit.unit_time.value_or(unit.decided_at), unit.decided_at);
}

// The unit that the mark stands at. The mark passes over what was refused, too: then, and in a feed
// without one, the unit applied last.
Result<std::optional<KnownUnit>> newest_unit(Target& target, const std::string& pipeline,
                                             const LedgerHead& head) {
  if (!head.mark_name.empty()) {
    ASSIGN_OR_RETURN(const auto known, target.known(pipeline, {head.mark_name}));
    if (!known.empty() && known.front().state == UnitState::applied) return known.front();
  }
  ASSIGN_OR_RETURN(const auto applied,
                   target.history(pipeline, {.states = {UnitState::applied}, .limit = 1}));
  if (applied.empty()) return std::optional<KnownUnit>();
  return applied.front().unit;
}

Result<PipelineStatus> status_of(const Session& session, const PipelineConfig& config, bool list) {
  ASSIGN_OR_RETURN(const OpenPipeline open,
                   open_pipeline(config, TargetMode::read, session.environment, session.clock));
  Target& target = *open.target;
  PipelineStatus status{.stale_after = config.feed.stale_after};
  ASSIGN_OR_RETURN(const LedgerHead head, target.head(config.name));
  status.last_cycle = head.last_cycle;
  if (head.last_cycle) status.waiting = head.last_cycle->waiting;
  ASSIGN_OR_RETURN(status.newest, newest_unit(target, config.name, head));
  ASSIGN_OR_RETURN(const auto refused,
                   target.history(config.name, {.states = {UnitState::quarantined}}));
  for (const Target::HistoryRow& row : refused) status.quarantined.push_back(row.unit);
  if (status.newest) status.age = session.clock.now() - time_of(*status.newest);
  status.stale = status.stale_after && (!status.age || *status.age > *status.stale_after);
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

Json seconds_of(const std::optional<Duration>& duration) {
  if (!duration) return nullptr;
  return std::chrono::duration<double>(*duration).count();
}

Json cycle_json(const std::optional<CycleNote>& note) {
  if (!note) return nullptr;
  return {{"finished_at", format_rfc3339(note->finished_at)},
          {"outcome", note->outcome},
          {"exit_code", note->exit_code},
          {"message", note->message},
          {"full_listing", note->full_listing}};
}

Json status_json(const Chosen& chosen, const PipelineStatus& status) {
  Json quarantined = Json::array();
  for (const KnownUnit& unit : status.quarantined) {
    quarantined.push_back({{"unit", unit.unit},
                           {"version", unit.version},
                           {"reason", unit.reason},
                           {"decided_at", format_rfc3339(unit.decided_at)}});
  }
  Json out = {{"pipeline", chosen.name},
              {"feed", chosen.feed},
              {"newest_unit", status.newest ? Json(status.newest->unit) : Json(nullptr)},
              {"newest_unit_time",
               status.newest ? Json(format_rfc3339(time_of(*status.newest))) : Json(nullptr)},
              {"age_seconds", seconds_of(status.age)},
              {"units", {{"waiting", status.waiting}, {"quarantined", status.quarantined.size()}}},
              {"quarantined", quarantined},
              {"last_cycle", cycle_json(status.last_cycle)},
              {"stale_after_seconds", seconds_of(status.stale_after)},
              {"stale", status.stale},
              {"error", nullptr}};
  if (status.due) out["units"]["due"] = *status.due;
  return out;
}

std::string cycle_text(const PipelineStatus& status) {
  if (!status.last_cycle) return "never";
  return fmt::format(
      "{} {}", status.last_cycle->outcome,
      format_rfc3339(std::chrono::floor<std::chrono::seconds>(status.last_cycle->finished_at)));
}

std::string state_text(const PipelineStatus& status) {
  if (!status.stale_after) return status.newest ? "loaded" : "empty";
  return status.stale ? fmt::format("STALE (limit {})", format_age(*status.stale_after)) : "fresh";
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
    if (options.fail_if_stale && status->stale) code = worse(code, ExitCode::try_again);
    std::vector<std::string> cells = {one.name,
                                      status->newest ? one_line(status->newest->unit, 60) : "-",
                                      status->age ? format_age(*status->age) : "-",
                                      std::to_string(status->waiting),
                                      std::to_string(status->quarantined.size()),
                                      cycle_text(*status),
                                      state_text(*status)};
    if (status->due) cells.push_back(std::to_string(*status->due));
    table.add(std::move(cells));
    details += details_text(one, *status);
    pipelines.push_back(status_json(one, *status));
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
