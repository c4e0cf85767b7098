#include <memory>
#include <utility>

#include "app/cli/commands.h"
#include "app/cli/load_report.h"
#include "app/cli/plan.h"
#include "app/config_error.h"
#include "base/log.h"
#include "load/selection.h"

namespace forebay::cli {
namespace {

struct BackfillOptions {
  Selection selection;
  std::string from;
  std::string to;
  std::string prefix;
  bool all = false;
  bool dry_run = false;
};

Result<BackfillRequest> read_request(const BackfillOptions& given) {
  BackfillRequest request{.prefix = given.prefix};
  const bool chosen = !given.from.empty() || !given.to.empty() || !given.prefix.empty();
  if (chosen == given.all) {
    return fail(config_error("the command line",
                             chosen ? "--all excludes --from, --to and --prefix"
                                    : "backfill needs to know what was left out",
                             "give --from DATE --to DATE, --prefix P, or --all"));
  }
  if (!given.from.empty()) {
    ASSIGN_OR_RETURN(const TimeSpan from, parse_date_option("--from", given.from));
    request.from = from.begin;
  }
  if (!given.to.empty()) {
    ASSIGN_OR_RETURN(const TimeSpan to, parse_date_option("--to", given.to));
    request.before = to.end;
  }
  if (request.from && request.before && *request.from >= *request.before) {
    return fail(config_error("the command line", "--from is later than --to",
                             "both are included: the same date twice is one day"));
  }
  return request;
}

ExitCode run_backfill(const Session& session, const BackfillOptions& given) {
  const auto request = read_request(given);
  if (!request) return session.refuse(request.error());
  const auto one = choose_one(session, given.selection, "backfill", "backfill loads");
  if (!one) return session.refuse(one.error());
  const auto options = [&](const Feed& feed) {
    return CycleOptions{.selection = select_for_backfill(feed, *request)};
  };
  if (given.dry_run) return run_plan(session, given.selection, options);
  if (!one->config) {
    log_error(with_hint(one->config.error()), one->name);
    return finish(session, failed_report(one->name, one->feed, one->config.error()));
  }
  return finish(session, load_one(session, *one->config, options(one->config->feed)),
                one->config->prices);
}

}  // namespace

void add_backfill(const Command& program) {
  const auto options = std::make_shared<BackfillOptions>();
  const Command command =
      program.add("backfill", "Load what a window or a look-back left out",
                  "  forebay backfill events --from 2026-10-01 --to 2026-10-07\n"
                  "  forebay backfill events --prefix dt=2026-09-30/ --dry-run");
  command.selection(options->selection);
  command.text({"--from", "Not earlier: by the date in the key, else last-modified", "DATE"},
               options->from);
  command.text({"--to", "Not later; both dates are included", "DATE"}, options->to);
  command.text({"--prefix", "Keys below the source that begin so", "P"}, options->prefix);
  command.flag({"--all", "Everything that is not loaded yet"}, options->all);
  command.flag({"--dry-run", "Say what would be done"}, options->dry_run);
  command.runs([options](const Session& session) { return run_backfill(session, *options); });
}

}  // namespace forebay::cli
