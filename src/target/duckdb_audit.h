#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/database.h"
#include "target/target.h"

// What a DuckDB target does for `verify` and `reset`, and what it tells of rows.
namespace forebay::ledger {

// To units that known() found, which of their tables were reset since they were applied. Uses the
// names that known() left in its temporary table.
Status add_reset_tables(duckdb::Connection& connection, const std::string& pipeline,
                        std::vector<KnownUnit>& units);

Status begin_listing(duckdb::Connection& connection);
Status add_listing(duckdb::Connection& connection, const std::vector<ListedKey>& keys);
Result<std::vector<FileDifference>> compare_listing(duckdb::Connection& connection,
                                                    const std::string& pipeline, std::size_t most);

// `state`: of the table, as it stands.
Result<TableAudit> audit(duckdb::Connection& connection, const std::string& pipeline,
                         const TableName& table, const TableState& state, bool per_file,
                         std::size_t most);
Result<TableFingerprint> fingerprint(duckdb::Connection& connection, const TableName& table,
                                     const TableState& state, const std::vector<Column>& columns);

// The statements of a reset, inside a transaction that the caller commits.
Status write_reset(duckdb::Connection& connection, const Reset& reset);

// Target::column_is_all_null.
Result<bool> column_is_all_null(duckdb::Connection& connection, const TableName& table,
                                const std::string& column);

}  // namespace forebay::ledger
