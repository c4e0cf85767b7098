// Names and texts in SQL: DuckDB gives back what was quoted.
#include <fmt/format.h>

#include "base/utf8.h"
#include "engine/database.h"
#include "fuzz/fuzz.h"

namespace forebay::test {

FOREBAY_FUZZ(sql_text) {
  // Never closed: at the end of a process the library's own parts may have gone before it.
  static duckdb::Database& database = *duckdb::Database::open({.threads = 1})->release();
  static duckdb::Connection& connection = *database.connect()->release();
  if (input.size() > 2000) return;
  const auto bytes =
      connection.query("SELECT " + duckdb::blob_literal(input) + "::BLOB", "read bytes");
  must(bytes && duckdb::text((*bytes)[0][0]) == input, "bytes lead back");
  if (!is_utf8(input)) return;
  const auto text = connection.query("SELECT " + duckdb::literal(input), "read a text");
  must(text && duckdb::text((*text)[0][0]) == input, "a text leads back");
  if (input.empty() || input.find('\0') != std::string_view::npos) return;
  const auto named =
      connection.describe(fmt::format("SELECT 1 AS {}", duckdb::quote(input)), "read a name");
  must(named && named->at(0).name == input, "a name leads back");
}

}  // namespace forebay::test
