#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "target/sql_session.h"
#include "target/target.h"

// What a target reads from its ledger, one query a function. docs/LEDGER.md explains the
// tables.
namespace forebay::ledger {

Result<bool> exists(SqlSession& session);
// invalid_config: the ledger was written by a newer forebay.
Status check_version(SqlSession& session);
Status write_version(SqlSession& session);

Result<LedgerHead> head(SqlSession& session, const std::string& pipeline);
Result<std::vector<KnownUnit>> known(SqlSession& session, const std::string& pipeline,
                                     const std::vector<std::string>& names);
Result<std::vector<KnownFile>> known_files(SqlSession& session, const std::string& pipeline,
                                           const TableName& table,
                                           const std::vector<std::string>& store_keys);
Result<std::vector<StandingFile>> standing_files(SqlSession& session, const std::string& pipeline,
                                                 const TableName& table,
                                                 const std::optional<TimeRange>& range);
Result<std::vector<PlacedFile>> files_from(SqlSession& session, const std::string& pipeline,
                                           const TableName& table, const std::string& place);
Result<std::vector<FileEntry>> live_files(SqlSession& session, const std::string& pipeline,
                                          const TableName& table, const std::string& from,
                                          const std::string& before);
Result<std::vector<FileEntry>> files_of(SqlSession& session, const std::string& pipeline,
                                        const std::string& unit);
Result<std::map<std::string, std::string>> units_with(SqlSession& session,
                                                      const std::string& pipeline,
                                                      const std::vector<std::string>& checksums);
Result<std::vector<DocumentEntry>> known_documents(SqlSession& session, const std::string& pipeline,
                                                   const std::vector<std::string>& keys);
Result<std::vector<AppliedPart>> newest_of_parts(SqlSession& session, const std::string& pipeline);
Result<std::vector<FileEntry>> files_of_part(SqlSession& session, const std::string& pipeline,
                                             const TableName& table, const std::string& part);
Result<std::vector<FileEntry>> live_files_of(SqlSession& session, const std::string& pipeline,
                                             const std::string& unit);
Result<std::vector<Target::HistoryRow>> history(SqlSession& session, const std::string& pipeline,
                                                const Target::HistoryQuery& query);

// A table as the catalog shows it, and what the ledger adds: who made it, and where it was cleared.
Result<TableState> stands(SqlSession& session, const TableName& table);
Status add_history(SqlSession& session, const std::string& pipeline, const TableName& table,
                   TableState& state);

// What the table's last commit counted under this name ("holes", "gaps"); 0: nothing.
Result<std::uint64_t> count_before(SqlSession& session, const std::string& pipeline,
                                   const TableName& table, const char* count);

Status insert_cycle(SqlSession& session, const std::string& pipeline, const CycleNote& note);

}  // namespace forebay::ledger
