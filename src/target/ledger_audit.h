#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"
#include "target/sql_session.h"
#include "target/target.h"

// What a target does for `verify` and `reset`, and what it tells of rows.
namespace forebay::ledger {

// To units that known() found among these names, which of their tables were reset since they were
// applied.
Status add_reset_tables(SqlSession& session, const std::string& pipeline,
                        const std::vector<std::string>& names, std::vector<KnownUnit>& units);

Status begin_listing(SqlSession& session);
Status add_listing(SqlSession& session, const std::vector<ListedKey>& keys);
Result<std::vector<FileDifference>> compare_listing(SqlSession& session,
                                                    const std::string& pipeline, std::size_t most);

// `state`: of the table, as it stands.
Result<TableAudit> audit(SqlSession& session, const std::string& pipeline, const TableName& table,
                         const TableState& state, bool per_file, std::size_t most);
// The statements of a reset, inside a transaction that the caller commits.
Status write_reset(SqlSession& session, const Reset& reset);

// Target::column_is_all_null.
Result<bool> column_is_all_null(SqlSession& session, const TableName& table,
                                const std::string& column);

}  // namespace forebay::ledger
