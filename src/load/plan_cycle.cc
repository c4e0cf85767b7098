#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/executor.h"
#include "base/limits.h"
#include "engine/value.h"
#include "load/cycle.h"
#include "load/discover.h"
#include "load/evolve.h"
#include "load/fetch.h"
#include "load/identity.h"
#include "load/peek.h"

namespace forebay {
namespace {

class Planner {
 public:
  Planner(const Pipeline& pipeline, const CycleOptions& options, Clock& clock)
      : pipeline_(pipeline), options_(options), clock_(clock) {}

  Result<Plan> run();

 private:
  void read_units(std::vector<PlannedUnit>& units);
  void plan_tables(const LedgerHead& head);
  Status plan_table(const LedgerHead& head, const TableName& table,
                    const std::vector<UnitFile>& files);
  void describe_change(const TableName& table, const TableState& state, const Evolution& evolution);

  const Pipeline& pipeline_;
  const CycleOptions& options_;
  Clock& clock_;
  Plan plan_;
  std::map<std::string, std::vector<UnitFile>> by_table_;
};

// What each unit says; a document that cannot be read is said so, and the rest is planned.
void Planner::read_units(std::vector<PlannedUnit>& units) {
  std::vector<const PlannedUnit*> due;
  for (const PlannedUnit& unit : units) {
    if (options_.max_units && due.size() == *options_.max_units) break;
    if (unit.due()) due.push_back(&unit);
  }
  ThreadExecutor executor(static_cast<std::size_t>(pipeline_.fetch_threads));
  auto contents = read_contents(pipeline_, due, executor);
  std::size_t next = 0;
  for (const PlannedUnit& unit : units) {
    Plan::Unit planned{.unit = unit};
    if (unit.due() && next < contents.size()) {
      auto& content = contents[next++];
      if (content) {
        planned.kind = content->kind;
        planned.files = content->files.size();
        for (const UnitFile& file : content->files) {
          planned.rows += file.rows.value_or(0);
          planned.bytes += file.size.value_or(0);
          by_table_[file.table].push_back(file);
        }
      } else {
        plan_.warnings.push_back(describe(content.error()));
      }
      plan_.expected_gets +=
          planned.files + (pipeline_.feed.unit.kind == UnitKind::document ? 1 : 0);
    }
    plan_.units.push_back(std::move(planned));
  }
}

void Planner::describe_change(const TableName& table, const TableState& state,
                              const Evolution& evolution) {
  const std::string name = duckdb::quote(table.schema, table.name);
  const auto add = [&](std::string sql) {
    plan_.ddl.push_back({.table = table.display(), .sql = std::move(sql)});
  };
  if (!state.exists) {
    std::string columns;
    for (const Column& column : evolution.columns)
      columns += fmt::format("{} {}, ", duckdb::quote(column.name), to_sql(column.type));
    add(fmt::format("CREATE TABLE {} ({}\"{}\" BIGINT)", name, columns, kFileColumn));
    return;
  }
  for (const Column& column : evolution.added)
    add(fmt::format("ALTER TABLE {} ADD COLUMN {} {}", name, duckdb::quote(column.name),
                    to_sql(column.type)));
  for (const Column& column : evolution.retyped)
    add(fmt::format("ALTER TABLE {} ALTER COLUMN {} SET DATA TYPE {}", name,
                    duckdb::quote(column.name), to_sql(column.type)));
}

Status Planner::plan_table(const LedgerHead& head, const TableName& table,
                           const std::vector<UnitFile>& files) {
  ASSIGN_OR_RETURN(const auto states, pipeline_.target->describe(pipeline_.name, {table}));
  RETURN_IF_ERROR(check_tables(pipeline_, head, {table}, states));
  std::vector<StagedFile> peeked;
  const std::size_t first = files.size() > kPeekFiles ? files.size() - kPeekFiles : 0;
  for (std::size_t i = first; i < files.size(); ++i) {
    ASSIGN_OR_RETURN(auto file, peek_file(pipeline_, files[i]));
    if (file) {
      peeked.push_back(std::move(*file));
    } else {
      plan_.warnings.push_back(fmt::format("{}: its columns show only when it is loaded",
                                           pipeline_.store->display(files[i].key)));
    }
  }
  if (peeked.empty()) return {};
  std::vector<const StagedFile*> pointers;
  for (const StagedFile& file : peeked) pointers.push_back(&file);
  ASSIGN_OR_RETURN(const auto schemas, file_schemas(pointers, pipeline_.target->engine()));
  ASSIGN_OR_RETURN(
      const Evolution evolution,
      evolve(table, states[0], pipeline_.feed, schemas, {}, [&](const std::string& column) {
        return pipeline_.target->column_is_all_null(table, column);
      }));
  describe_change(table, states[0], evolution);
  std::ranges::copy(evolution.warnings, std::back_inserter(plan_.warnings));
  return {};
}

void Planner::plan_tables(const LedgerHead& head) {
  for (const auto& [name, files] : by_table_) {
    const TableName table{pipeline_.schema, name};
    if (const Status planned = plan_table(head, table, files); !planned)
      plan_.warnings.push_back(describe(planned.error()));
  }
}

Result<Plan> Planner::run() {
  const RequestCounts before = pipeline_.store->requests();
  plan_.pipeline = pipeline_.name;
  Progress silent;
  ASSIGN_OR_RETURN(const LedgerHead head, pipeline_.target->head(pipeline_.name));
  RETURN_IF_ERROR(check_identity(pipeline_, head));
  Settling nothing_seen;
  ASSIGN_OR_RETURN(plan_.discovery,
                   discover(pipeline_, head, options_, nothing_seen, clock_.now(), silent));
  read_units(plan_.discovery.units);
  plan_tables(head);
  const RequestCounts after = pipeline_.store->requests();
  plan_.made = {.list = after.list - before.list,
                .get = after.get - before.get,
                .head = after.head - before.head,
                .other = after.other - before.other};
  return std::move(plan_);
}

}  // namespace

Result<Plan> plan_cycle(const Pipeline& pipeline, const CycleOptions& options, Clock& clock) {
  return Planner(pipeline, options, clock).run();
}

}  // namespace forebay
