#pragma once

#include <functional>
#include <map>
#include <memory>

#include "target/sql_session.h"

struct pg_conn;
struct pg_result;

namespace forebay {

// PostgreSQL's words.
const SqlDialect& postgres_dialect();

// The type of the engine that a column of PostgreSQL's type holds, as far as nothing else is known.
ColumnType type_from_postgres(std::string_view postgres_type);

// Where a database is, as people may see it: no user, no password. invalid_config: this is no
// address.
Result<std::string> postgres_display(const std::string& url);

// A connection to PostgreSQL. One thread at a time.
//
// Errors: busy (a unique key, a deadlock, a serialization failure), denied (rights, a server that
// only reads), unavailable (connection, disk, memory, time-outs), refused (a value that PostgreSQL
// cannot hold), interrupted (SIGTERM; never between begin_commit and its answer), internal. No
// message holds a password.
class PostgresSession final : public SqlSession {
 public:
  // Reads the names of engine types, as ledger and DuckDB write them.
  using ReadTypes =
      std::function<Result<std::vector<ColumnType>>(const std::vector<std::string>& names)>;

  // `url`: a URL or name=value pairs, as libpq takes them; what they leave out comes from PG*
  // variables, the service file and ~/.pgpass.
  static Result<std::unique_ptr<PostgresSession>> connect(const std::string& url,
                                                          ReadTypes read_types);
  ~PostgresSession() override;
  PostgresSession(const PostgresSession&) = delete;
  PostgresSession& operator=(const PostgresSession&) = delete;

  const SqlDialect& dialect() const override { return postgres_dialect(); }
  std::string qualify(std::string_view schema, std::string_view name) const override {
    return duckdb::quote(schema, name);
  }
  Result<std::vector<duckdb::Row>> query(const std::string& sql, std::string_view what) override;
  Status query_each(const std::string& sql, std::string_view what,
                    const std::function<Status(duckdb::Row&)>& each) override;
  Result<std::uint64_t> execute(const std::string& sql, std::string_view what) override;
  Status append(std::string_view schema, std::string_view table,
                const std::vector<duckdb::Row>& rows, std::string_view what) override;
  Result<std::string> list_names(const std::vector<std::string>& names,
                                 std::string_view what) override;
  Result<bool> has(const TableName& table) override;
  Result<std::optional<std::vector<Column>>> columns(const TableName& table) override;

  // Like execute, but a request to stop does not interrupt it: for COMMIT.
  Status execute_uninterrupted(const std::string& sql, std::string_view what);

  // COPY … FROM STDIN: begin, any number of pieces, end. After an error the copy is over.
  Status begin_copy(const std::string& sql, std::string_view what);
  Status copy(std::string_view bytes, std::string_view what);
  Status end_copy(std::string_view what);
  void abort_copy();

  // "PostgreSQL 15.18".
  std::string server() const;

 private:
  struct CloseConnection {
    void operator()(pg_conn* connection) const;
  };
  struct FreeResult {
    void operator()(pg_result* result) const;
  };
  using Answer = std::unique_ptr<pg_result, FreeResult>;

  PostgresSession() = default;
  Result<Answer> run(const std::string& sql, std::string_view what);
  Result<Answer> answer(std::string_view what);
  Status wait(std::string_view what);
  Error error(const pg_result* result, std::string_view what) const;
  Result<std::vector<std::string>> column_types(const std::string& table, std::string& names,
                                                std::string_view what);
  Result<std::map<std::string, ColumnType>> engine_types(const TableName& table,
                                                         const std::string& what);

  std::unique_ptr<pg_conn, CloseConnection> connection_;
  ReadTypes read_types_;
  bool shielded_ = false;
};

}  // namespace forebay
