#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/row_order_sql.h"
#include "target/batch.h"
#include "target/sql_session.h"

namespace forebay {

// Where the terms of a version stand in the tables of a target: in a column of the table, or beside
// its columns: in a field of its `_forebay_version`, or where a database has no structures in a
// column `_forebay_version.NAME`.

// The term that a column of such a name has; nothing: it is no such column.
std::optional<std::string> version_term(std::string_view column);

// The terms that are no columns of such a table.
std::vector<std::size_t> terms_beside(const SqlDialect& dialect, const RowOrder& order,
                                      const std::vector<Column>& columns);

// The terms of a row of such a table, under an alias. `columns` empty: tombstones.
duckdb::TermSql terms_in(const SqlDialect& dialect, const RowOrder& order,
                         const std::vector<Column>& columns, const std::string& alias);

// The columns that hold the terms beside such a table's columns, as `"name" TYPE, `, as `"name", `,
// and their values from a row of a batch; all empty where no term stands beside the columns.
std::string version_definition(const SqlDialect& dialect, const RowOrder& order,
                               const std::vector<Column>& columns);
std::string version_names(const SqlDialect& dialect, const RowOrder& order,
                          const std::vector<Column>& columns);
std::string version_value(const SqlDialect& dialect, const RowOrder& order,
                          const std::vector<Column>& columns, const std::string& alias);
// Statements that give those columns the types of their terms.
std::vector<std::string> widen_version_sql(const SqlDialect& dialect, const RowOrder& order,
                                           const std::vector<Column>& columns,
                                           const std::string& table);

// "\"k1\", \"k2\"", then "d.\"k1\", d.\"k2\"", and "d.\"k1\" = t.\"k1\" AND …".
std::string key_names(const std::vector<std::string>& key);
std::string key_list(const std::vector<std::string>& key, const std::string& alias);
std::string key_equal(const std::vector<std::string>& key, const std::string& left,
                      const std::string& right);

}  // namespace forebay
