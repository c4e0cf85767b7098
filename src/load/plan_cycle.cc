#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/executor.h"
#include "base/limits.h"
#include "engine/time_sql.h"
#include "engine/value.h"
#include "load/cycle.h"
#include "load/discover.h"
#include "load/evolve.h"
#include "load/fetch.h"
#include "load/identity.h"
#include "load/peek.h"
#include "load/ranged_download.h"
#include "load/requests.h"
#include "load/window_prune.h"

namespace forebay {
namespace {

class Planner {
 public:
  Planner(const Pipeline& pipeline, const CycleOptions& options, Clock& clock)
      : pipeline_(pipeline), options_(options), clock_(clock) {}

  Result<Plan> run();

 private:
  void read_units(std::vector<PlannedUnit>& units);
  std::string obstacle(const PlannedUnit& unit, const UnitContent& content) const;
  void expect_files(const PlannedUnit& unit, const UnitContent& content);
  void add_content(Plan::Unit& planned, const UnitContent& content);
  void plan_tables(const LedgerHead& head);
  Status plan_table(const LedgerHead& head, const TableName& table,
                    const std::vector<UnitFile>& files);
  void plan_shape(const TableName& table, const TableState& state, const Evolution& evolution);
  void plan_rows(const TableName& table, const TableState& state,
                 const std::vector<UnitFile>& files);
  void add(const TableName& table, std::string sql);

