#include "support/attached_database.h"

#include <fmt/format.h>

#include "support/parquet_maker.h"

namespace forebay::test {

AttachedDatabase::AttachedDatabase(const std::string& path) {
  run_sql(fmt::format("ATTACH '{}' AS looked_at (READ_ONLY)", path));
}

AttachedDatabase::~AttachedDatabase() { run_sql("DETACH looked_at"); }

bool AttachedDatabase::has(std::string_view schema, std::string_view table) const {
  return sql_value(fmt::format("SELECT count(*) FROM duckdb_tables() WHERE database_name = "
                               "'looked_at' AND schema_name = '{}' AND table_name = '{}'",
                               schema, table)) == "1";
}

std::string AttachedDatabase::list(std::string_view expression, std::string_view from) const {
  return sql_value(fmt::format(
      "SELECT coalesce(string_agg(line, chr(10) ORDER BY line), '') FROM (SELECT {} AS line FROM "
      "looked_at.{})",
      expression, from));
}

std::string AttachedDatabase::rows(std::string_view from) const {
  return sql_value(fmt::format(
      "SELECT coalesce(string_agg(line, chr(10) ORDER BY line), '') FROM (SELECT concat_ws('|', "
      "*COLUMNS(*)) AS line FROM (SELECT coalesce(COLUMNS(* EXCLUDE (_forebay_file))::VARCHAR, "
      "'null') FROM looked_at.{}))",
      from));
}

std::string AttachedDatabase::value(std::string_view expression, std::string_view from) const {
  return sql_value(fmt::format("SELECT ({})::VARCHAR FROM looked_at.{}", expression, from));
}

}  // namespace forebay::test
