#pragma once

#include <CLI/CLI.hpp>

#include "app/cli/session.h"

namespace forebay::cli {

// Each adds its command to the program; when the command line chooses it, Session::command is set.
void add_load(CLI::App& program, Session& session);
void add_plan(CLI::App& program, Session& session);
void add_check(CLI::App& program, Session& session);
void add_status(CLI::App& program, Session& session);
void add_history(CLI::App& program, Session& session);
void add_inspect(CLI::App& program, Session& session);
void add_feeds(CLI::App& program, Session& session);
void add_demo(CLI::App& program, Session& session);
void add_version(CLI::App& program, Session& session);

// What they share: a subcommand with the options every command takes and an example in its help,
// and the options that choose pipelines.
CLI::App* add_command(CLI::App& program, Session& session, const std::string& name,
                      const std::string& about, const std::string& example);
void add_globals(CLI::App& command, Globals& globals);
void add_selection(CLI::App& command, Selection& selection);
void add_given(CLI::App& command, Selection& selection);  // --source and its companions alone

// Times on the command line: RFC 3339, UTC without a zone. `option` names it in the error.
Result<Time> parse_time_option(std::string_view option, std::string_view text);

}  // namespace forebay::cli
