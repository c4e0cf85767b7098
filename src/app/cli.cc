#include "app/cli.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <string_view>
#include <utility>

#include "app/cli/commands.h"
#include "app/cli/session.h"
#include "app/config_error.h"
#include "base/log.h"
#include "base/version.h"

namespace forebay {
namespace {

using cli::Session;

constexpr const char* kAbout =
    "Forebay brings files from a bucket or folder into database tables, each delivery exactly "
    "once.";
constexpr const char* kFooter =
    "Exit codes: 0 done, 1 usage or configuration, 2 try again later, 3 integrity,\n"
    "4 schema drift, 5 refused to protect data, 6 a bug in forebay.\n"
    "'forebay COMMAND --help' shows an example of each command.\n";

void add_commands(CLI::App& app, Session& session) {
  app.require_subcommand(0, 1);
  app.footer(kFooter);
  app.add_flag("--version")
      ->description("Print the version (= forebay version)")
      ->group("Everywhere");
  const cli::Command program(app, session);
  program.globals();
  cli::add_load(program);
  cli::add_plan(program);
  cli::add_check(program);
  cli::add_status(program);
  cli::add_history(program);
  cli::add_verify(program);
  cli::add_backfill(program);
  cli::add_quarantine(program);
  cli::add_reset(program);
  cli::add_inspect(program);
  cli::add_feeds(program);
  cli::add_serve(program);
  cli::add_demo(program);
  cli::add_version(program);
}

std::vector<std::string> command_names(const CLI::App& program) {
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

// The first word that is neither an option nor the value of one; empty: there is none.
std::string first_word(const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word == "-c" || word == "--config" || word == "--log-format")
      ++i;
    else if (!word.starts_with('-'))
      return word;
  }
  return "";
}

Error usage_error(std::string cause, std::string hint) {
  return {ErrorCode::invalid_config, "read the command line", "", std::move(cause),
          std::move(hint)};
}

// Commands that are documented and come with a later version are named as such.
Error unknown_command(const CLI::App& program, const std::string& word) {
  static const std::vector<std::string> kLater = {"sql"};
  const std::vector<std::string> known = command_names(program);
  if (std::ranges::find(kLater, word) != kLater.end()) {
    return usage_error(fmt::format("the command '{}' is not supported yet by this version", word),
                       fmt::format("commands: {}", fmt::join(known, ", ")));
  }
  const std::string near = nearest(word, known);
  return usage_error(fmt::format("there is no command '{}'", word),
                     near.empty() ? fmt::format("commands: {}", fmt::join(known, ", "))
                                  : fmt::format("did you mean '{}'?", near));
}

const CLI::App& deepest(const CLI::App& program) {
  const CLI::App* app = &program;
  while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
  return *app;
}

// "forebay quarantine": a command's whole name, or that of what it belongs to.
std::string path_of(const CLI::App* app) {
  std::string path;
  for (; app != nullptr; app = app->get_parent()) {
    path = app->get_name() + (path.empty() ? "" : " " + path);
  }
  return path;
}

std::string help_text(const CLI::App& command) {
  const std::string path = path_of(command.get_parent());
  std::string help = command.help(path);
  for (std::size_t at = help.find("\n\n\n"); at != std::string::npos; at = help.find("\n\n\n")) {
    help.erase(at, 1);
  }
  return help;
}

// The command that a line with a mistake is about: what CLI11 had chosen when it gave up, else what
// the first word says.
const CLI::App& command_of(const CLI::App& program, const std::vector<std::string>& arguments) {
  const CLI::App& chosen = deepest(program);
  if (&chosen != &program) return chosen;
  const std::string word = first_word(arguments);
  for (const CLI::App* command : program.get_subcommands({})) {
    if (command->get_name() == word) return *command;
  }
  return program;
}

Error explain(const CLI::ParseError& error, const CLI::App& program,
              const std::vector<std::string>& arguments) {
  const CLI::App& command = command_of(program, arguments);
  const std::string path = path_of(&command);
  std::vector<std::string> options;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty()) continue;  // not for people
    for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  }
  for (const std::string& argument : arguments) {
    const std::string name = argument.substr(0, argument.find('='));
    if (!name.starts_with("--") || std::ranges::find(options, name) != options.end()) continue;
    const std::string near = nearest(name, options);
    return usage_error(fmt::format("{} has no option {}", path, name),
                       near.empty() ? fmt::format("'{} --help' lists them", path)
                                    : fmt::format("did you mean {}?", near));
  }
  return usage_error(error.what(), fmt::format("'{} --help' shows how it is used", path));
}

void configure(const Session& session) {
  LogOptions options;
  options.format = session.globals.log_format == "json" ? LogFormat::json : LogFormat::text;
  // Whoever reads machine lines wants to see each cycle; people see its result anyway.
  if (options.format == LogFormat::json) options.level = LogLevel::info;
  if (session.globals.verbose) options.level = LogLevel::debug;
  if (session.globals.quiet) options.level = LogLevel::error;
  configure_log(options);
}

// Before the command line is understood: what it seems to want for the message about itself.
void guess_globals(const std::vector<std::string>& arguments, Session& session) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--json") session.globals.json = true;
    const bool json_lines =
        arguments[i] == "--log-format=json" ||
        (arguments[i] == "--log-format" && i + 1 < arguments.size() && arguments[i + 1] == "json");
    if (json_lines) session.globals.log_format = "json";
  }
  configure(session);
}

ExitCode run(const std::vector<std::string>& arguments, Session& session) {
  CLI::App program(kAbout, "forebay");
  add_commands(program, session);
  const std::string word = first_word(arguments);
  const std::vector<std::string> known = command_names(program);
  if (!word.empty() && std::ranges::find(known, word) == known.end()) {
    guess_globals(arguments, session);
    return session.refuse(unknown_command(program, word));
  }
  try {
    program.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    const std::string help = help_text(deepest(program));
    session.globals.json = false;  // help is for people, whoever asks
    session.answer(help);
    return ExitCode::done;
  } catch (const CLI::ParseError& error) {
    guess_globals(arguments, session);
    return session.refuse(explain(error, program, arguments));
  }
  configure(session);
  if (session.command) return session.command(session);
  if (program.count("--version") > 0) {
    session.answer(fmt::format("forebay {}\n", version()));
    return ExitCode::done;
  }
  if (session.globals.json) {
    return session.refuse(usage_error("no command was given", "'forebay --help' lists them"));
  }
  session.answer(help_text(program));
  return ExitCode::configuration;
}

}  // namespace

ExitCode run_command_line(const std::vector<std::string>& arguments, const Environment& environment,
                          Clock& clock) {
  Session session(environment, clock);
  try {
    return run(arguments, session);
  } catch (const std::exception& error) {
    return session.refuse({ErrorCode::internal, "run", "", error.what(), ""});
  }
}

}  // namespace forebay
