#include "target/duckdb_file_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "engine/value.h"

namespace forebay {
namespace {

using duckdb::quote;

std::string what(const char* step, const TableChange& change) {
  return fmt::format("{} {}", step, change.table.display());
}

}  // namespace

Result<std::string> rows_once(duckdb::Connection& connection, const TableChange& change,
                              RepeatedRows& again) {
  if (change.once.files.empty()) return change.delta.rows;
  std::vector<std::string> same;
  std::vector<std::string> named;
  for (const std::string& column : change.once.columns) {
    named.push_back(fmt::format("o.{} IS NOT NULL", quote(column)));
    same.push_back(fmt::format("t.{0} = o.{0}", quote(column)));
  }
  const std::string stands = fmt::format(
      "EXISTS (SELECT 1 FROM {0} t WHERE {1}) OR EXISTS (SELECT 1 FROM forebay_once t "
      "WHERE {1} AND t.\"_forebay_at\" < o.\"_forebay_at\")",
      connection.qualify(change.table.schema, change.table.name), fmt::join(same, " AND "));
  RETURN_IF_ERROR(connection.execute(
      fmt::format(
          "CREATE OR REPLACE TEMP TABLE forebay_once AS SELECT row_number() OVER () AS "
          "\"_forebay_at\", * FROM {0};"
          "CREATE OR REPLACE TEMP TABLE forebay_again AS SELECT o.\"_forebay_at\", o.{1} AS "
          "file FROM forebay_once o WHERE o.{1} IN ({2}) AND {3} AND ({4})",
          change.delta.rows, quote(kFileColumn), fmt::join(change.once.files, ", "),
          fmt::join(named, " AND "), stands),
      what("look for rows that stand in", change)));
  ASSIGN_OR_RETURN(const auto rows,
                   connection.query("SELECT file, count(*) FROM forebay_again GROUP BY file",
                                    what("look for rows that stand in", change)));
  for (const auto& row : rows)
    again[duckdb::integer(row[0])] = static_cast<std::uint64_t>(duckdb::integer(row[1]));
  return std::string(
      "(SELECT o.* FROM forebay_once o ANTI JOIN forebay_again USING "
      "(\"_forebay_at\"))");
}

Status count_rows_of_files(duckdb::Connection& connection, const TableChange& change,
                           const RepeatedRows& again) {
  if (change.counts.empty()) return {};
  std::vector<std::string> expected;
  for (const auto& [file_id, rows] : change.counts) {
    const auto repeated = again.find(file_id);
    expected.push_back(fmt::format("({}::BIGINT, {}::BIGINT)", file_id,
                                   rows - (repeated == again.end() ? 0 : repeated->second)));
  }
  ASSIGN_OR_RETURN(
      const auto wrong,
      connection.query(fmt::format("SELECT e.id, e.n, count(t.{0}) FROM (VALUES {1}) e(id, n) "
                                   "LEFT JOIN {2} t ON t.{0} = e.id GROUP BY e.id, e.n "
                                   "HAVING count(t.{0}) <> e.n ORDER BY e.id LIMIT 1",
                                   quote(kFileColumn), fmt::join(expected, ", "),
                                   connection.qualify(change.table.schema, change.table.name)),
                       what("count the rows of", change)));
  if (wrong.empty()) return {};
  return fail({.code = ErrorCode::damaged,
               .operation = what("count the rows of", change),
               .cause = fmt::format("file {} has {} rows, but {} stand in the table",
                                    duckdb::integer(wrong[0][0]), duckdb::integer(wrong[0][1]),
                                    duckdb::integer(wrong[0][2])),
               .hint = "nothing was changed; run again"});
}

}  // namespace forebay
