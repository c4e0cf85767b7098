#pragma once

#include <string>

#include "target/sql_session.h"
#include "target/target.h"

namespace forebay {

// The ledger's tables, in the schema `_forebay` of the target; docs/LEDGER.md explains each column.
// All are insert-only: a change of mind is a new row, and nothing is ever updated or deleted.
inline constexpr int kLedgerVersion = 1;
inline constexpr const char* kLedgerSchema = "_forebay";

// The statements that create what is missing; running them twice is harmless.
std::string ledger_ddl(const SqlDialect& dialect);

// A scalar for SQL: the commit of the pipeline's last reset, or of its table's where that is later;
// what the ledger said until then counts no longer. `table`: nothing, for the pipeline alone.
std::string reset_commit(const std::string& pipeline, const TableName* table = nullptr);

// Where a keyed table's tombstones stand: `_forebay."<schema.table>__gone"`, quoted for SQL.
std::string gone_table(const TableName& table);

}  // namespace forebay
