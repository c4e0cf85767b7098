// What the ledger knows of files by themselves, for units that are not named after them.

#include <fmt/format.h>

#include <utility>

#include "engine/value.h"
#include "target/ledger_queries.h"
#include "target/ledger_schema.h"

namespace forebay::ledger {

using duckdb::integer;
using duckdb::literal;
using duckdb::Row;
using duckdb::text;

Result<std::vector<KnownFile>> known_files(SqlSession& session, const std::string& pipeline,
                                           const TableName& table,
                                           const std::vector<std::string>& store_keys) {
  ASSIGN_OR_RETURN(const std::string listed, session.list_names(store_keys, "compare names"));
  ASSIGN_OR_RETURN(
      const auto rows,
      session.query(
          fmt::format(
              "SELECT f.store_key, {}, {}, max(f.file_id), max(f.commit_no) "
              "FROM _forebay.file_log f JOIN {} n ON n.unit = f.store_key "
              "WHERE f.pipeline = {} AND f.commit_no > {} AND f.store_key BETWEEN {} AND {} "
              "GROUP BY 1",
              session.dialect().at_greatest("f.etag", {"f.file_id"}),
              session.dialect().at_greatest("f.checksum", {"f.file_id"}), listed, literal(pipeline),
              reset_commit(pipeline, &table), literal(store_keys.front()),
              literal(store_keys.back())),
          "compare names"));
  std::vector<KnownFile> files;
  for (const Row& row : rows)
    files.push_back({.store_key = text(row[0]),
                     .version = text(row[1]),
                     .checksum = text(row[2]),
                     .file_id = integer(row[3]),
                     .commit_no = integer(row[4])});
  return files;
}

Result<std::vector<StandingFile>> standing_files(SqlSession& session, const std::string& pipeline,
                                                 const TableName& table,
                                                 const std::optional<TimeRange>& range) {
  ASSIGN_OR_RETURN(
      const auto rows,
      session.query(
          fmt::format(
              "WITH standing AS (SELECT DISTINCT {} AS file_id FROM {} WHERE {}), named AS "
              "(SELECT s.file_id, f.store_key FROM standing s JOIN _forebay.file_log f "
              "USING (file_id)), newest AS (SELECT store_key, max(file_id) AS file_id FROM "
              "_forebay.file_log WHERE pipeline = {} AND store_key IN "
              "(SELECT store_key FROM named) GROUP BY store_key) SELECT n.file_id, n.store_key, "
              "w.file_id FROM named n JOIN newest w USING (store_key) ORDER BY n.file_id",
              duckdb::quote(kFileColumn), session.qualify(table.schema, table.name),
              range ? session.dialect().range(*range, "") : "true", literal(pipeline)),
          "look for earlier rows in " + table.display()));
  std::vector<StandingFile> files;
  for (const Row& row : rows)
    files.push_back(
        {.file_id = integer(row[0]), .store_key = text(row[1]), .newest_id = integer(row[2])});
  return files;
}

}  // namespace forebay::ledger
