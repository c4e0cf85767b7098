#include "load/quarantine.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "app/cli/commands.h"
#include "app/cli/load_report.h"
#include "app/config_error.h"
#include "app/text_table.h"
#include "app/wiring.h"
#include "base/log.h"
#include "base/time_text.h"

namespace forebay::cli {
namespace {

struct QuarantineOptions {
  Selection selection;
  std::string unit;
};

using Refused = std::vector<RefusedUnit>;

Result<Refused> refused_of(const PipelineConfig& config) {
  ASSIGN_OR_RETURN(const auto target, open_target(config, TargetMode::read));
  return refused_units(*target, config.name);
}

std::string_view state_of(const RefusedUnit& refused) {
  return refused.stops ? "stops the feed" : to_string(refused.unit.state);
}

Json unit_json(const RefusedUnit& refused) {
  const KnownUnit& unit = refused.unit;
  return {{"unit", unit.unit},
          {"version", unit.version},
          {"kind", unit.kind},
          {"state", refused.stops ? "stopped" : to_string(unit.state)},
          {"reason", unit.reason},
          {"unit_time", unit.unit_time ? Json(format_rfc3339(*unit.unit_time)) : Json(nullptr)},
          {"decided_at", format_rfc3339(unit.decided_at)}};
}

Json pipeline_json(const Chosen& one, const Refused& refused) {
  Json units = Json::array();
  for (const RefusedUnit& unit : refused) units.push_back(unit_json(unit));
  return {{"pipeline", one.name}, {"feed", one.feed}, {"quarantined", units}, {"error", nullptr}};
}

std::string when(Time time) {
  return format_rfc3339(std::chrono::floor<std::chrono::seconds>(time));
}

// One pipeline's error among those of others.
void report_error(const Chosen& one, const Error& error, Json& pipelines, ExitCode& code) {
  log_error(with_hint(error), one.name);
  code = worse(code, exit_code(error.code));
  pipelines.push_back({{"pipeline", one.name},
                       {"feed", one.feed},
                       {"quarantined", Json::array()},
                       {"error", error_json(error)}});
}

ExitCode run_list(const Session& session, const QuarantineOptions& options) {
  const auto chosen = choose(session, options.selection);
  if (!chosen) return session.refuse(chosen.error());
  TextTable table({{"pipeline"}, {"unit"}, {"state"}, {"since"}, {"reason"}});
  ExitCode code = ExitCode::done;
  Json pipelines = Json::array();
  for (const Chosen& one : *chosen) {
    const Result<Refused> refused =
        one.config ? refused_of(*one.config) : Result<Refused>(fail(one.config.error()));
    if (!refused) {
      report_error(one, refused.error(), pipelines, code);
      continue;
    }
    for (const RefusedUnit& unit : *refused) {
      table.add({one.name, one_line(unit.unit.unit, 60), std::string(state_of(unit)),
                 when(unit.unit.decided_at), error_in_one_line(unit.unit.reason, 100)});
    }
    pipelines.push_back(pipeline_json(one, *refused));
  }
  if (!table.empty()) {
    session.answer(table.render());
  } else if (code == ExitCode::done) {
    session.answer("nothing is quarantined\n");
  }
  session.document({{"exit_code", std::to_underlying(code)}, {"pipelines", pipelines}});
  return code;
}

// Ends a command about one unit of one pipeline.
ExitCode end(const Session& session, const Chosen& one, const Refused& units,
             const Status& status) {
  ExitCode code = ExitCode::done;
  Json pipelines = Json::array();
  if (status) {
    pipelines.push_back(pipeline_json(one, units));
  } else {
    report_error(one, status.error(), pipelines, code);
  }
  session.document({{"exit_code", std::to_underlying(code)}, {"pipelines", pipelines}});
  return code;
}

Result<RefusedUnit> find_unit(const Chosen& one, const std::string& name) {
  if (!one.config) return fail(one.config.error());
  ASSIGN_OR_RETURN(const Refused refused, refused_of(*one.config));
  for (const RefusedUnit& unit : refused) {
    if (unit.unit.unit == name) return unit;
  }
  return fail(
      config_error(name, "no unit of this name was refused",
                   fmt::format("'forebay quarantine list {}' shows those that were", one.name)));
}

ExitCode run_show(const Session& session, const QuarantineOptions& options) {
  const auto one = choose_one(session, options.selection, "quarantine show", "it shows a unit of");
  if (!one) return session.refuse(one.error());
  const auto found = find_unit(*one, options.unit);
  if (!found) return end(session, *one, {}, Status(fail(found.error())));
  const KnownUnit& unit = found->unit;
  std::string text = fmt::format("unit:     {}\nstate:    {}\n", unit.unit, state_of(*found));
  if (!unit.version.empty()) text += fmt::format("version:  {}\n", unit.version);
  if (unit.unit_time) text += fmt::format("time:     {}\n", when(*unit.unit_time));
  text += fmt::format("refused:  {}\nreason:   {}\n", when(unit.decided_at), unit.reason);
  text += fmt::format(
      "try again: forebay quarantine retry {0} {1}\nnever load: forebay quarantine drop {0} {1}\n",
      one->name, unit.unit);
  session.answer(text);
  return end(session, *one, {*found}, {});
}

ExitCode run_retry(const Session& session, const QuarantineOptions& options) {
  const auto one = choose_one(session, options.selection, "quarantine retry", "it tries units of");
  if (!one) return session.refuse(one.error());
  if (!one->config) {
    log_error(with_hint(one->config.error()), one->name);
    return finish(session, failed_report(one->name, one->feed, one->config.error()));
  }
  std::set<std::string> names;
  if (!options.unit.empty()) names.insert(options.unit);
  return finish(session,
                run_one(session, *one->config,
                        [&](const Pipeline& pipeline, Progress& progress) {
                          return retry_units(pipeline, names, session.clock, progress);
                        }),
                one->config->prices);
}

Status drop(const Session& session, const Chosen& one, const std::string& unit) {
  if (!one.config) return fail(one.config.error());
  ASSIGN_OR_RETURN(const OpenPipeline open, open_pipeline(*one.config, TargetMode::write,
                                                          session.environment, session.clock));
  return drop_unit(open.pipeline, unit, session.clock);
}

ExitCode run_drop(const Session& session, const QuarantineOptions& options) {
  const auto one = choose_one(session, options.selection, "quarantine drop", "it drops a unit of");
  if (!one) return session.refuse(one.error());
  const auto found = find_unit(*one, options.unit);
  if (!found) return end(session, *one, {}, Status(fail(found.error())));
  const Status dropped = drop(session, *one, options.unit);
  RefusedUnit after = *found;
  after.unit.state = UnitState::dropped;
  after.stops = false;
  if (dropped) {
    session.note(fmt::format("{}: {} will not be loaded\n", one->name, options.unit));
  }
  return end(session, *one, {after}, dropped);
}

}  // namespace

void add_quarantine(const Command& program) {
  const Command quarantine =
      program.add("quarantine", "Units that were refused: show them, try them again, drop them",
                  "  forebay quarantine list\n"
                  "  forebay quarantine retry events dt=2026-10-20/part-7.parquet");
  quarantine.runs([](const Session& session) {
    return session.refuse(config_error("the command line", "quarantine needs one of its commands",
                                       "list, show, retry or drop"));
  });
  const auto add = [&](const char* name, const char* about, const char* example, bool needs_unit,
                       ExitCode (*run)(const Session&, const QuarantineOptions&)) {
    const auto options = std::make_shared<QuarantineOptions>();
    const Command command = quarantine.add(name, about, example);
    if (std::string_view(name) == "list") {
      command.words({.names = "PIPELINE", .about = "Names of pipelines (default: all)"},
                    options->selection.pipelines);
    } else {
      command.one_pipeline(options->selection);
      command.unit(options->unit, needs_unit);
    }
    command.given(options->selection.given);
    command.runs([options, run](const Session& session) { return run(session, *options); });
  };
  add("list", "What was refused and why, and the unit at which an ordered feed stops",
      "  forebay quarantine list events", false, run_list);
  add("show", "One of them with its whole reason",
      "  forebay quarantine show events dt=2026-10-20/part-7.parquet", true, run_show);
  add("retry", "Try one again, or all; the exit code is that of the attempt",
      "  forebay quarantine retry events", false, run_retry);
  add("drop", "Decide that one will not be loaded; an ordered feed goes on behind it",
      "  forebay quarantine drop events dt=2026-10-20/part-7.parquet", true, run_drop);
}

}  // namespace forebay::cli
