#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/session.h"

namespace CLI {
class App;
}  // namespace CLI

namespace forebay::cli {

// An option as its help shows it. `names`: "--max-units", "-c,--config".
struct Option {
  std::string names;
  std::string about;
  std::string value = "";         // what a value is called; empty for flags
  std::string group = "Options";  // empty: not shown
  std::vector<std::string> one_of = {};
};

// One command of the program while the command line's grammar is set up; the parser behind it stays
// in command.cc and cli.cc. The variables that options fill must live until the command ran.
class Command {
 public:
  Command(CLI::App& app, Session& session) : app_(&app), session_(&session) {}

  // A command below this one. `example`: whole lines.
  Command add(const std::string& name, const std::string& about, const std::string& example) const;

  void flag(const Option& option, bool& value) const;
  void text(const Option& option, std::string& text) const;
  void text(const Option& option, std::optional<std::string>& text) const;
  void number(const Option& option, std::size_t& number, std::size_t least) const;
  void list(const Option& option, std::vector<std::string>& texts) const;  // one value a use
  void word(const Option& option, std::string& text) const;                // must be given
  void words(const Option& option, std::vector<std::string>& texts) const;
  // The pipeline that must be named, and behind it one of its units.
  void one_pipeline(Selection& selection) const;
  void unit(std::string& unit, bool needed) const;

  // The options of every command, of those that choose pipelines, and of a pipeline given whole.
  void globals() const;
  void selection(Selection& selection) const;
  void given(CommandLinePipeline& pipeline) const;

  // What to do when the line chose this command (and none below it). Call it when all options of
  // the command stand; adds those of every command.
  void runs(std::function<ExitCode(const Session&)> action) const;

 private:
  CLI::App* app_;
  Session* session_;
};

}  // namespace forebay::cli
