#include "load/reset.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <memory>
#include <utility>

#include "app/cli/commands.h"
#include "app/config_error.h"
#include "app/wiring.h"
#include "base/log.h"

namespace forebay::cli {
namespace {

struct ResetOptions {
  Selection selection;
  std::optional<std::string> table;
  bool drop_tables = false;
  bool yes = false;
};

std::string what_goes(const Chosen& one, const ResetOptions& options) {
  return fmt::format("all that the ledger knows of {}{}",
                     options.table ? fmt::format("table {} of ", *options.table) : "",
                     fmt::format("pipeline '{}'{}", one.name,
                                 options.drop_tables ? ", and the tables themselves" : ""));
}

// A person at a terminal is asked; a script says --yes.
Status ask(const Session& session, const Chosen& one, const ResetOptions& options) {
  if (options.yes) return {};
  if (isatty(STDIN_FILENO) != 1 || session.globals.json) {
    return fail(
        config_error("the command line",
                     "reset forgets " + what_goes(one, options) + ", and nobody can be asked",
                     "add --yes when that is what you want"));
  }
  session.answer(fmt::format("Forget {}? Type yes: ", what_goes(one, options)));
  char answer[8] = {};
  const ssize_t count = ::read(STDIN_FILENO, answer, sizeof(answer) - 1);
  if (count > 0 && std::string_view(answer, static_cast<std::size_t>(count)) == "yes\n") return {};
  return fail(config_error("the command line", "the answer was not yes", "nothing was changed"));
}

Result<std::vector<TableName>> reset_one(const Session& session, const Chosen& one,
                                         const ResetOptions& options) {
  if (!one.config) return fail(one.config.error());
  RETURN_IF_ERROR(ask(session, one, options));
  ASSIGN_OR_RETURN(const auto target, open_target(*one.config, TargetMode::write));
  const std::string schema =
      one.config->schema.empty() ? target->default_schema() : one.config->schema;
  return reset(one.name, schema, *target,
               {.table = options.table, .drop_tables = options.drop_tables}, session.clock);
}

ExitCode run_reset(const Session& session, const ResetOptions& options) {
  const auto one = choose_one(session, options.selection, "reset", "reset forgets");
  if (!one) return session.refuse(one.error());
  const auto tables = reset_one(session, *one, options);
  ExitCode code = ExitCode::done;
  Json names = Json::array();
  if (tables) {
    std::vector<std::string> list;
    for (const TableName& table : *tables) list.push_back(table.display());
    for (const std::string& name : list) names.push_back(name);
    session.note(fmt::format("{}: forgotten; {}\n", one->name,
                             list.empty() ? "it had no tables"
                             : options.drop_tables
                                 ? fmt::format("dropped: {}", fmt::join(list, ", "))
                                 : fmt::format("these tables are no longer its own, drop or rename "
                                               "them before the next load: {}",
                                               fmt::join(list, ", "))));
  } else {
    log_error(with_hint(tables.error()), one->name);
    code = exit_code(tables.error().code);
  }
  Json pipelines = Json::array();
  pipelines.push_back({{"pipeline", one->name},
                       {"feed", one->feed},
                       {"tables", names},
                       {"dropped", tables && options.drop_tables},
                       {"error", tables ? Json(nullptr) : error_json(tables.error())}});
  session.document({{"exit_code", std::to_underlying(code)}, {"pipelines", pipelines}});
  return code;
}

}  // namespace

void add_reset(const Command& program) {
  const auto options = std::make_shared<ResetOptions>();
  const Command command =
      program.add("reset", "Forget the ledger of one pipeline, or of one of its tables",
                  "  forebay reset events --drop-tables\n"
                  "  forebay reset carwash --table visits --yes");
  command.one_pipeline(options->selection);
  command.given(options->selection.given);
  command.text({"--table", "Only this table: its files are loaded again", "T"}, options->table);
  command.flag({"--drop-tables", "Drop the tables too"}, options->drop_tables);
  command.flag({"--yes", "Do not ask"}, options->yes);
  command.runs([options](const Session& session) { return run_reset(session, *options); });
}

}  // namespace forebay::cli
