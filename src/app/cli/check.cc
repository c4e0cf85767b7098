#include <fmt/format.h>

#include <memory>
#include <utility>

#include "app/cli/commands.h"
#include "app/cli/type_report.h"
#include "app/text_table.h"
#include "app/wiring.h"
#include "base/log.h"

namespace forebay::cli {
namespace {

// One thing that was tested: whether it holds, and what it showed.
struct Finding {
  std::string what;
  std::string detail;
  std::optional<Error> error;
};

struct CheckResult {
  std::vector<Finding> findings;
  TypeReport types;
  ExitCode code = ExitCode::done;
};

class Checker {
 public:
  Checker(const Session& session, const Chosen& chosen) : session_(session), chosen_(chosen) {}

  CheckResult run() {
    if (!chosen_.config) {
      add("configuration", Status(fail(chosen_.config.error())), "");
      return std::move(result_);
    }
    const PipelineConfig& config = *chosen_.config;
    add("configuration", {},
        fmt::format("feed {}, source {}", chosen_.feed, config.source.display()));
    if (config.feed.rows.conflict == Conflict::first)
      add("first row of a key", {},
          config.feed.ordered() ? "by the order of the units, whenever they come"
                                : "the one that comes first: the units have no order");
    const bool can_write =
        add("target rights", check_target_rights(config), config.target.database);
    auto store = open_store(config, session_.environment, session_.clock);
    if (!store) {
      add("source", Status(fail(store.error())), "");
      return std::move(result_);
    }
    check_store(**store);
    if (can_write) check_target(config);
    return std::move(result_);
  }

 private:
  bool add(std::string what, const Status& status, std::string detail) {
    Finding finding{std::move(what), std::move(detail), std::nullopt};
    if (!status) {
      finding.error = with_hint(status.error());
      result_.code = worse(result_.code, exit_code(status.error().code));
    }
    result_.findings.push_back(std::move(finding));
    return status.has_value();
  }

  void check_store(ObjectStore& store) {
    const auto page = store.list({.page_size = 10});
    // After the first request, since servers tell some of it; before its error, which it explains.
    for (const auto& [what, detail] : store.access()) add(what, {}, detail);
    if (!page) {
      add("list", Status(fail(page.error())), "");
      return;
    }
    add("list", {},
        page->objects.empty() ? "nothing below the source yet"
                              : fmt::format("for example {}", store.display(page->objects[0].key)));
    for (const ObjectInfo& object : page->objects) {
      if (object.size == 0) continue;
      const auto read = store.read({.key = object.key, .version = object.version, .length = 1},
                                   [](std::span<const std::byte>) { return Status(); });
      add("read", read ? Status() : Status(fail(read.error())), store.display(object.key));
      break;
    }
    const StorePromises promises = store.promises();
    add("store promises", {},
        fmt::format("{}, {}, {}", promises.ordered ? "lists in order" : "lists without order",
                    promises.honours_start_after ? "resumes a listing after a key"
                                                 : "lists from the beginning each time",
                    promises.lists_versions
                        ? "tells versions"
                        : "tells no versions: a rewritten key cannot be noticed"));
  }

  void check_target(const PipelineConfig& config) {
    auto open = open_pipeline(config, TargetMode::read, session_.environment, session_.clock);
    if (!open) {
      add("target", Status(fail(open.error())), "");
      return;
    }
    const TargetPromises promises = open->target->promises();
    add("target promises", {},
        fmt::format("{}: {}, {}, {}, {}", promises.name,
                    promises.atomic ? "rows and ledger are one transaction"
                                    : "rows and ledger are NOT one transaction",
                    promises.many_units ? "several units may share one" : "one unit each",
                    promises.concurrent_readers ? "others may read during a load"
                                                : "others wait while a load runs",
                    promises.max_columns
                        ? fmt::format("at most {} columns a table", *promises.max_columns)
                        : "no limit of columns is known"));
    const auto head = open->target->head(config.name);
    if (!add("ledger", head ? Status() : Status(fail(head.error())),
             head && head->commit_no > 0 ? fmt::format("{} commits so far", head->commit_no)
                                         : "nothing was loaded yet")) {
      return;
    }
    auto types = report_types(open->pipeline);
    if (!types) {
      add("types", Status(fail(types.error())), "");
      return;
    }
    result_.types = std::move(*types);
    const bool drift = std::ranges::any_of(result_.types.columns, &TypeLine::drift);
    add("types",
        drift ? Status(fail({ErrorCode::drift, "compare types", result_.types.unit,
                             "a column does not fit its table without loss",
                             "see the type report; 'on_schema_change' decides what is allowed"}))
              : Status(),
        result_.types.unit.empty() ? "no unit to look at yet"
                                   : fmt::format("of {}", result_.types.unit));
  }

  const Session& session_;
  const Chosen& chosen_;
  CheckResult result_;
};

Json check_json(const Chosen& chosen, const CheckResult& result) {
  Json checks = Json::array();
  Json worst = nullptr;
  for (const Finding& finding : result.findings) {
    checks.push_back({{"check", finding.what},
                      {"ok", !finding.error},
                      {"detail", finding.detail},
                      {"error", finding.error ? error_json(*finding.error) : Json(nullptr)}});
    if (finding.error && exit_code(finding.error->code) == result.code && worst.is_null()) {
      worst = error_json(*finding.error);
    }
  }
  Json types = Json::array();
  for (const TypeLine& line : result.types.columns) {
    types.push_back({{"table", line.table},
                     {"column", line.column},
                     {"file_type", line.file_type},
                     {"table_type", line.table_type},
                     {"lost", line.lost},
                     {"drift", line.drift}});
  }
  return {{"pipeline", chosen.name},   {"feed", chosen.feed}, {"checks", checks},
          {"unit", result.types.unit}, {"types", types},      {"error", worst}};
}

std::string check_text(const Chosen& chosen, const CheckResult& result) {
  std::string text = chosen.name + "\n";
  TextTable table({{"check"}, {"result"}, {""}});
  for (const Finding& finding : result.findings) {
    table.add({finding.what, finding.error ? "FAILED" : "ok", one_line(finding.detail, 120)});
  }
  text += table.render(2);
  if (result.types.columns.empty()) return text;
  TextTable types({{"table"}, {"column"}, {"in the file"}, {"in the table"}, {"lost"}});
  for (const TypeLine& line : result.types.columns) {
    types.add({line.table, one_line(line.column, 60), one_line(line.file_type, 40),
               one_line(line.table_type, 40), line.lost});
  }
  return text + types.render(2);
}

ExitCode run_check(const Session& session, const Selection& selection) {
  const auto chosen = choose(session, selection);
  if (!chosen) return session.refuse(chosen.error());
  ExitCode code = ExitCode::done;
  Json pipelines = Json::array();
  for (const Chosen& one : *chosen) {
    const CheckResult result = Checker(session, one).run();
    session.answer(check_text(one, result));
    for (const Finding& finding : result.findings) {
      if (finding.error) log_error(*finding.error, one.name);
    }
    pipelines.push_back(check_json(one, result));
    code = worse(code, result.code);
  }
  session.document({{"exit_code", std::to_underlying(code)}, {"pipelines", pipelines}});
  return code;
}

}  // namespace

void add_check(const Command& program) {
  const auto selection = std::make_shared<Selection>();
  const Command command =
      program.add("check", "Test configuration, rights and types; loads nothing",
                  "  forebay check\n"
                  "  forebay check carwash --json");
  command.selection(*selection);
  command.runs([selection](const Session& session) { return run_check(session, *selection); });
}

}  // namespace forebay::cli
