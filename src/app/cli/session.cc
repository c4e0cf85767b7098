#include "app/cli/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "app/config_error.h"
#include "app/progress_bar.h"
#include "base/log.h"

namespace forebay::cli {
namespace {

void put(std::FILE* file, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), file);
  std::fflush(file);
}

Status refuse_mix(const Session& session, const Selection& selection) {
  const CommandLinePipeline& given = selection.given;
  if (given.source.empty()) {
    if (given.feed.empty() && given.target.empty() && given.settings.empty()) return {};
    return fail(config_error("the command line", "--feed, --target and --set need --source",
                             "give --source URL --feed NAME --target URL, or none of them"));
  }
  if (session.globals.config) {
    return fail(config_error("the command line", "--source and --config exclude each other",
                             "give one of them"));
  }
  for (const auto& [option, value] :
       {std::pair("--feed", given.feed), std::pair("--target", given.target)}) {
    if (!value.empty()) continue;
    return fail(config_error("the command line", fmt::format("--source needs {} too", option),
                             "give --source URL --feed NAME --target URL"));
  }
  return {};
}

Status refuse_unknown(const RawConfig& config, const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const RawPipeline& pipeline : config.pipelines) known.push_back(pipeline.name);
  for (const std::string& name : names) {
    if (std::ranges::find(known, name) != known.end()) continue;
    const std::string near = nearest(name, known);
    return fail(config_error(config.origin.empty() ? "the command line" : config.origin,
                             fmt::format("there is no pipeline '{}'", name),
                             near.empty() ? fmt::format("there are: {}", fmt::join(known, ", "))
                                          : fmt::format("did you mean '{}'?", near)));
  }
  return {};
}

}  // namespace

void Session::note(std::string_view text) const {
  if (!globals.quiet) answer(text);
}

void Session::answer(std::string_view text) const {
  if (!globals.json) {
    put(stdout, text);
  } else if (globals.log_format != "json" && !globals.quiet) {
    put(stderr, text);
  }
}

void Session::document(const Json& document) const {
  if (!globals.json) return;
  put(stdout, document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

ExitCode Session::refuse(const Error& given) const {
  const Error error = with_hint(given);
  log_error(error);
  const ExitCode code = exit_code(error.code);
  document({{"outcome", "failed"},
            {"exit_code", std::to_underlying(code)},
            {"pipelines", Json::array()},
            {"error", error_json(error)}});
  return code;
}

bool Session::shows_progress() const {
  return !globals.no_progress && !globals.quiet && globals.log_format != "json" &&
         stderr_is_terminal(environment.get("TERM").value_or("dumb"));
}

Chosen read_chosen(const Session& session, const RawConfig& config, const RawPipeline& pipeline) {
  const auto& feed = pipeline.settings.at("feed");
  return {pipeline.name, feed.values.empty() ? "" : feed.values.front(),
          read_pipeline(config, pipeline, session.environment)};
}

Result<std::vector<Chosen>> choose(const Session& session, const Selection& selection) {
  RETURN_IF_ERROR(refuse_mix(session, selection));
  const bool from_line = !selection.given.source.empty();
  ASSIGN_OR_RETURN(const RawConfig config,
                   from_line ? config_of(selection.given)
                             : load_config(session.globals.config, session.environment));
  RETURN_IF_ERROR(refuse_unknown(config, selection.pipelines));
  std::vector<Chosen> chosen;
  for (const RawPipeline& pipeline : config.pipelines) {
    const auto& names = selection.pipelines;
    if (!names.empty() && std::ranges::find(names, pipeline.name) == names.end()) continue;
    chosen.push_back(read_chosen(session, config, pipeline));
  }
  return chosen;
}

Result<Chosen> choose_one(const Session& session, const Selection& selection,
                          std::string_view command, std::string_view what) {
  ASSIGN_OR_RETURN(std::vector<Chosen> chosen, choose(session, selection));
  if (chosen.size() == 1) return std::move(chosen.front());
  return fail({ErrorCode::invalid_config, "read the command line", std::string(command),
               fmt::format("{} one pipeline, and there are several", what),
               fmt::format("write 'forebay {} {}'", command, chosen.front().name)});
}

}  // namespace forebay::cli