  const Pipeline& pipeline_;
  const CycleOptions& options_;
  Clock& clock_;
  Plan plan_;
  std::map<std::string, std::vector<UnitFile>> by_table_;
  std::map<std::string, std::string> guesses_;  // by table: what its documents chose
  std::string where_;                           // which rows a window takes
  std::string stop_;                            // the unit at which an ordered feed would stop
};

// Nothing when a file does not say.
std::optional<std::uint64_t> sum_of(const std::vector<UnitFile>& files,
                                    std::optional<std::uint64_t> UnitFile::* member) {
  std::uint64_t sum = 0;
  for (const UnitFile& file : files) {
    if (!(file.*member)) return std::nullopt;
    sum += *(file.*member);
  }
  return sum;
}

// What keeps a due unit from being loaded after all, as the load would find out; empty: nothing.
std::string Planner::obstacle(const PlannedUnit& unit, const UnitContent& content) const {
  if (!stop_.empty()) return "behind " + stop_ + ", at which the load would stop";
  if (options_.until && time_of(unit, content) > *options_.until) return "later than --until";
  return {};
}

// What a unit brings; a changed one brings rows only where the policy says so.
void Planner::add_content(Plan::Unit& planned, const UnitContent& content) {
  planned.kind = content.kind;
  planned.files = content.files.size();
  planned.rows = sum_of(content.files, &UnitFile::rows);
  planned.bytes = pipeline_.feed.unit.kind != UnitKind::document
                      ? planned.unit.object.size
                      : sum_of(content.files, &UnitFile::size);
  if (!planned.unit.passed_over.empty()) return;
  const bool changed = planned.unit.standing == Standing::changed;
  const OnRewrite policy = pipeline_.feed.on_rewrite;
  if (changed && policy == OnRewrite::warn) {
    planned.unit.why += "; the old rows stay (on_rewrite: warn)";
  } else if (changed && policy == OnRewrite::stop) {
    planned.unit.why += "; refused unless its content is the same (on_rewrite: stop)";
    if (pipeline_.feed.ordered()) stop_ = planned.unit.name.name;
  } else {
    for (const UnitFile& file : content.files) {
      by_table_[file.table].push_back(file);
      guesses_[file.table] = content.guess;
    }
  }
}

// The requests and bytes of a unit's files.
void Planner::expect_files(const PlannedUnit& unit, const UnitContent& content) {
  const bool listed = pipeline_.feed.unit.kind != UnitKind::document;
  for (const UnitFile& file : content.files) {
    const std::uint64_t size = size_to_fetch(unit, file, listed);
    plan_.expected += requests_to_fetch(pipeline_, size, listed);
    plan_.expected_bytes += size;
  }
}

// What each unit says. At a document that cannot be read an ordered feed would stop.
void Planner::read_units(std::vector<PlannedUnit>& units) {
  std::vector<const PlannedUnit*> due;
  for (const PlannedUnit& unit : units) {
    if (options_.max_units && due.size() == *options_.max_units) break;
    if (unit.due()) due.push_back(&unit);
  }
  ThreadExecutor executor(static_cast<std::size_t>(pipeline_.fetch_threads));
  auto contents = read_contents(pipeline_, due, executor);
  std::size_t next = 0;
  for (PlannedUnit& unit : units) {
    Plan::Unit planned{.unit = unit};
    if (unit.due() && next < contents.size()) {
      const auto& content = contents[next++];
      const std::string obstacle = this->obstacle(unit, content.value_or(UnitContent{}));
      if (!obstacle.empty()) {
        planned.unit.standing = unit.standing = Standing::waiting;
        planned.unit.why = unit.why = obstacle;
      } else if (content) {
        add_content(planned, *content);
      } else {
        plan_.warnings.push_back(describe(content.error()));
        if (pipeline_.feed.ordered()) stop_ = unit.name.name;
      }
      if (obstacle.empty() && unit.passed_over.empty() && content) expect_files(unit, *content);
    }
    plan_.units.push_back(std::move(planned));
  }
}

void Planner::add(const TableName& table, std::string sql) {
  plan_.statements.push_back({.table = table.display(), .sql = std::move(sql)});
}

void Planner::plan_shape(const TableName& table, const TableState& state,
                         const Evolution& evolution) {
  const std::string name = duckdb::quote(table.schema, table.name);
  if (!state.exists) {
    std::string columns;
    for (const Column& column : evolution.columns)
      columns += fmt::format("{} {}, ", duckdb::quote(column.name), to_sql(column.type));
    add(table, fmt::format("CREATE TABLE {} ({}\"{}\" BIGINT)", name, columns, kFileColumn));
    return;
  }
  for (const Column& column : evolution.added)
    add(table, fmt::format("ALTER TABLE {} ADD COLUMN {} {}", name, duckdb::quote(column.name),
                           to_sql(column.type)));
  for (const Column& column : evolution.retyped)
    add(table, fmt::format("ALTER TABLE {} ALTER COLUMN {} SET DATA TYPE {}", name,
                           duckdb::quote(column.name), to_sql(column.type)));
}

// What the rows do. `delta` stands for the last action of each key in the files of the table.
void Planner::plan_rows(const TableName& table, const TableState& state,
                        const std::vector<UnitFile>& files) {
  const std::string name = duckdb::quote(table.schema, table.name);
  const bool clears =
      std::ranges::any_of(files, [](const UnitFile& file) { return file.effect.clear_table; });
  const RowRule& rows = pipeline_.feed.of(table.name, guesses_.at(table.name)).rows;
  const std::vector<std::string>& key = rows.key;
  if (clears && state.exists) add(table, fmt::format("DELETE FROM {}", name));
  if (key.empty()) {
    add(table, fmt::format("INSERT INTO {} SELECT * FROM read_parquet([{} files]){}", name,
                           files.size(), where_));
    return;
  }
  if (!clears && state.exists) {
    std::vector<std::string> terms;
    for (const std::string& column : key)
      terms.push_back(fmt::format("t.{0} = d.{0}", duckdb::quote(column)));
    add(table,
        fmt::format("DELETE FROM {} t USING delta d WHERE {}", name, fmt::join(terms, " AND ")));
  }
  add(table, fmt::format("INSERT INTO {} SELECT * FROM delta{}", name,
                         rows.deletes.none() ? "" : " WHERE NOT deleted"));
}

Status Planner::plan_table(const LedgerHead& head, const TableName& table,
                           const std::vector<UnitFile>& files) {
  ASSIGN_OR_RETURN(auto states, pipeline_.target->describe(pipeline_.name, {table}));
  states[0].names = column_names(head, table);
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
  ASSIGN_OR_RETURN(const Evolution evolution,
                   evolve(table, states[0], pipeline_.feed.of(table.name, guesses_.at(table.name)),
                          schemas, {}, *pipeline_.target));
  if (pipeline_.feed.windowed()) {
    ASSIGN_OR_RETURN(WindowPlan window, plan_window(pipeline_, head, table, evolution, peeked));
    if (window.filter) where_ = " WHERE " + duckdb::filter_sql(*window.filter);
    if (!window.skipped.empty()) plan_.warnings.push_back(std::move(window.skipped));
  }
  plan_shape(table, states[0], evolution);
  plan_rows(table, states[0], files);
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
  plan_.warnings = plan_.discovery.warnings;
  read_units(plan_.discovery.units);
  // Up to here a load does the same.
  plan_.expected += pipeline_.store->requests() - before;
  plan_tables(head);
  plan_.made = pipeline_.store->requests() - before;
  return std::move(plan_);
}

}  // namespace

Result<Plan> plan_cycle(const Pipeline& pipeline, const CycleOptions& options, Clock& clock) {
  return Planner(pipeline, options, clock).run();
}

}  // namespace forebay
