#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/row_order_sql.h"
#include "target/batch.h"

namespace forebay {

// Where the terms of a version stand in the tables of a DuckDB target: in a column of the table, or
// in a field of its `_forebay_version`.

// The terms that are no columns of such a table.
std::vector<std::size_t> terms_beside(const RowOrder& order, const std::vector<Column>& columns);

// The terms of a row of such a table, under an alias. `columns` empty: tombstones.
duckdb::TermSql terms_in(const RowOrder& order, const std::vector<Column>& columns,
                         const std::string& alias);

// "\"_forebay_version\" STRUCT(…), ", and the value for it from a row of a batch; both empty where
// no term stands beside the columns.
std::string version_definition(const RowOrder& order, const std::vector<Column>& columns);
std::string version_value(const RowOrder& order, const std::vector<Column>& columns,
                          const std::string& alias);

// "\"k1\", \"k2\"", then "d.\"k1\", d.\"k2\"", and "d.\"k1\" = t.\"k1\" AND …".
std::string key_names(const std::vector<std::string>& key);
std::string key_list(const std::vector<std::string>& key, const std::string& alias);
std::string key_equal(const std::vector<std::string>& key, const std::string& left,
                      const std::string& right);

}  // namespace forebay
