#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "engine/column_type.h"
#include "engine/row_order.h"
#include "engine/row_order_sql.h"
#include "engine/time_axis.h"
#include "engine/value.h"
#include "target/ledger.h"

namespace forebay {

// The ledger's statements in a database's own words.
struct LedgerWords {
  std::string text;  // types
  std::string bytes;
  std::string real;
  std::string row;         // ", rowid …" where a table does not number its rows by itself
  std::string view;        // "VIEW IF NOT EXISTS"
  std::string group_json;  // an aggregate of names and values
  std::string more;        // statements that only this database needs, such as indexes
};

// The words in which the databases differ that can hold tables and ledger. Pure functions.
class SqlDialect {
 public:
  virtual ~SqlDialect() = default;

  virtual LedgerWords ledger_words() const = 0;
  virtual std::string type(const ColumnType& type) const = 0;
  virtual std::string bytes(std::string_view bytes) const = 0;    // a literal
  virtual std::string time(Time time) const = 0;                  // a literal: a time with its zone
  virtual std::string micros(const std::string& time) const = 0;  // since 1970, as BIGINT
  // An aggregate: the value at the greatest, or the least, of other values (a list of them).
  virtual std::string at_greatest(const std::string& value,
                                  const std::vector<std::string>& by) const = 0;
  virtual std::string at_least(const std::string& value, const std::string& by) const = 0;
  // Statements that make a temporary table, in place of one of that name.
  virtual std::string temporary(const std::string& name, const std::string& select) const = 0;
  virtual std::string temporary_columns(const std::string& name,
                                        const std::string& columns) const = 0;
  virtual std::string temporary_schema() const = 0;
  // An aggregate: any of the values. A column that repeats its row so many times, 0, 1, …
  virtual std::string any(const std::string& value) const = 0;
  virtual std::string repeat(const std::string& times) const = 0;
  // Rows whose time lies in a range, or before a tick of its axis: conditions that are never null.
  virtual std::string range(const TimeRange& range, const std::string& alias) const = 0;
  virtual std::string before(const TimeAxis& axis, std::int64_t ticks) const = 0;
  // Where a row of a table stands, for as long as nothing changes it; "t." before it, or nothing.
  virtual std::string row_place(const std::string& alias) const = 0;
  // Whether a column of this name hides row_place().
  virtual bool hides_place(std::string_view column) const = 0;
  // Whether a version is one column with fields; else each of its terms is a column.
  virtual bool has_structures() const = 0;
  // A text column or value in the order of its bytes; any other as it is. The type of a column
  // whose texts are compared so.
  virtual std::string plain(const ColumnType& type, const std::string& value) const = 0;
  virtual std::string plain_type(const ColumnType& type) const = 0;
  // A version term's value as it is compared.
  virtual std::string comparable(const OrderTerm& term, const std::string& value) const = 0;
  duckdb::ComparableSql comparables() const {
    return
        [this](const OrderTerm& term, const std::string& value) { return comparable(term, value); };
  }
  // Statements that change a column's type.
  virtual std::string retype(const std::string& table, const Column& column) const = 0;
};

// One connection to such a database, with its transaction and its temporary tables.
//
// Thread rule: one thread at a time. Errors: busy (a unique key of the ledger is taken, or another
// transaction was in the way), denied, unavailable (disk, connection), interrupted, internal.
class SqlSession {
 public:
  virtual ~SqlSession() = default;

  virtual const SqlDialect& dialect() const = 0;
  // A table's whole name, quoted.
  virtual std::string qualify(std::string_view schema, std::string_view name) const = 0;

  // Runs statements and gives the rows of the last one. `what` names the operation in errors.
  virtual Result<std::vector<duckdb::Row>> query(const std::string& sql, std::string_view what) = 0;
  // The same for a result that is large: hands over one row at a time, to be moved from.
  virtual Status query_each(const std::string& sql, std::string_view what,
                            const std::function<Status(duckdb::Row&)>& each) = 0;
  // Runs statements and gives the number of rows that the last one changed.
  virtual Result<std::uint64_t> execute(const std::string& sql, std::string_view what) = 0;
  // Appends rows in bulk, of strings, whole numbers (of a time: microseconds), booleans and reals.
  // `schema` empty: a temporary table.
  virtual Status append(std::string_view schema, std::string_view table,
                        const std::vector<duckdb::Row>& rows, std::string_view what) = 0;
  // A relation with these names in its only column, `unit`, for one statement.
  virtual Result<std::string> list_names(const std::vector<std::string>& names,
                                         std::string_view what) = 0;
  // Whether there is a table or view of that name; the cheapest look at the catalog.
  virtual Result<bool> has(const TableName& table) = 0;
  // The columns of a table or view; nothing: there is none.
  virtual Result<std::optional<std::vector<Column>>> columns(const TableName& table) = 0;
};

}  // namespace forebay
