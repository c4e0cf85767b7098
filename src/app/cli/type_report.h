#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "engine/column_type.h"
#include "load/pipeline.h"
#include "target/target.h"

namespace forebay::cli {

// One column of one file beside the column of the table that it goes to.
struct TypeLine {
  std::string table;
  std::string column;
  std::string file_type;   // as the file's own schema says
  std::string table_type;  // as the target has it, or would create it
  std::string lost;        // "nothing", or what is
  bool drift = false;      // does not fit without loss
};

// How a unit fits its tables: one file a table is looked at.
struct TypeReport {
  std::string unit;  // empty: there is none yet
  std::vector<TypeLine> columns;
};

// The newest unit that brings files. Reads one page of the listing a pattern, a few documents and,
// one file a table, what tells the columns: the end of a Parquet file, all of a small one of text.
Result<TypeReport> report_types(const Pipeline& pipeline);

// The comparison itself: `file` as the engine reads it, `sources` the file's own words for its
// types (as many, or none), `table` as it stands, `feed` says which columns no table
// keeps and which types are declared.
std::vector<TypeLine> compare_types(const std::string& name, const std::vector<Column>& file,
                                    const std::vector<std::string>& sources,
                                    const TableState& table, const Feed& feed);

}  // namespace forebay::cli
