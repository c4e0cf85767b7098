#include "load/verify.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "app/cli/commands.h"
#include "app/cli/load_report.h"
#include "app/text_table.h"
#include "app/wiring.h"
#include "base/log.h"
#include "base/quantity.h"

namespace forebay::cli {
namespace {

constexpr std::size_t kDifferencesShown = 50;

struct VerifyOptions {
  Selection selection;
  bool deep = false;
};

Result<Verification> verify_one(const Session& session, const PipelineConfig& config, bool deep) {
  ASSIGN_OR_RETURN(const OpenPipeline open,
                   open_pipeline(config, TargetMode::read, session.environment, session.clock));
  const auto progress = make_progress(session, config.name);
  std::unique_ptr<Target> scratch;
  if (deep && !open.target->promises().fingerprints)
    return fail({.code = ErrorCode::invalid_config,
                 .operation = "verify --deep",
                 .object = config.target.database,
                 .cause = fmt::format("rows of {} targets cannot be compared yet",
                                      open.target->promises().name),
                 .hint = "run verify without --deep"});
  if (deep) {
    // In memory, spilling to the staging folder: nothing of it is ever kept.
    PipelineConfig in_memory = config;
    in_memory.target = {};
    ASSIGN_OR_RETURN(scratch, open_target(in_memory, TargetMode::write));
  }
  return verify(open.pipeline, scratch.get(), session.clock, *progress);
}

Json verification_json(const Chosen& one, const Verification& found) {
  Json differences = Json::array();
  for (const Difference& difference : found.differences) {
    differences.push_back({{"kind", to_string(difference.kind)},
                           {"object", difference.object},
                           {"detail", difference.detail}});
  }
  return {{"pipeline", one.name},
          {"feed", one.feed},
          {"agrees", found.differences.empty()},
          {"keys_listed", found.keys_listed},
          {"units", {{"waiting", found.units_waiting}, {"quarantined", found.units_quarantined}}},
          {"tables", found.tables},
          {"rows", found.rows},
          {"gone", found.gone},
          {"differences", differences},
          {"more_differences", found.more},
          {"error", nullptr}};
}

std::string verification_text(const Chosen& one, const Verification& found, bool deep) {
  std::string text = fmt::format(
      "{}: {} keys, {} tables, {} rows: {}\n", one.name, format_count(found.keys_listed),
      format_count(found.tables), format_count(found.rows),
      found.differences.empty() ? "bucket, ledger and tables agree" : "there are differences");
  if (found.gone > 0) {
    text += fmt::format("  {} files are gone, as this feed says they will be (kept: false)\n",
                        format_count(found.gone));
  }
  if (found.differences.empty()) return text;
  TextTable table({{"difference"}, {"object"}, {"detail"}});
  for (const Difference& difference : found.differences) {
    table.add({std::string(to_string(difference.kind)), one_line(difference.object, 80),
               one_line(difference.detail, 120)});
    if (&difference ==
        &found.differences[std::min(found.differences.size(), kDifferencesShown) - 1])
      break;
  }
  text += table.render(2);
  if (found.more || found.differences.size() > kDifferencesShown) {
    text += "  … and more; --json shows more of them\n";
  }
  if (!deep) text += fmt::format("  'forebay verify {} --deep' reads the files too\n", one.name);
  return text;
}

ExitCode run_verify(const Session& session, const VerifyOptions& options) {
  const auto chosen = choose(session, options.selection);
  if (!chosen) return session.refuse(chosen.error());
  ExitCode code = ExitCode::done;
  Json pipelines = Json::array();
  for (const Chosen& one : *chosen) {
    const Result<Verification> found = one.config ? verify_one(session, *one.config, options.deep)
                                                  : Result<Verification>(fail(one.config.error()));
    if (!found) {
      log_error(with_hint(found.error()), one.name);
      code = worse(code, exit_code(found.error().code));
      pipelines.push_back(
          {{"pipeline", one.name}, {"feed", one.feed}, {"error", error_json(found.error())}});
      continue;
    }
    if (!found->differences.empty()) code = worse(code, ExitCode::integrity);
    session.answer(verification_text(one, *found, options.deep));
    pipelines.push_back(verification_json(one, *found));
  }
  session.document({{"exit_code", std::to_underlying(code)}, {"pipelines", pipelines}});
  return code;
}

}  // namespace

void add_verify(const Command& program) {
  const auto options = std::make_shared<VerifyOptions>();
  const Command command =
      program.add("verify", "Compare bucket, ledger and tables; exit 3 on a difference",
                  "  forebay verify\n"
                  "  forebay verify events --deep");
  command.selection(options->selection);
  command.flag({"--deep", "Read all files again and recompute what the tables hold"},
               options->deep);
  command.runs([options](const Session& session) { return run_verify(session, *options); });
}

}  // namespace forebay::cli
