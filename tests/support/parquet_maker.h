#pragma once

#include <string>

namespace forebay::test {

// Makes test files through DuckDB, in one in-memory database that the whole test process shares: a
// table that one call creates is there for the next. Anything that fails ends the process with the
// statement and the engine's message; a test cannot go on without its files. Thread-safe.

// Runs one or more statements; their results are thrown away.
void run_sql(const std::string& sql);

// Writes the rows of `query` to `path` as Parquet. `options` are those of COPY, for example
// "compression zstd, row_group_size 100".
void make_parquet(const std::string& path, const std::string& query,
                  const std::string& options = "");

// The text of the only value of the only row that `query` gives, or "NULL".
std::string sql_value(const std::string& query);

}  // namespace forebay::test
