#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "target/batch.h"
#include "target/sql_session.h"

namespace forebay {

// What holds for the rows of single files as they go into a table.

// By file: its rows that stand already (TableChange::once).
using RepeatedRows = std::map<std::int64_t, std::uint64_t>;

// A relation with the rows of the batch that do not stand already and did not come before in it;
// the others are counted.
Result<std::string> rows_once(SqlSession& session, const TableChange& change, RepeatedRows& again);

// The last word before COMMIT: of each file in TableChange::counts exactly the rows that it brought
// stand in the table. damaged otherwise.
Status count_rows_of_files(SqlSession& session, const TableChange& change,
                           const RepeatedRows& again);

// Target::has_rows.
Result<bool> has_rows(SqlSession& session, const TableName& table,
                      const std::vector<std::int64_t>& files, const std::string& relation,
                      const std::vector<std::string>& columns);

}  // namespace forebay
