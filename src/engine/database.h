#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/column_type.h"
#include "engine/value.h"

namespace forebay::duckdb {

// DuckDB behind its C API; src/engine is the only folder that knows it.

// "v2.0.0": of the library that was found at start.
std::string library_version();
// invalid_config unless the library is the one this program was built for.
Status check_library_version();

struct OpenOptions {
  std::string path;  // empty: in memory
  bool read_only = false;
  int threads = 0;                 // 0: as many as the machine has
  std::uint64_t memory_limit = 0;  // bytes; 0: the engine's default
  std::string spill_folder;        // empty: beside the file
};

// One connection with its transaction and temporary tables. Belongs to one thread at a time.
//
// Errors of all methods: interrupted (SIGTERM; never inside uninterrupted()), busy (a unique key of
// the ledger is taken), drift (a value that does not survive a cast), denied, unavailable (disk,
// memory), damaged (the reader refuses bytes of a file), internal.
class Connection {
 public:
  struct Handle;
  explicit Connection(std::unique_ptr<Handle> handle);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // A table's whole name, quoted: two parts are not enough where a schema is named like the file.
  std::string qualify(std::string_view schema, std::string_view name) const;

  // Whether there is a table of that name, in whatever case. Null: unknown, and a query of the
  // catalog tells; that costs ten milliseconds when it is the process's first.
  std::optional<bool> has_table(const std::string& schema, const std::string& name);

  // Runs statements and gives the rows of the last one. `what` names the operation in errors.
  Result<std::vector<Row>> query(const std::string& sql, std::string_view what);
  // The same for a result that is large: hands over one row at a time, to be moved from.
  Status query_each(const std::string& sql, std::string_view what,
                    const std::function<Status(Row&)>& each);
  // The same for one column of hash(), each handed over, but for nulls: those are counted.
  Result<std::uint64_t> query_hashes(const std::string& sql, std::string_view what,
                                     const std::function<void(std::uint64_t)>& each);
  // Runs statements and gives the number of rows that the last one changed.
  Result<std::uint64_t> execute(const std::string& sql, std::string_view what);
  // Names and types of a query's columns, without running it.
  Result<std::vector<Column>> describe(const std::string& sql, std::string_view what);

  // Appends rows in bulk; each value must fit its column: std::string for VARCHAR and BLOB,
  // std::int64_t for BIGINT, and for TIMESTAMPTZ microseconds. `schema` empty: a temporary table.
  Status append(std::string_view schema, std::string_view table, const std::vector<Row>& rows,
                std::string_view what);
  // The same for a temporary table of one VARCHAR.
  Status append_texts(std::string_view table, std::span<const std::string> texts,
                      std::string_view what);

  // Like execute, but a request to stop does not interrupt it: for COMMIT and CHECKPOINT.
  Result<std::uint64_t> execute_uninterrupted(const std::string& sql, std::string_view what);

 private:
  std::unique_ptr<Handle> handle_;
};

// An open database. Lives longer than its connections.
class Database {
 public:
  // busy: another process holds the file, and the cause says which; denied; not_found (read-only
  // and missing); damaged: not a database, or of a newer format; unavailable: disk full and the
  // like.
  static Result<std::unique_ptr<Database>> open(const OpenOptions& options);

  struct Handle;
  explicit Database(std::unique_ptr<Handle> handle);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  Result<std::unique_ptr<Connection>> connect();

 private:
  std::unique_ptr<Handle> handle_;
};

}  // namespace forebay::duckdb
