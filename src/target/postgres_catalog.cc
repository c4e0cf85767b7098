// Tables as PostgreSQL's catalog shows them, and what their columns are to the engine.

#include <fmt/format.h>

#include "target/ledger_schema.h"
#include "target/postgres_session.h"

namespace forebay {

using duckdb::Row;

Result<bool> PostgresSession::has(const TableName& table) {
  ASSIGN_OR_RETURN(const auto rows,
                   query(fmt::format("SELECT to_regclass({}) IS NOT NULL",
                                     duckdb::literal(qualify(table.schema, table.name))),
                         "look at " + table.display()));
  return duckdb::boolean(rows[0][0]);
}

Result<std::optional<std::vector<Column>>> PostgresSession::columns(const TableName& table) {
  const std::string what = "look at " + table.display();
  ASSIGN_OR_RETURN(
      const auto rows,
      query(fmt::format(
                "SELECT a.attname::text, format_type(a.atttypid, a.atttypmod) FROM pg_attribute a "
                "JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = "
                "c.relnamespace WHERE n.nspname = {} AND c.relname = {} AND c.relkind IN "
                "('r', 'p', 'v', 'm', 'f') AND a.attnum > 0 AND NOT a.attisdropped ORDER BY "
                "a.attnum",
                duckdb::literal(table.schema), duckdb::literal(table.name)),
            what));
  if (rows.empty()) return std::nullopt;
  ASSIGN_OR_RETURN(const auto known, engine_types(table, what));
  std::vector<Column> columns;
  for (const Row& row : rows) {
    const std::string& name = duckdb::text(row[0]);
    const std::string& type = duckdb::text(row[1]);
    const auto engine_type = known.find(name);
    const bool holds = engine_type != known.end() && dialect().type(engine_type->second) == type;
    columns.push_back({name, holds ? engine_type->second : type_from_postgres(type)});
  }
  return columns;
}

// What the columns of a table are to the engine, as the ledger remembers: several of its types may
// stand in one of PostgreSQL's.
Result<std::map<std::string, ColumnType>> PostgresSession::engine_types(const TableName& table,
                                                                        const std::string& what) {
  std::map<std::string, ColumnType> types;
  ASSIGN_OR_RETURN(const bool remembers, has({kLedgerSchema, "column_types"}));
  if (!remembers) return types;
  ASSIGN_OR_RETURN(
      const auto rows,
      query(fmt::format("SELECT column_name, {} FROM _forebay.column_types WHERE table_schema = {} "
                        "AND table_name = {} GROUP BY column_name",
                        dialect().at_greatest("type", {"rowid"}), duckdb::literal(table.schema),
                        duckdb::literal(table.name)),
            what));
  std::vector<std::string> names;
  for (const Row& row : rows) names.push_back(duckdb::text(row[1]));
  ASSIGN_OR_RETURN(const auto read, read_types_(names));
  for (std::size_t i = 0; i < rows.size(); ++i) types.emplace(duckdb::text(rows[i][0]), read[i]);
  return types;
}

}  // namespace forebay
