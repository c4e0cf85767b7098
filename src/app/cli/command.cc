#include "app/cli/command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <utility>

namespace forebay::cli {
namespace {

constexpr const char* kEverywhere = "Everywhere";

void describe_option(CLI::Option& added, const Option& option) {
  added.group(option.group);
  if (!option.value.empty()) added.type_name(option.value);
  if (!option.one_of.empty()) added.check(CLI::IsMember(option.one_of).description(""));
}

}  // namespace

Command Command::add(const std::string& name, const std::string& about,
                     const std::string& example) const {
  CLI::App* command = app_->add_subcommand(name, about);
  command->footer("Example:\n" + example + "\n");
  return {*command, *session_};
}

void Command::flag(const Option& option, bool& value) const {
  describe_option(*app_->add_flag(option.names, value, option.about), option);
}

void Command::text(const Option& option, std::string& text) const {
  describe_option(*app_->add_option(option.names, text, option.about), option);
}

void Command::text(const Option& option, std::optional<std::string>& text) const {
  describe_option(*app_->add_option(option.names, text, option.about), option);
}

void Command::number(const Option& option, std::size_t& number, std::size_t least) const {
  CLI::Option* added = app_->add_option(option.names, number, option.about);
  const auto check = [least](const std::string& text) -> std::string {
    const bool digits = !text.empty() && text.size() <= 9 &&
                        text.find_first_not_of("0123456789") == std::string::npos;
    if (digits && std::stoul(text) >= least) return {};
    return fmt::format("'{}' is no number from {} to 999999999", text, least);
  };
  added->check(CLI::Validator(check, ""));
  describe_option(*added, option);
}

void Command::list(const Option& option, std::vector<std::string>& texts) const {
  CLI::Option* added = app_->add_option(option.names, texts, option.about);
  added->allow_extra_args(false);
  describe_option(*added, option);
}

void Command::word(const Option& option, std::string& text) const {
  CLI::Option* added = app_->add_option(option.names, text, option.about);
  added->type_name("")->required();
}

void Command::words(const Option& option, std::vector<std::string>& texts) const {
  app_->add_option(option.names, texts, option.about)->type_name("");
}

void Command::one_pipeline(Selection& selection) const {
  const auto choose = [&selection](const std::string& name) { selection.pipelines = {name}; };
  app_->add_option_function<std::string>("PIPELINE", choose, "The name of a pipeline")
      ->type_name("")
      ->required();
}

void Command::unit(std::string& unit, bool needed) const {
  CLI::Option* added = app_->add_option("UNIT", unit, "The name of a unit");
  added->type_name("")->required(needed);
}

void Command::globals() const {
  app_->set_help_flag("--help,-h", "Print this help")->group(kEverywhere);
  Globals& globals = session_->globals;
  text({.names = "-c,--config",
        .about = "Configuration (default ./forebay.yaml, then $FOREBAY_CONFIG)",
        .value = "FILE",
        .group = kEverywhere},
       globals.config);
  const auto everywhere = [](const char* names, const char* about) {
    return Option{.names = names, .about = about, .group = kEverywhere};
  };
  flag(everywhere("--json", "One JSON document on standard output, nothing else"), globals.json);
  flag(everywhere("-q,--quiet", "Say errors only"), globals.quiet);
  flag(everywhere("-v,--verbose", "Say more"), globals.verbose);
  text({.names = "--log-format",
        .about = "Standard error as text or as JSON lines",
        .value = "text|json",
        .group = kEverywhere,
        .one_of = {"text", "json"}},
       globals.log_format);
  flag(everywhere("--no-progress", "Draw no progress bar"), globals.no_progress);
}

void Command::given(CommandLinePipeline& pipeline) const {
  const std::string group = "Without a configuration file";
  text({"--source", "s3://bucket/prefix/, gs://…, az://… or a folder", "URL", group},
       pipeline.source);
  text({"--feed", "A built-in feed, or the path of a description", "NAME", group}, pipeline.feed);
  text({"--target", "duckdb:PATH", "URL", group}, pipeline.target);
  list({"--set", "Any key of a pipeline, such as schema=raw", "KEY=VALUE", group},
       pipeline.settings);
}

void Command::selection(Selection& selection) const {
  words({.names = "PIPELINE", .about = "Names of pipelines (default: all)"}, selection.pipelines);
  given(selection.given);
}

void Command::runs(std::function<ExitCode(const Session&)> action) const {
  globals();  // last, so that help shows a command's own options first
  app_->callback([app = app_, session = session_, action = std::move(action)] {
    if (app->get_subcommands().empty()) session->command = action;
  });
}

}  // namespace forebay::cli
