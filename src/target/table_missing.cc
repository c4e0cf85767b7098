#include <fmt/format.h>

#include <algorithm>

#include "engine/value.h"
#include "target/missing_sql.h"
#include "target/table_apply.h"

namespace forebay {
namespace {

bool has_rowid(const SqlDialect& dialect, const std::vector<Column>& columns) {
  return std::ranges::any_of(
      columns, [&](const Column& column) { return dialect.hides_place(column.name); });
}

Status list_matches(SqlSession& db, const StoredMatch& match, const std::string& what) {
  RETURN_IF_ERROR(db.execute(match_table_sql(db.dialect()), what));
  std::vector<duckdb::Row> rows;
  for (const auto& [file_id, reader] : match.earlier) rows.push_back({file_id, reader});
  for (const std::int64_t file_id : match.gone) rows.push_back({file_id, std::monostate()});
  return db.append("", "forebay_match", rows, what);
}

// Rows of files that are gone become rows of the files that bring them again, so that each counts
// once.
Status move_again(SqlSession& db, const TableChange& change, const MissingSql& sql,
                  const std::string& what) {
  if (change.match.gone.empty()) return {};
  if (has_rowid(db.dialect(), change.columns))
    return fail({.code = ErrorCode::refused,
                 .operation = "compare rows of",
                 .object = change.table.display(),
                 .cause = "a file with rows of this time is gone, and a column named 'rowid' hides "
                          "the rows' own places",
                 .hint = "bring the file back, or have the column delivered under another name"});
  RETURN_IF_ERROR(db.execute(find_again_sql(sql), what));
  ASSIGN_OR_RETURN(const auto found, db.query("SELECT count(*) FROM forebay_again", what));
  if (duckdb::integer(found[0][0]) == 0) return {};
  RETURN_IF_ERROR(db.execute(move_again_sql(sql), what));
  return {};
}

}  // namespace

Result<std::uint64_t> insert_missing(SqlSession& session, const TableChange& change) {
  const std::string what = fmt::format("compare rows of {}", change.table.display());
  MissingSql sql{.dialect = session.dialect(),
                 .table = session.qualify(change.table.schema, change.table.name),
                 .delta = change.delta.rows,
                 .range = change.match.range};
  for (const Column& column : change.columns) {
    const bool of_file =
        std::ranges::find(change.match.of_file, column.name) != change.match.of_file.end();
    (of_file ? sql.of_file : sql.columns).push_back(column);
  }
  RETURN_IF_ERROR(list_matches(session, change.match, what));
  RETURN_IF_ERROR(session.execute(rest_sql(sql, !change.match.earlier.empty()), what));
  RETURN_IF_ERROR(move_again(session, change, sql, what));
  ASSIGN_OR_RETURN(const std::uint64_t inserted,
                   session.execute(fmt::format("INSERT INTO {} ({}) {}", sql.table,
                                               missing_columns_sql(sql), missing_rows_sql(sql)),
                                   fmt::format("insert into {}", change.table.display())));
  RETURN_IF_ERROR(session.execute(drop_missing_sql(session.dialect()), what));
  return inserted;
}

Result<std::uint64_t> delete_expired(SqlSession& session, const std::string& pipeline,
                                     const TableChange& change) {
  if (!change.expiry) return 0U;
  return session.execute(fmt::format("DELETE FROM {} WHERE {}",
                                     session.qualify(change.table.schema, change.table.name),
                                     expired_sql(session.dialect(), pipeline, *change.expiry)),
                         fmt::format("delete old rows of {}", change.table.display()));
}

Result<std::uint64_t> delete_generations(SqlSession& session, const TableChange& change) {
  if (change.generation.empty()) return 0U;
  const std::string table = session.qualify(change.table.schema, change.table.name);
  const std::string column = duckdb::quote(change.generation);
  return session.execute(
      fmt::format("DELETE FROM {0} WHERE {1} IS DISTINCT FROM (SELECT max({1}) FROM {0}) AND "
                  "(SELECT max({1}) FROM {0}) IS NOT NULL",
                  table, column),
      fmt::format("delete earlier generations of {}", change.table.display()));
}

std::string expired_sql(const SqlDialect& dialect, const std::string& pipeline,
                        const Expiry& expiry) {
  if (expiry.axis) return dialect.before(*expiry.axis, expiry.before);
  return fmt::format(
      "{} IN (SELECT file_id FROM _forebay.file_log WHERE pipeline = {} AND last_modified < {})",
      duckdb::quote(kFileColumn), duckdb::literal(pipeline),
      dialect.time(Time(Duration(expiry.before))));
}

}  // namespace forebay
