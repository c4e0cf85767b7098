#include "support/parquet_maker.h"

#include <duckdb.h>
#include <fmt/core.h>

#include <cstdlib>
#include <mutex>

namespace forebay::test {
namespace {

[[noreturn]] void give_up(const std::string& sql, const char* message) {
  fmt::print(stderr, "test support: {}\nin: {}\n", message ? message : "DuckDB failed", sql);
  std::abort();
}

// A text literal in DuckDB's SQL.
std::string quoted(const std::string& text) {
  std::string literal = "'";
  for (char c : text) literal += c == '\'' ? std::string("''") : std::string(1, c);
  return literal + "'";
}

class Session {
 public:
  Session() {
    if (duckdb_open(nullptr, &database_) == DuckDBError) give_up("open", nullptr);
    if (duckdb_connect(database_, &connection_) == DuckDBError) give_up("connect", nullptr);
    // One thread, so that the same query writes the same bytes every time.
    run("SET threads = 1");
  }
  ~Session() {
    duckdb_disconnect(&connection_);
    duckdb_close(&database_);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void run(const std::string& sql) {
    std::lock_guard lock(mutex_);
    duckdb_result result;
    if (duckdb_query(connection_, sql.c_str(), &result) == DuckDBError) {
      give_up(sql, duckdb_result_error(&result));
    }
    duckdb_destroy_result(&result);
  }

  std::string value(const std::string& sql) {
    std::lock_guard lock(mutex_);
    duckdb_result result;
    if (duckdb_query(connection_, sql.c_str(), &result) == DuckDBError) {
      give_up(sql, duckdb_result_error(&result));
    }
    if (duckdb_column_count(&result) != 1 || duckdb_row_count(&result) != 1) {
      give_up(sql, "expected exactly one value");
    }
    char* text = duckdb_value_varchar(&result, 0, 0);
    std::string value = text ? text : "NULL";
    duckdb_free(text);
    duckdb_destroy_result(&result);
    return value;
  }

 private:
  duckdb_database database_ = nullptr;
  duckdb_connection connection_ = nullptr;
  std::mutex mutex_;
};

// Never closed: at the end of the process the engine's own globals may be gone before it.
Session& session() {
  static Session& session = *new Session;
  return session;
}

}  // namespace

void run_sql(const std::string& sql) { session().run(sql); }

void make_parquet(const std::string& path, const std::string& query, const std::string& options) {
  std::string all = "FORMAT parquet";
  if (!options.empty()) all += ", " + options;
  run_sql(fmt::format("COPY ({}) TO {} ({})", query, quoted(path), all));
}

std::string sql_value(const std::string& query) {
  return session().value(fmt::format("SELECT CAST(COLUMNS(*) AS VARCHAR) FROM ({})", query));
}

}  // namespace forebay::test
