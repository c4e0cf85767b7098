#pragma once

#include <string>

#include "engine/engine.h"
#include "engine/row_order_sql.h"

// The SQL that reads staged files, as pure functions of the request.
namespace forebay::duckdb {

// What the text of an error() raised by a value that does not survive its cast begins with.
inline constexpr const char* kDriftMark = "does not fit the table's column";
// The same, where a file's own column and what its object says are not the same.
inline constexpr const char* kDisagreeMark = "is not what the object's own name says of column";

// The reader has columns of its own, and a file's column of such a name would hide them: it is read
// under this name instead.
std::string reader_name(const std::string& file_name, std::size_t position);
// Whether rows are read one by one with their place, or only their values matter.
enum class ReadShape {
  values,   // the table's columns and `_forebay_file`
  actions,  // also `_forebay_delete`, `_forebay_rank`, `_forebay_order` (BIGINT: file, then row),
            // `_forebay_known` (of a file that was applied before) and the terms of the order; for
            // a history `_forebay_row` and `_forebay_acts` (not undone by a later clear)
};

// A SELECT over the request's files, through their filters. Rows that a snapshot flags as deleted
// are left out, and rows whose operation is skipped.
std::string read_files_sql(const CollapseRequest& request, ReadShape shape);

// The rows that the files' filters keep out; empty when no file has one.
std::string read_kept_out_sql(const CollapseRequest& request);

// A SELECT that counts the rows that are left out, deleted and skipped, in two columns; empty when
// no file can hold one.
std::string count_left_out_sql(const CollapseRequest& request);

// What has to have one value, as text.
std::string one_value_sql(const OneValue& one);

// A file's columns, to be described: `SELECT * FROM read_parquet(…)`.
std::string read_one_sql(const std::string& path);

}  // namespace forebay::duckdb
