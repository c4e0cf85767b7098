#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/column_type.h"
#include "engine/time_axis.h"
#include "target/sql_session.h"

// Adding rows of which some may stand already: the difference of two multisets, exactly, in time
// and memory of the rows compared. Nulls equal nulls. Pure functions; the relations that they make
// are temporary tables of the connection.
namespace forebay {

struct MissingSql {
  const SqlDialect& dialect;
  std::string table;               // quoted
  std::vector<Column> columns;     // that are compared: without `_forebay_file`
  std::vector<Column> of_file;     // that are not: one value for all rows of a file that are read
  std::string delta;               // the relation of rows read, with `_forebay_file`; read once
  std::optional<TimeRange> range;  // rows that stand outside it equal none of the delta
};

// forebay_match (file_id BIGINT, reader BIGINT): files whose rows may be the ones read again. With
// a reader, an earlier version of that file; without one, a file that is gone.
std::string match_table_sql(const SqlDialect& dialect);

// forebay_rest: the delta's rows less those of earlier versions of the same file, one row for equal
// ones, with the number of copies that are left.
std::string rest_sql(const MissingSql& sql, bool with_earlier);

// Makes rows of gone files that are read again rows of the file that reads them, and takes them off
// forebay_rest; each stands for one copy. Two steps: find (forebay_again: place, file_id, rest),
// then move.
std::string find_again_sql(const MissingSql& sql);
std::string move_again_sql(const MissingSql& sql);

// What is left, to be inserted: missing_columns_sql().
std::string missing_rows_sql(const MissingSql& sql);
std::string missing_columns_sql(const MissingSql& sql);

std::string drop_missing_sql(const SqlDialect& dialect);

}  // namespace forebay
