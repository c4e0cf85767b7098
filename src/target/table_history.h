#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "target/batch.h"
#include "target/sql_session.h"

namespace forebay {

// Brings `<table>__history` up to date with a batch, inside its transaction: each version of a key
// once, or where the order of units decides every row, and a row `cleared` for each key that a
// snapshot removed. Needs the temporary table `forebay_newer`. Adds to counts what it finds.
Status apply_history(SqlSession& session, const TableChange& change, TableCounts& counts);

// A SELECT of the keys that files decided last, in the table and among its tombstones, and
// of those of which the history has rows of theirs.
Result<std::string> keys_sql(SqlSession& session, const TableName& table,
                             const std::vector<std::string>& key,
                             const std::vector<std::int64_t>& files);

// The gaps of histories, which are counted for the keys that a batch touches, and added up.
Status add_gaps(SqlSession& session, const Batch& batch, Applied& applied);

}  // namespace forebay
