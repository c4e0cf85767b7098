#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/database.h"
#include "target/target.h"

// What a DuckDB target reads from its ledger, one query a function. docs/LEDGER.md explains the
// tables.
namespace forebay::ledger {

Result<bool> exists(duckdb::Connection& connection);
// invalid_config: the ledger was written by a newer forebay.
Status check_version(duckdb::Connection& connection);
Status write_version(duckdb::Connection& connection);

Result<LedgerHead> head(duckdb::Connection& connection, const std::string& pipeline);
Result<std::vector<KnownUnit>> known(duckdb::Connection& connection, const std::string& pipeline,
                                     const std::vector<std::string>& names);
// Makes forebay_names (unit VARCHAR), a temporary table to join with.
Status list_names(duckdb::Connection& connection, const std::vector<std::string>& names);
Result<std::vector<KnownFile>> known_files(duckdb::Connection& connection,
                                           const std::string& pipeline, const TableName& table,
                                           const std::vector<std::string>& store_keys);
Result<std::vector<StandingFile>> standing_files(duckdb::Connection& connection,
                                                 const std::string& pipeline,
                                                 const TableName& table,
                                                 const std::optional<TimeRange>& range);
Result<std::vector<PlacedFile>> files_from(duckdb::Connection& connection,
                                           const std::string& pipeline, const TableName& table,
                                           const std::string& place);
Result<std::vector<FileEntry>> live_files(duckdb::Connection& connection,
                                          const std::string& pipeline, const TableName& table,
                                          const std::string& from, const std::string& before);
Result<std::vector<FileEntry>> files_of(duckdb::Connection& connection, const std::string& pipeline,
                                        const std::string& unit);
Result<std::map<std::string, std::string>> units_with(duckdb::Connection& connection,
                                                      const std::string& pipeline,
                                                      const std::vector<std::string>& checksums);
Result<std::vector<DocumentEntry>> known_documents(duckdb::Connection& connection,
                                                   const std::string& pipeline,
                                                   const std::vector<std::string>& keys);
Result<std::vector<AppliedPart>> newest_of_parts(duckdb::Connection& connection,
                                                 const std::string& pipeline);
Result<std::vector<FileEntry>> files_of_part(duckdb::Connection& connection,
                                             const std::string& pipeline, const TableName& table,
                                             const std::string& part);
Result<std::vector<FileEntry>> live_files_of(duckdb::Connection& connection,
                                             const std::string& pipeline, const std::string& unit);
Result<std::vector<Target::HistoryRow>> history(duckdb::Connection& connection,
                                                const std::string& pipeline,
                                                const Target::HistoryQuery& query);

// A table as the catalog shows it, and what the ledger adds: who made it, and where it was cleared.
Result<TableState> stands(duckdb::Connection& connection, const TableName& table);
Status add_history(duckdb::Connection& connection, const std::string& pipeline,
                   const TableName& table, TableState& state);

// What the table's last commit counted under this name ("holes", "gaps"); 0: nothing.
Result<std::uint64_t> count_before(duckdb::Connection& connection, const std::string& pipeline,
                                   const TableName& table, const char* count);

Status insert_cycle(duckdb::Connection& connection, const std::string& pipeline,
                    const CycleNote& note);

}  // namespace forebay::ledger
