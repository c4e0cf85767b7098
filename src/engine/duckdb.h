#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "engine/column_type.h"

namespace forebay::duckdb {

// DuckDB behind its C API: the only folder that knows it. Everything here belongs to one thread at a
// time; interrupt() alone may be called from another.

// The version of the library that was found at start, "v2.0.0"; refused unless it is the one this
// program was built for.
std::string library_version();
Status check_library_version();

struct OpenOptions {
  std::string path;  // empty: in memory
  bool read_only = false;
  int threads = 0;                 // 0: as many as the machine has
  std::uint64_t memory_limit = 0;  // bytes; 0: the engine's default
  std::string temp_directory;      // where it spills; empty: beside the file
};

// A cell of a small result. Results that are large stay inside the engine.
using Value = std::variant<std::monostate, bool, std::int64_t, double, std::string>;
using Row = std::vector<Value>;

// Reads a cell that must be there and of that type; anything else is a bug of the query.
const std::string& text(const Value& value);
std::int64_t integer(const Value& value);
std::optional<std::string> optional_text(const Value& value);

// Quoting: an identifier ("a""b"), a text literal ('a''b'), a list of text literals.
std::string quote(std::string_view identifier);
std::string literal(std::string_view text);
std::string blob_literal(std::string_view bytes);

class Database;

// One connection with its transaction state and temporary tables.
class Connection {
 public:
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Runs statements; the rows of the last one. `what` names the operation in errors.
  Result<std::vector<Row>> query(const std::string& sql, std::string_view what);
  // Runs one statement; the rows it changed.
  Result<std::uint64_t> execute(const std::string& sql, std::string_view what);
  // Names and types that a query would give.
  Result<std::vector<Column>> describe(const std::string& sql, std::string_view what);

  // Fills the columns of a table with rows of values, in bulk. Types must fit exactly:
  // std::string for VARCHAR and BLOB, std::int64_t for BIGINT and (microseconds) TIMESTAMPTZ.
  Status append(std::string_view schema, std::string_view table, const std::vector<Row>& rows,
                std::string_view what);

  void interrupt();
  // Share of the running query that is done, 0 to 1; negative: unknown. Callable from any thread.
  double progress() const;

 private:
  friend class Database;
  struct Handle;
  explicit Connection(std::unique_ptr<Handle> handle);
  std::unique_ptr<Handle> handle_;
};

class Database {
 public:
  // busy: another process holds the file (the cause says which); denied: no right to read or write;
  // damaged: not a database, or of a newer format; unavailable: disk full and the like.
  static Result<std::unique_ptr<Database>> open(const OpenOptions& options);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  Result<std::unique_ptr<Connection>> connect();

 private:
  struct Handle;
  explicit Database(std::unique_ptr<Handle> handle);
  std::unique_ptr<Handle> handle_;
};

}  // namespace forebay::duckdb
