#include "target/table_file_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "engine/value.h"

namespace forebay {
namespace {

using duckdb::quote;

std::string what(const char* step, const TableChange& change) {
  return fmt::format("{} {}", step, change.table.display());
}

}  // namespace

Result<std::string> rows_once(SqlSession& session, const TableChange& change, RepeatedRows& again) {
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
      session.qualify(change.table.schema, change.table.name), fmt::join(same, " AND "));
  RETURN_IF_ERROR(session.execute(
      session.dialect().temporary(
          "forebay_once",
          fmt::format("SELECT row_number() OVER () AS \"_forebay_at\", r.* FROM {} r",
                      change.delta.rows)) +
          ";" +
          session.dialect().temporary(
              "forebay_again",
              fmt::format("SELECT o.\"_forebay_at\", o.{0} AS file FROM forebay_once o "
                          "WHERE o.{0} IN ({1}) AND {2} AND ({3})",
                          quote(kFileColumn), fmt::join(change.once.files, ", "),
                          fmt::join(named, " AND "), stands)),
      what("look for rows that stand in", change)));
  ASSIGN_OR_RETURN(const auto rows,
                   session.query("SELECT file, count(*) FROM forebay_again GROUP BY file",
                                 what("look for rows that stand in", change)));
  for (const auto& row : rows)
    again[duckdb::integer(row[0])] = static_cast<std::uint64_t>(duckdb::integer(row[1]));
  return std::string(
      "(SELECT o.* FROM forebay_once o WHERE NOT EXISTS (SELECT 1 FROM forebay_again a "
      "WHERE a.\"_forebay_at\" = o.\"_forebay_at\"))");
}

Status count_rows_of_files(SqlSession& session, const TableChange& change,
                           const RepeatedRows& again) {
  if (change.counts.empty()) return {};
  std::map<std::int64_t, std::uint64_t> expected(change.counts.begin(), change.counts.end());
  for (const auto& [file_id, rows] : again) {
    if (const auto file = expected.find(file_id); file != expected.end()) file->second -= rows;
  }
  ASSIGN_OR_RETURN(
      const auto found,
      session.query(
          fmt::format("SELECT {0}, count(*) FROM {1} WHERE {0} BETWEEN {2} AND {3} "
                      "GROUP BY {0}",
                      quote(kFileColumn), session.qualify(change.table.schema, change.table.name),
                      expected.begin()->first, expected.rbegin()->first),
          what("count the rows of", change)));
  std::map<std::int64_t, std::uint64_t> standing;
  for (const auto& row : found)
    standing[duckdb::integer(row[0])] = static_cast<std::uint64_t>(duckdb::integer(row[1]));
  for (const auto& [file_id, rows] : expected) {
    const auto file = standing.find(file_id);
    const std::uint64_t stand = file == standing.end() ? 0 : file->second;
    if (stand == rows) continue;
    return fail({.code = ErrorCode::damaged,
                 .operation = what("count the rows of", change),
                 .cause = fmt::format("file {} has {} rows, but {} stand in the table", file_id,
                                      rows, stand),
                 .hint = "nothing was changed; run again"});
  }
  return {};
}

Result<bool> has_rows(SqlSession& session, const TableName& table,
                      const std::vector<std::int64_t>& files, const std::string& relation,
                      const std::vector<std::string>& columns) {
  std::vector<std::string> quoted;
  for (const std::string& column : columns) quoted.push_back(quote(column));
  const std::string names = fmt::format("{}", fmt::join(quoted, ", "));
  ASSIGN_OR_RETURN(
      const auto rows,
      session.query(
          fmt::format("SELECT count(*) = 0 FROM (SELECT 1 FROM (SELECT {0}, 1 AS \"_forebay_n\" "
                      "FROM {1} UNION ALL SELECT {0}, -1 FROM {2} WHERE {3} IN ({4})) b "
                      "GROUP BY {0} HAVING sum(\"_forebay_n\") <> 0) v",
                      names, relation, session.qualify(table.schema, table.name),
                      quote(kFileColumn), fmt::join(files, ", ")),
          "compare rows of " + table.display()));
  return duckdb::boolean(rows[0][0]);
}

}  // namespace forebay
