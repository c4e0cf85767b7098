#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/config.h"
#include "app/environment.h"
#include "app/error_text.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/result.h"

namespace forebay::cli {

// Options that every command takes.
struct Globals {
  std::optional<std::string> config;
  bool json = false;
  bool quiet = false;
  bool verbose = false;
  std::string log_format = "text";
  bool no_progress = false;
};

// Which pipelines a command is about: names from the configuration, or one from the command line.
struct Selection {
  std::vector<std::string> pipelines;
  CommandLinePipeline given;
};

// One run of a command: its options, its surroundings, and where its words go.
class Session {
 public:
  Session(const Environment& process_environment, Clock& process_clock)
      : environment(process_environment), clock(process_clock) {}

  Globals globals;
  const Environment& environment;
  Clock& clock;
  std::function<ExitCode(const Session&)> command;  // chosen by the command line

  // Text for people: on standard output, with --json on standard error. With --log-format json it
  // is dropped there, since standard error then holds JSON lines only. -q leaves out notes, but
  // never answers: what a command was asked for.
  void note(std::string_view text) const;
  void answer(std::string_view text) const;

  // The JSON document of this run; printed only with --json, once.
  void document(const Json& document) const;

  // Ends a command that could not begin: the error on standard error, and with --json a document
  // without pipelines.
  ExitCode refuse(const Error& error) const;

  bool shows_progress() const;
};

// A pipeline as chosen: its configuration, or why it cannot be used.
struct Chosen {
  std::string name;
  std::string feed;
  Result<PipelineConfig> config;
};

Chosen read_chosen(const Session& session, const RawConfig& config, const RawPipeline& pipeline);

// The pipelines of a selection, in the order of the file. invalid_config: no configuration, an
// unknown name (with a suggestion), names together with --source.
Result<std::vector<Chosen>> choose(const Session& session, const Selection& selection);

// The one pipeline that a command is about. `what` completes "… one pipeline": "history shows".
Result<Chosen> choose_one(const Session& session, const Selection& selection,
                          std::string_view command, std::string_view what);

}  // namespace forebay::cli
