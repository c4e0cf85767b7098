#include "app/cli/commands.h"
#include "app/config_error.h"
#include "base/time_text.h"

namespace forebay::cli {

void add_globals(CLI::App& command, Globals& globals) {
  command
      .add_option("-c,--config", globals.config,
                  "Configuration (default ./forebay.yaml, then $FOREBAY_CONFIG)")
      ->type_name("FILE")
      ->group("Everywhere");
  command.add_flag("--json", globals.json, "One JSON document on standard output, nothing else")
      ->group("Everywhere");
  command.add_flag("-q,--quiet", globals.quiet, "Say errors only")->group("Everywhere");
  command.add_flag("-v,--verbose", globals.verbose, "Say more")->group("Everywhere");
  command.add_option("--log-format", globals.log_format, "Standard error as text or as JSON lines")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("text|json")
      ->group("Everywhere");
  command.add_flag("--no-progress", globals.no_progress, "Draw no progress bar")
      ->group("Everywhere");
}

CLI::App* add_command(CLI::App& program, Session& session, const std::string& name,
                      const std::string& about, const std::string& example) {
  CLI::App* command = program.add_subcommand(name, about);
  command->set_help_flag("--help,-h", "Print this help")->group("Everywhere");
  command->footer("Example:\n" + example + "\n");
  add_globals(*command, session.globals);
  return command;
}

void add_given(CLI::App& command, Selection& selection) {
  const std::string group = "Without a configuration file";
  CommandLinePipeline& given = selection.given;
  command.add_option("--source", given.source, "s3://bucket/prefix/ or a folder")
      ->type_name("URL")
      ->group(group);
  command.add_option("--feed", given.feed, "A built-in feed, or the path of a description")
      ->type_name("NAME")
      ->group(group);
  command.add_option("--target", given.target, "duckdb:PATH")->type_name("URL")->group(group);
  command.add_option("--set", given.settings, "Any key of a pipeline, such as schema=raw")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false)
      ->group(group);
}

void add_selection(CLI::App& command, Selection& selection) {
  command.add_option("PIPELINE", selection.pipelines, "Names of pipelines (default: all)")
      ->type_name("");
  add_given(command, selection);
}

Result<Time> parse_time_option(std::string_view option, std::string_view text) {
  if (const auto time = parse_rfc3339(text, Zone::utc_when_absent)) return *time;
  return fail(config_error(option, "the value is no time",
                           "write it as 2026-10-20T14:15:02Z (UTC without a zone)"));
}

}  // namespace forebay::cli
