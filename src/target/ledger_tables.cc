#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/engine.h"
#include "target/ledger_audit.h"
#include "target/ledger_queries.h"
#include "target/ledger_schema.h"
#include "target/table_versions.h"

// Tables as they stand: the catalog's part and the ledger's.
namespace forebay::ledger {

using duckdb::integer;
using duckdb::literal;
using duckdb::Row;

namespace {

bool is_ours(const Column& column) { return column.name.starts_with("_forebay_"); }

// The terms of a version that stand beside the columns.
void take_version(const SqlDialect& dialect, TableState& state) {
  if (!dialect.has_structures()) {
    for (const Column& column : state.columns) {
      if (auto term = version_term(column.name)) state.version.push_back({*term, column.type});
    }
    return;
  }
  const auto version = std::ranges::find(state.columns, kVersionColumn, &Column::name);
  if (version == state.columns.end()) return;
  const ColumnType& type = version->type;
  for (std::size_t i = 0; i < type.children.size(); ++i)
    state.version.push_back({type.field_names[i], type.children[i]});
}

}  // namespace

Result<TableState> stands(SqlSession& session, const TableName& table) {
  TableState state;
  // A history is a table beside its table.
  ASSIGN_OR_RETURN(auto history, session.columns(history_table(table)));
  state.has_history = history.has_value();
  if (history) state.history_columns = std::move(*history);
  std::erase_if(state.history_columns, is_ours);
  ASSIGN_OR_RETURN(auto columns, session.columns(table));
  if (!columns) return state;
  state.exists = true;
  state.columns = std::move(*columns);
  take_version(session.dialect(), state);
  std::erase_if(state.columns, is_ours);
  ASSIGN_OR_RETURN(const auto rows, session.query("SELECT count(*) FROM " +
                                                      session.qualify(table.schema, table.name),
                                                  "look at " + table.display()));
  state.rows = static_cast<std::uint64_t>(integer(rows[0][0]));
  return state;
}

Status add_history(SqlSession& session, const std::string& pipeline, const TableName& table,
                   TableState& state) {
  ASSIGN_OR_RETURN(
      const auto owners,
      session.query(
          fmt::format("SELECT {} FROM _forebay.pipelines f WHERE f.fact = "
                      "'table' AND lower(f.subject) = lower({}) AND NOT EXISTS (SELECT 1 FROM "
                      "_forebay.resets r WHERE r.pipeline = f.pipeline AND r.subject IN ('', "
                      "f.subject) AND r.commit_no >= f.commit_no)",
                      session.dialect().at_greatest("f.pipeline", {"f.rowid"}),
                      literal(table.display())),
          "read the ledger"));
  state.owner = duckdb::text_or_empty(owners[0][0]);
  ASSIGN_OR_RETURN(
      const auto clears,
      session.query(
          fmt::format("SELECT {} FROM _forebay.clears WHERE "
                      "pipeline = {} AND table_schema = {} AND table_name = {} "
                      "AND commit_no > {}",
                      state.has_history ? "DISTINCT place"
                                        : session.dialect().at_greatest("place", {"place"}),
                      literal(pipeline), literal(table.schema), literal(table.name),
                      reset_commit(pipeline, &table)),
          "read the ledger"));
  for (const Row& row : clears) {
    std::string place = duckdb::text_or_empty(row[0]);
    state.cleared_place = std::max(state.cleared_place, place);
    if (state.has_history) state.snapshots.push_back(std::move(place));
  }
  std::ranges::sort(state.snapshots);
  return {};
}

}  // namespace forebay::ledger
