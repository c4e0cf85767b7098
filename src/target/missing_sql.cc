#include "target/missing_sql.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/engine.h"
#include "engine/value.h"

namespace forebay {
namespace {

using duckdb::quote;

std::string column_list(const MissingSql& sql, const std::string& alias = {}) {
  std::vector<std::string> names;
  for (const Column& column : sql.columns) names.push_back(alias + quote(column.name));
  return fmt::format("{}", fmt::join(names, ", "));
}

// What `form` makes of the name of each column of the file, with a comma before it.
template <class Form>
std::string of_file(const MissingSql& sql, Form form) {
  std::string list;
  for (const Column& column : sql.of_file) list += ", " + form(quote(column.name));
  return list;
}

std::string same(const std::string& name) { return name; }

std::string all_equal(const MissingSql& sql, const char* left, const char* right) {
  std::vector<std::string> terms;
  for (const Column& column : sql.columns) {
    const std::string name = quote(column.name);
    terms.push_back(fmt::format("{}.{} IS NOT DISTINCT FROM {}.{}", left, name, right, name));
  }
  return fmt::format("{}", fmt::join(terms, " AND "));
}

// Rows of the table that may be those read again: of earlier versions, or of files that are gone.
std::string standing_sql(const MissingSql& sql, const std::string& select, bool gone) {
  return fmt::format(
      "SELECT {} FROM {} t JOIN forebay_match m ON t.{} = m.file_id "
      "WHERE m.reader IS {} NULL AND {}",
      select, sql.table, quote(kFileColumn), gone ? "" : "NOT",
      sql.range ? sql.dialect.range(*sql.range, "t.") : "true");
}

}  // namespace

std::string match_table_sql(const SqlDialect& dialect) {
  return dialect.temporary_columns("forebay_match", "file_id BIGINT, reader BIGINT");
}

std::string rest_sql(const MissingSql& sql, bool with_earlier) {
  const std::string columns = column_list(sql);
  const std::string file = quote(kFileColumn);
  std::string rows = fmt::format("SELECT {}, {}, 1 AS \"_forebay_copies\"{} FROM {}", columns, file,
                                 of_file(sql, same), sql.delta);
  const auto nothing = [](const std::string&) { return std::string("NULL"); };
  if (with_earlier)
    rows += " UNION ALL " + standing_sql(sql,
                                         fmt::format("{}, m.reader, -1{}", column_list(sql, "t."),
                                                     of_file(sql, nothing)),
                                         false);
  const auto any = [&](const std::string& name) {
    return fmt::format("{} AS {}", sql.dialect.any(name), name);
  };
  return sql.dialect.temporary(
      "forebay_rest",
      fmt::format(
          "SELECT {0}, {1}, CAST(sum(\"_forebay_copies\") AS BIGINT) AS \"_forebay_copies\", "
          "row_number() OVER () AS \"_forebay_rest\"{3} "
          "FROM ({2}) b GROUP BY {0}, {1} HAVING sum(\"_forebay_copies\") > 0",
          columns, file, rows, of_file(sql, any)));
}

// Both sides number the copies of equal rows, so that they meet by two numbers, one to one; of what
// stands those of the file that was read first.
std::string find_again_sql(const MissingSql& sql) {
  const std::string classes = fmt::format(
      "SELECT {0}, min(\"_forebay_rest\") AS \"_forebay_class\" FROM forebay_rest GROUP BY {0}",
      column_list(sql));
  const std::string back = fmt::format(
      "SELECT t.\"_forebay_place\" AS place, "
      "c.\"_forebay_class\" AS class, row_number() OVER (PARTITION BY c.\"_forebay_class\" "
      "ORDER BY t.\"_forebay_of\", t.\"_forebay_place\") AS k FROM ({}) t JOIN forebay_class c ON "
      "{}",
      standing_sql(sql,
                   fmt::format("{}, m.file_id AS \"_forebay_of\", {} AS \"_forebay_place\"",
                               column_list(sql, "t."), sql.dialect.row_place("t.")),
                   true),
      all_equal(sql, "t", "c"));
  const std::string want = fmt::format(
      "SELECT rest, file_id, class, row_number() OVER (PARTITION BY class ORDER BY file_id, rest) "
      "AS k FROM (SELECT r.\"_forebay_rest\" AS rest, "
      "r.{} AS file_id, c.\"_forebay_class\" AS class, "
      "{} AS copy "
      "FROM forebay_rest r JOIN forebay_class c ON {} "
      "WHERE c.\"_forebay_class\" IN (SELECT class FROM forebay_back)) w",
      quote(kFileColumn), sql.dialect.repeat("r.\"_forebay_copies\""), all_equal(sql, "r", "c"));
  const SqlDialect& dialect = sql.dialect;
  return fmt::format("{}; {}; {}; {}", dialect.temporary("forebay_class", classes),
                     dialect.temporary("forebay_back", back),
                     dialect.temporary("forebay_want", want),
                     dialect.temporary("forebay_again",
                                       "SELECT b.place, w.file_id, w.rest FROM forebay_back b "
                                       "JOIN forebay_want w USING (class, k)"));
}

std::string move_again_sql(const MissingSql& sql) {
  const auto takes = [](const std::string& name) { return fmt::format("{0} = r.{0}", name); };
  return fmt::format(
      "UPDATE {0} SET {1} = a.file_id{2} FROM forebay_again a JOIN forebay_rest r ON "
      "r.\"_forebay_rest\" = a.rest WHERE {3} = a.place; "
      "UPDATE forebay_rest SET \"_forebay_copies\" = \"_forebay_copies\" - a.n FROM "
      "(SELECT rest, count(*) AS n FROM forebay_again GROUP BY rest) a "
      "WHERE \"_forebay_rest\" = a.rest",
      sql.table, quote(kFileColumn), of_file(sql, takes), sql.dialect.row_place(sql.table + "."));
}

std::string missing_columns_sql(const MissingSql& sql) {
  return column_list(sql) + ", " + quote(kFileColumn) + of_file(sql, same);
}

std::string missing_rows_sql(const MissingSql& sql) {
  return fmt::format(
      "SELECT {0} FROM forebay_rest WHERE \"_forebay_copies\" = 1 UNION ALL SELECT {0} FROM "
      "(SELECT *, {1} AS copy FROM forebay_rest "
      "WHERE \"_forebay_copies\" > 1) m",
      missing_columns_sql(sql), sql.dialect.repeat("\"_forebay_copies\""));
}

std::string drop_missing_sql(const SqlDialect& dialect) {
  std::string sql;
  for (const char* name : {"match", "rest", "class", "back", "want", "again"})
    sql += fmt::format("DROP TABLE IF EXISTS {}.forebay_{};", dialect.temporary_schema(), name);
  return sql;
}

}  // namespace forebay
