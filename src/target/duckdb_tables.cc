#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/engine.h"
#include "target/duckdb_audit.h"
#include "target/duckdb_ledger.h"
#include "target/ledger_schema.h"

// Tables as they stand: the catalog's part and the ledger's.
namespace forebay::ledger {

using duckdb::integer;
using duckdb::literal;
using duckdb::Row;

namespace {

bool is_ours(const Column& column) { return column.name.starts_with("_forebay_"); }

void take_version(TableState& state) {
  const auto version = std::ranges::find(state.columns, kVersionColumn, &Column::name);
  if (version == state.columns.end()) return;
  const ColumnType& type = version->type;
  for (std::size_t i = 0; i < type.children.size(); ++i)
    state.version.push_back({type.field_names[i], type.children[i]});
}

Result<bool> is_table(duckdb::Connection& connection, const TableName& table) {
  if (const auto known = connection.has_table(table.schema, table.name)) return *known;
  ASSIGN_OR_RETURN(
      const auto found,
      connection.query(fmt::format("SELECT count(*) FROM duckdb_tables() WHERE schema_name = {} "
                                   "AND lower(table_name) = lower({})",
                                   literal(table.schema), literal(table.name)),
                       "look at " + table.display()));
  return integer(found[0][0]) > 0;
}

Result<bool> is_table_or_view(duckdb::Connection& connection, const TableName& table) {
  if (const auto known = connection.has_table(table.schema, table.name)) return *known;
  ASSIGN_OR_RETURN(
      const auto found,
      connection.query(fmt::format("SELECT count(*) FROM (SELECT schema_name, table_name "
                                   "FROM duckdb_tables() UNION ALL SELECT schema_name, "
                                   "view_name FROM duckdb_views()) t(s, n) "
                                   "WHERE s = {} AND lower(n) = lower({})",
                                   literal(table.schema), literal(table.name)),
                       "look at " + table.display()));
  return integer(found[0][0]) > 0;
}

// A history is a table beside its table.
Status add_own_history(duckdb::Connection& connection, const TableName& table, TableState& state) {
  const TableName history = history_table(table);
  ASSIGN_OR_RETURN(state.has_history, is_table(connection, history));
  if (!state.has_history) return {};
  ASSIGN_OR_RETURN(
      state.history_columns,
      connection.describe("SELECT * FROM " + connection.qualify(history.schema, history.name),
                          "look at " + history.display()));
  std::erase_if(state.history_columns, is_ours);
  return {};
}

}  // namespace

Result<TableState> stands(duckdb::Connection& connection, const TableName& table) {
  ASSIGN_OR_RETURN(const bool stands, is_table_or_view(connection, table));
  TableState state;
  RETURN_IF_ERROR(add_own_history(connection, table, state));
  if (!stands) return state;
  state.exists = true;
  const std::string name = connection.qualify(table.schema, table.name);
  ASSIGN_OR_RETURN(state.columns,
                   connection.describe("SELECT * FROM " + name, "look at " + table.display()));
  take_version(state);
  std::erase_if(state.columns, is_ours);
  ASSIGN_OR_RETURN(const auto rows,
                   connection.query("SELECT count(*) FROM " + name, "look at " + table.display()));
  state.rows = static_cast<std::uint64_t>(integer(rows[0][0]));
  return state;
}

Status add_history(duckdb::Connection& connection, const std::string& pipeline,
                   const TableName& table, TableState& state) {
  ASSIGN_OR_RETURN(
      const auto owners,
      connection.query(
          fmt::format(
              "SELECT arg_max(f.pipeline, f.rowid) FROM _forebay.pipelines f WHERE f.fact = "
              "'table' AND lower(f.subject) = lower({}) AND NOT EXISTS (FROM "
              "_forebay.resets r WHERE r.pipeline = f.pipeline AND r.subject IN ('', "
              "f.subject) AND r.commit_no >= f.commit_no)",
              literal(table.display())),
          "read the ledger"));
  state.owner = duckdb::text_or_empty(owners[0][0]);
  ASSIGN_OR_RETURN(
      const auto clears,
      connection.query(
          fmt::format("SELECT {} FROM _forebay.clears WHERE "
                      "pipeline = {} AND table_schema = {} AND table_name = {} "
                      "AND commit_no > {}",
                      state.has_history ? "DISTINCT place" : "max(place)", literal(pipeline),
                      literal(table.schema), literal(table.name), reset_commit(pipeline, &table)),
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
