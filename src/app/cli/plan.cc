#include "app/cli/plan.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "app/cli/commands.h"
#include "app/cli/load_report.h"
#include "app/text_table.h"
#include "app/wiring.h"
#include "base/log.h"
#include "base/quantity.h"
#include "base/time_text.h"
#include "load/plan.h"

namespace forebay::cli {
namespace {

constexpr std::size_t kUnitsShown = 50;
constexpr std::size_t kWidestName = 60;

std::optional<Prices> prices_of(const Chosen& chosen) {
  return chosen.config ? chosen.config->prices : std::nullopt;
}

Json scopes_json(const Discovery& discovery) {
  Json scopes = Json::array();
  for (const ListRange& scope : discovery.scopes) {
    scopes.push_back({{"prefix", scope.prefix}, {"start_after", scope.start_after}});
  }
  return scopes;
}

Json known(const std::optional<std::uint64_t>& number) {
  return number ? Json(*number) : Json(nullptr);
}

Json unit_json(const Plan::Unit& planned) {
  const PlannedUnit& unit = planned.unit;
  return {{"unit", unit.name.name},
          {"key", unit.object.key},
          {"version", unit.object.version},
          {"last_modified", format_rfc3339(unit.object.last_modified)},
          {"reason", to_string(unit.standing)},
          {"why", unit.why},
          {"due", unit.due()},
          {"kind", planned.kind},
          {"files", planned.files},
          {"rows", known(planned.rows)},
          {"bytes", known(planned.bytes)}};
}

Json plan_json(const Chosen& chosen, const Plan& plan) {
  Json units = Json::array();
  for (const Plan::Unit& unit : plan.units) units.push_back(unit_json(unit));
  Json statements = Json::array();
  for (const PlannedStatement& statement : plan.statements) {
    statements.push_back({{"table", statement.table}, {"sql", statement.sql}});
  }
  const Discovery& found = plan.discovery;
  return {{"pipeline", chosen.name},
          {"feed", chosen.feed},
          {"source", chosen.config->source.display()},
          {"listing", scopes_json(found)},
          {"full_listing", found.full},
          {"keys_listed", found.keys_listed},
          {"already_applied", found.already_applied},
          {"quarantined", found.quarantined_before},
          {"before_start", found.before_start},
          {"not_data", found.not_data},
          {"not_data_examples", found.not_data_examples},
          {"units", units},
          {"statements", statements},
          {"requests", requests_json(plan.made)},
          {"expected_requests", requests_json(plan.expected)},
          {"expected_bytes", plan.expected_bytes},
          {"expected_cost", cost_json(prices_of(chosen), plan.expected, plan.expected_bytes)},
          {"warnings", plan.warnings},
          {"error", nullptr}};
}

std::string listing_text(const Discovery& found) {
  std::string text;
  for (const ListRange& scope : found.scopes) {
    text +=
        fmt::format("  lists {}{}\n", scope.prefix.empty() ? "everything" : scope.prefix,
                    scope.start_after.empty() ? "" : fmt::format(" after {}", scope.start_after));
  }
  text += fmt::format("  {} keys seen, {} units already applied, {} quarantined before\n",
                      format_count(found.keys_listed), format_count(found.already_applied),
                      format_count(found.quarantined_before));
  if (found.not_data > 0) {
    text += fmt::format("  {} keys are no unit of this feed{}{}\n", format_count(found.not_data),
                        found.not_data_examples.empty() ? "" : ", such as ",
                        one_line(fmt::format("{}", fmt::join(found.not_data_examples, ", ")), 80));
  }
  return text;
}

// A marker may not say how large its files are.
std::string size_text(const Plan::Unit& planned) {
  return planned.bytes ? format_size(*planned.bytes) : "-";
}

std::string rows_text(const Plan::Unit& planned) {
  return planned.rows ? format_count(*planned.rows) : "-";
}

std::string units_text(const Plan& plan) {
  if (plan.units.empty()) return "  nothing is due\n";
  using enum TextTable::Align;
  TextTable table(
      {{"unit"}, {"reason"}, {"files", right}, {"rows", right}, {"size", right}, {"why"}});
  for (const Plan::Unit& planned : plan.units) {
    table.add({one_line(planned.unit.name.name, kWidestName),
               std::string(to_string(planned.unit.standing)), format_count(planned.files),
               rows_text(planned), size_text(planned), one_line(planned.unit.why, kWidestName)});
    if (&planned == &plan.units[std::min(plan.units.size(), kUnitsShown) - 1]) break;
  }
  std::string text = table.render(2);
  if (plan.units.size() > kUnitsShown) {
    text += fmt::format("  … and {} more; --json shows them all\n",
                        format_count(plan.units.size() - kUnitsShown));
  }
  return text;
}

// What a load would ask the store for, and what that costs.
std::string expected_text(const Chosen& chosen, const Plan& plan) {
  const RequestCounts& expected = plan.expected;
  std::string text = fmt::format("  loading would make {} list and {} read requests",
                                 format_count(expected.list), format_count(expected.get));
  if (const std::uint64_t others = expected.head + expected.other; others > 0)
    text += fmt::format(", {} others", format_count(others));
  if (plan.expected_bytes > 0) text += fmt::format(", {}", format_size(plan.expected_bytes));
  if (const auto prices = prices_of(chosen))
    text += fmt::format(", {}", money_text(cost_of(*prices, expected, plan.expected_bytes).total(),
                                           prices->currency));
  return text + fmt::format("; 'forebay load {}' does it\n", chosen.name);
}

std::string plan_text(const Chosen& chosen, const Plan& plan) {
  std::string text =
      fmt::format("{}: feed {}, {}\n", chosen.name, chosen.feed, chosen.config->source.display());
  text += listing_text(plan.discovery) + units_text(plan);
  for (const PlannedStatement& statement : plan.statements)
    text += fmt::format("  {};\n", statement.sql);
  text += expected_text(chosen, plan);
  return text;
}

Result<Plan> plan_one(const Session& session, const PipelineConfig& config,
                      const CycleOptions& options) {
  ASSIGN_OR_RETURN(const OpenPipeline open,
                   open_pipeline(config, TargetMode::read, session.environment, session.clock));
  return plan_cycle(open.pipeline, options, session.clock);
}

}  // namespace

ExitCode run_plan(const Session& session, const Selection& selection, const CycleOptions& options) {
  return run_plan(session, selection, [&](const Feed& /*feed*/) { return options; });
}

ExitCode run_plan(const Session& session, const Selection& selection,
                  const std::function<CycleOptions(const Feed&)>& options) {
  const auto chosen = choose(session, selection);
  if (!chosen) return session.refuse(chosen.error());
  ExitCode code = ExitCode::done;
  Json pipelines = Json::array();
  for (const Chosen& one : *chosen) {
    const Result<Plan> plan = one.config ? plan_one(session, *one.config, options(one.config->feed))
                                         : Result<Plan>(fail(one.config.error()));
    if (plan) {
      for (const std::string& warning : plan->warnings) {
        log(LogLevel::warning, fmt::format("{}: {}", one.name, warning));
      }
      session.answer(plan_text(one, *plan));
      pipelines.push_back(plan_json(one, *plan));
      continue;
    }
    log_error(with_hint(plan.error()), one.name);
    code = worse(code, exit_code(plan.error().code));
    pipelines.push_back({{"pipeline", one.name},
                         {"feed", one.feed},
                         {"units", Json::array()},
                         {"error", error_json(plan.error())}});
  }
  session.document({{"exit_code", std::to_underlying(code)}, {"pipelines", pipelines}});
  return code;
}

void add_plan(const Command& program) {
  struct PlanOptions {
    Selection selection;
    std::size_t max_units = 0;
    std::string until;
  };
  const auto options = std::make_shared<PlanOptions>();
  const Command command = program.add("plan", "Say what load would do, and why; writes nothing",
                                      "  forebay plan\n"
                                      "  forebay plan carwash --json");
  command.selection(options->selection);
  command.number({"--max-units", "Plan at most so many units", "N"}, options->max_units, 1);
  command.text({"--until", "Only units whose own time is not later", "TIME"}, options->until);
  command.runs([options](const Session& session) {
    CycleOptions cycle;
    if (options->max_units > 0) cycle.max_units = options->max_units;
    if (!options->until.empty()) {
      const auto until = parse_time_option("--until", options->until);
      if (!until) return session.refuse(until.error());
      cycle.until = *until;
    }
    return run_plan(session, options->selection, cycle);
  });
}

}  // namespace forebay::cli
