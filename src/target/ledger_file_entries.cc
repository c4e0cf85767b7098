// The entries of files: of a table, a unit or a part of a table.

#include <fmt/format.h>

#include <utility>

#include "target/ledger_queries.h"
#include "target/ledger_schema.h"

namespace forebay::ledger {

using duckdb::integer;
using duckdb::literal;
using duckdb::Row;
using duckdb::text;

namespace {

constexpr const char* kFileColumns =
    "l.file_id, l.unit, l.store_key, l.size, l.etag, {}, l.checksum, "
    "l.table_schema, l.table_name, l.rows, l.place, l.fingerprint";

Result<std::vector<FileEntry>> query_files(SqlSession& session, const std::string& rest) {
  ASSIGN_OR_RETURN(
      const auto rows,
      session.query(
          fmt::format("SELECT {} FROM _forebay.file_log l {}",
                      fmt::format(kFileColumns, session.dialect().micros("l.last_modified")), rest),
          "read the ledger"));
  std::vector<FileEntry> files;
  for (const Row& row : rows) {
    files.push_back({.file_id = integer(row[0]),
                     .unit = text(row[1]),
                     .store_key = text(row[2]),
                     .size = static_cast<std::uint64_t>(integer(row[3])),
                     .etag = text(row[4]),
                     .last_modified = duckdb::optional_time(row[5]).value_or(Time{}),
                     .checksum = text(row[6]),
                     .table = {.schema = text(row[7]), .name = text(row[8])},
                     .rows = static_cast<std::uint64_t>(integer(row[9])),
                     .place = text(row[10]),
                     .fingerprint = text(row[11])});
  }
  return files;
}

}  // namespace

Result<std::vector<FileEntry>> live_files(SqlSession& session, const std::string& pipeline,
                                          const TableName& table, const std::string& from,
                                          const std::string& before) {
  return query_files(
      session,
      fmt::format(
          "JOIN _forebay.files f USING (file_id) WHERE f.state = 'live' AND l.pipeline = {} "
          "AND l.table_schema = {} AND l.table_name = {} AND l.place >= {}{} "
          "ORDER BY l.place, l.file_id",
          literal(pipeline), literal(table.schema), literal(table.name),
          session.dialect().bytes(from),
          before.empty() ? "" : " AND l.place < " + session.dialect().bytes(before)));
}

Result<std::vector<FileEntry>> files_of_part(SqlSession& session, const std::string& pipeline,
                                             const TableName& table, const std::string& part) {
  return query_files(
      session,
      fmt::format("JOIN _forebay.files f USING (file_id) WHERE f.state = 'live' AND "
                  "l.pipeline = {0} AND l.table_schema = {1} AND l.table_name = {2} AND l.unit IN "
                  "(SELECT unit FROM _forebay.units WHERE pipeline = {0} AND part = {3}) "
                  "ORDER BY l.file_id",
                  literal(pipeline), literal(table.schema), literal(table.name), literal(part)));
}

Result<std::vector<FileEntry>> live_files_of(SqlSession& session, const std::string& pipeline,
                                             const std::string& unit) {
  return query_files(session,
                     fmt::format("JOIN _forebay.files f USING (file_id) WHERE f.state = 'live' AND "
                                 "l.pipeline = {} AND l.unit = {} ORDER BY l.file_id",
                                 literal(pipeline), literal(unit)));
}

Result<std::vector<FileEntry>> files_of(SqlSession& session, const std::string& pipeline,
                                        const std::string& unit) {
  return query_files(
      session, fmt::format("WHERE l.pipeline = {0} AND l.unit = {1} AND l.commit_no = "
                           "(SELECT max(commit_no) FROM _forebay.file_log WHERE pipeline = {0} "
                           "AND unit = {1}) AND l.commit_no > {2} ORDER BY l.file_id",
                           literal(pipeline), literal(unit), reset_commit(pipeline)));
}

Result<std::map<std::string, std::string>> units_with(SqlSession& session,
                                                      const std::string& pipeline,
                                                      const std::vector<std::string>& checksums) {
  std::map<std::string, std::string> units;
  if (checksums.empty()) return units;
  std::string list;
  for (const std::string& checksum : checksums)
    list += fmt::format("{}{}", list.empty() ? "" : ", ", literal(checksum));
  ASSIGN_OR_RETURN(
      const auto rows,
      session.query(
          fmt::format("SELECT checksum, {} FROM _forebay.files "
                      "WHERE pipeline = {} AND state = 'live' AND checksum IN "
                      "({}) GROUP BY checksum",
                      session.dialect().at_least("unit", "file_id"), literal(pipeline), list),
          "look for copies in the ledger"));
  for (const auto& row : rows) units.emplace(duckdb::text(row[0]), duckdb::text(row[1]));
  return units;
}

}  // namespace forebay::ledger
