#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "target/sql_session.h"
#include "target/target.h"

namespace forebay {

// The steps of one transaction on a DuckDB target, in the order in which apply() takes them. Each
// leaves the transaction open; the caller commits or rolls back.

// Creates or alters the table, clears it, compares, deletes and inserts; checks that every row of
// the delta is accounted for.
Result<TableCounts> apply_table(SqlSession& session, const std::string& pipeline,
                                const TableChange& change);

// Inserts the rows of a delta that do not stand yet, and gives their number.
Result<std::uint64_t> insert_missing(SqlSession& session, const TableChange& change);

// Which rows of a table an expiry deletes, as a condition; deletes them, if the change has one, and
// gives their number.
std::string expired_sql(const SqlDialect& dialect, const std::string& pipeline,
                        const Expiry& expiry);
Result<std::uint64_t> delete_expired(SqlSession& session, const std::string& pipeline,
                                     const TableChange& change);

// Of a table whose rows have generations only the newest stands, whichever came last; gives the
// number of rows that went.
Result<std::uint64_t> delete_generations(SqlSession& session, const TableChange& change);

// The fence, inserted first of all. busy: another loader took the number.
Status insert_commit(SqlSession& session, const Batch& batch);

// Writes the batch's entries: units, files, clears, retractions, facts, and what became of the
// tables.
Status insert_entries(SqlSession& session, const Batch& batch, const Applied& applied);

}  // namespace forebay
