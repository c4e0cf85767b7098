#include <fmt/format.h>

#include <memory>
#include <utility>

#include "app/cli/commands.h"
#include "app/text_table.h"
#include "app/wiring.h"
#include "base/log.h"
#include "base/quantity.h"
#include "base/time_text.h"

namespace forebay::cli {
namespace {

struct HistoryOptions {
  Selection selection;
  std::size_t limit = 20;
  std::string since;
};

using Rows = std::vector<Target::HistoryRow>;

Result<Rows> history_of(const PipelineConfig& config, const HistoryOptions& options) {
  Target::HistoryQuery query{.states = {UnitState::applied}, .limit = options.limit};
  if (!options.since.empty()) {
    ASSIGN_OR_RETURN(query.since, parse_time_option("--since", options.since));
  }
  ASSIGN_OR_RETURN(const auto target, open_target(config, TargetMode::read));
  return target->history(config.name, query);
}

Json row_json(const Target::HistoryRow& row) {
  const KnownUnit& unit = row.unit;
  return {{"unit", unit.unit},
          {"version", unit.version},
          {"kind", unit.kind},
          {"state", to_string(unit.state)},
          {"files", unit.files},
          {"rows", unit.rows},
          {"reason", unit.reason},
          {"unit_time", unit.unit_time ? Json(format_rfc3339(*unit.unit_time)) : Json(nullptr)},
          {"commit_no", unit.commit_no},
          {"applied_at", format_rfc3339(unit.decided_at)},
          {"seconds", row.seconds}};
}

std::string rows_text(const Rows& rows) {
  using enum TextTable::Align;
  TextTable table({{"unit"},
                   {"kind"},
                   {"files", right},
                   {"rows", right},
                   {"applied at"},
                   {"commit", right},
                   {"took", right}});
  for (const Target::HistoryRow& row : rows) {
    const KnownUnit& unit = row.unit;
    table.add({one_line(unit.unit, 80), unit.kind,
               format_count(static_cast<std::uint64_t>(unit.files)),
               format_count(static_cast<std::uint64_t>(unit.rows)),
               format_rfc3339(std::chrono::floor<std::chrono::seconds>(unit.decided_at)),
               std::to_string(unit.commit_no), format_seconds(row.seconds)});
  }
  return table.render();
}

ExitCode run_history(const Session& session, const HistoryOptions& options) {
  const auto chosen = choose_one(session, options.selection, "history", "history shows");
  if (!chosen) return session.refuse(chosen.error());
  const Chosen& one = *chosen;
  const Result<Rows> rows =
      one.config ? history_of(*one.config, options) : Result<Rows>(fail(one.config.error()));
  if (!rows) {
    log_error(with_hint(rows.error()), one.name);
    const ExitCode code = exit_code(rows.error().code);
    session.document({{"exit_code", std::to_underlying(code)},
                      {"pipelines",
                       {{{"pipeline", one.name},
                         {"feed", one.feed},
                         {"history", Json::array()},
                         {"error", error_json(rows.error())}}}}});
    return code;
  }
  if (rows->empty()) {
    session.answer(fmt::format("{}: no unit was applied{}\n", one.name,
                               options.since.empty() ? " yet" : " since then"));
  } else {
    session.answer(rows_text(*rows));
  }
  Json history = Json::array();
  for (const Target::HistoryRow& row : *rows) history.push_back(row_json(row));
  Json pipelines = Json::array();
  pipelines.push_back(
      {{"pipeline", one.name}, {"feed", one.feed}, {"history", history}, {"error", nullptr}});
  session.document({{"exit_code", 0}, {"pipelines", pipelines}});
  return ExitCode::done;
}

}  // namespace

void add_history(const Command& program) {
  const auto options = std::make_shared<HistoryOptions>();
  const Command command =
      program.add("history", "Units applied, newest first",
                  "  forebay history carwash\n"
                  "  forebay history carwash --limit 100 --since 2026-10-20T00:00:00Z");
  command.selection(options->selection);
  command.number({"--limit", "At most so many (default 20; 0: all)", "N"}, options->limit, 0);
  command.text({"--since", "Only units applied since then", "TIME"}, options->since);
  command.runs([options](const Session& session) { return run_history(session, *options); });
}

}  // namespace forebay::cli
