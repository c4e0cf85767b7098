#include "target/duckdb_session.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/ascii.h"
#include "engine/time_sql.h"

namespace forebay {
namespace {

class DuckdbDialect final : public SqlDialect {
 public:
  LedgerWords ledger_words() const override {
    return {.text = "VARCHAR",
            .bytes = "BLOB",
            .real = "DOUBLE",
            .row = "",
            .view = "VIEW IF NOT EXISTS",
            .group_json = "json_group_object",
            .more = ""};
  }
  std::string type(const ColumnType& type) const override { return to_sql(type); }
  std::string bytes(std::string_view bytes) const override { return duckdb::blob_literal(bytes); }
  std::string time(Time time) const override { return duckdb::time_literal(time); }
  std::string micros(const std::string& time) const override {
    return fmt::format("epoch_us({})", time);
  }
  std::string at_greatest(const std::string& value,
                          const std::vector<std::string>& by) const override {
    if (by.size() > 1) return fmt::format("arg_max({}, ROW({}))", value, fmt::join(by, ", "));
    if (by.front() == value) return fmt::format("max({})", value);
    return fmt::format("arg_max({}, {})", value, by.front());
  }
  std::string at_least(const std::string& value, const std::string& by) const override {
    return fmt::format("arg_min({}, {})", value, by);
  }
  std::string temporary(const std::string& name, const std::string& select) const override {
    return fmt::format("CREATE OR REPLACE TEMP TABLE {} AS {}", name, select);
  }
  std::string temporary_columns(const std::string& name,
                                const std::string& columns) const override {
    return fmt::format("CREATE OR REPLACE TEMP TABLE {} ({})", name, columns);
  }
  std::string temporary_schema() const override { return "temp"; }
  std::string any(const std::string& value) const override {
    return fmt::format("any_value({})", value);
  }
  std::string repeat(const std::string& times) const override {
    return fmt::format("unnest(range({}))", times);
  }
  std::string range(const TimeRange& range, const std::string& alias) const override {
    return duckdb::range_sql(range, alias);
  }
  std::string before(const TimeAxis& axis, std::int64_t ticks) const override {
    return duckdb::before_sql(axis, ticks);
  }
  std::string row_place(const std::string& alias) const override { return alias + "rowid"; }
  bool hides_place(std::string_view column) const override {
    return equal_ignoring_case(column, "rowid");
  }
  bool has_structures() const override { return true; }
  std::string plain(const ColumnType& /*type*/, const std::string& value) const override {
    return value;
  }
  std::string plain_type(const ColumnType& type) const override { return to_sql(type); }
  std::string comparable(const OrderTerm& term, const std::string& value) const override {
    return duckdb::comparable_sql(term, value);
  }
  std::string retype(const std::string& table, const Column& column) const override {
    return fmt::format("ALTER TABLE {} ALTER COLUMN {} SET DATA TYPE {}", table,
                       duckdb::quote(column.name), to_sql(column.type));
  }
};

}  // namespace

const SqlDialect& duckdb_dialect() {
  static const DuckdbDialect dialect;
  return dialect;
}

Result<std::string> DuckdbSession::list_names(const std::vector<std::string>& names,
                                              std::string_view what) {
  RETURN_IF_ERROR(connection_.execute(
      "CREATE OR REPLACE TEMP TABLE forebay_names (unit VARCHAR NOT NULL)", what));
  RETURN_IF_ERROR(connection_.append_texts("forebay_names", names, what));
  return "forebay_names";
}

// Names of tables are compared without regard to case, as DuckDB does.
Result<bool> DuckdbSession::has(const TableName& table) {
  if (const auto known = connection_.has_table(table.schema, table.name)) return *known;
  ASSIGN_OR_RETURN(
      const auto found,
      connection_.query(fmt::format("SELECT count(*) FROM (SELECT schema_name, table_name "
                                    "FROM duckdb_tables() UNION ALL SELECT schema_name, "
                                    "view_name FROM duckdb_views()) t(s, n) "
                                    "WHERE s = {} AND lower(n) = lower({})",
                                    duckdb::literal(table.schema), duckdb::literal(table.name)),
                        "look at " + table.display()));
  return duckdb::integer(found[0][0]) > 0;
}

Result<std::optional<std::vector<Column>>> DuckdbSession::columns(const TableName& table) {
  ASSIGN_OR_RETURN(const bool stands, has(table));
  if (!stands) return std::nullopt;
  ASSIGN_OR_RETURN(
      auto columns,
      connection_.describe("SELECT * FROM " + connection_.qualify(table.schema, table.name),
                           "look at " + table.display()));
  return columns;
}

}  // namespace forebay
