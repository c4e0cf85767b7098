#pragma once

#include "engine/database.h"
#include "target/sql_session.h"

namespace forebay {

// DuckDB's words.
const SqlDialect& duckdb_dialect();

// A session of a DuckDB connection, which must outlive it.
class DuckdbSession final : public SqlSession {
 public:
  explicit DuckdbSession(duckdb::Connection& connection) : connection_(connection) {}

  const SqlDialect& dialect() const override { return duckdb_dialect(); }
  std::string qualify(std::string_view schema, std::string_view name) const override {
    return connection_.qualify(schema, name);
  }
  Result<std::vector<duckdb::Row>> query(const std::string& sql, std::string_view what) override {
    return connection_.query(sql, what);
  }
  Status query_each(const std::string& sql, std::string_view what,
                    const std::function<Status(duckdb::Row&)>& each) override {
    return connection_.query_each(sql, what, each);
  }
  Result<std::uint64_t> execute(const std::string& sql, std::string_view what) override {
    return connection_.execute(sql, what);
  }
  Status append(std::string_view schema, std::string_view table,
                const std::vector<duckdb::Row>& rows, std::string_view what) override {
    return connection_.append(schema, table, rows, what);
  }
  Result<std::string> list_names(const std::vector<std::string>& names,
                                 std::string_view what) override;
  Result<bool> has(const TableName& table) override;
  Result<std::optional<std::vector<Column>>> columns(const TableName& table) override;

 private:
  duckdb::Connection& connection_;
};

}  // namespace forebay
