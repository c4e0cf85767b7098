#include "support/postgres_mirror.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <vector>

#include "engine/database.h"
#include "target/postgres_session.h"

namespace forebay::test {
namespace {

constexpr const char* kWhat = "mirror";

using duckdb::quote;

void mirror_table(PostgresSession& session, duckdb::Connection& local, const TableName& table) {
  const auto columns = session.columns(table).value().value();
  std::vector<std::string> texts;
  std::vector<std::string> definitions;
  std::vector<std::string> casts;
  for (const Column& column : columns) {
    const std::string name = quote(column.name);
    const bool bytes = column.type.kind == TypeKind::blob;
    const bool known = column.type.kind != TypeKind::other;
    texts.push_back(bytes ? fmt::format("encode({}, 'hex')", name)
                          : fmt::format("CAST({} AS text)", name));
    definitions.push_back(name + " VARCHAR");
    casts.push_back(bytes   ? fmt::format("unhex({0}) AS {0}", name)
                    : known ? fmt::format("CAST({0} AS {1}) AS {0}", name, to_sql(column.type))
                            : name);
  }
  const std::string from = quote(table.schema, table.name);
  const auto rows =
      session.query(fmt::format("SELECT {} FROM {}", fmt::join(texts, ", "), from), kWhat).value();
  local
      .execute(fmt::format("CREATE OR REPLACE TEMP TABLE texts ({})", fmt::join(definitions, ", ")),
               kWhat)
      .value();
  if (!local.append("", "texts", rows, kWhat)) std::abort();
  local
      .execute(
          fmt::format("CREATE SCHEMA IF NOT EXISTS {}; CREATE TABLE {} AS SELECT {} FROM texts",
                      quote(table.schema), from, fmt::join(casts, ", ")),
          kWhat)
      .value();
}

}  // namespace

void mirror_postgres(const std::string& url, const std::string& file) {
  std::filesystem::remove(file);
  const auto database = duckdb::Database::open({.path = file, .threads = 1}).value();
  const auto local = database->connect().value();
  const auto read_types = [&](const std::vector<std::string>& names) {
    std::vector<ColumnType> types;
    for (const std::string& name : names)
      types.push_back(local->describe(fmt::format("SELECT CAST(NULL AS {}) AS x", name), kWhat)
                          .value()
                          .at(0)
                          .type);
    return Result<std::vector<ColumnType>>(types);
  };
  const auto session = PostgresSession::connect(url, read_types).value();
  const auto tables =
      session
          ->query(
              "SELECT table_schema::text, table_name::text FROM information_schema.tables "
              "WHERE table_schema NOT LIKE 'pg\\_%' AND table_schema <> "
              "'information_schema' ORDER BY 1, 2",
              kWhat)
          .value();
  for (const duckdb::Row& row : tables)
    mirror_table(*session, *local, {duckdb::text(row[0]), duckdb::text(row[1])});
}

}  // namespace forebay::test
