#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "base/result.h"
#include "engine/column_source.h"
#include "engine/column_type.h"
#include "engine/row_order.h"
#include "engine/time_axis.h"

namespace forebay {

// The column that names a row's file in the ledger; in every loaded table.
inline constexpr const char* kFileColumn = "_forebay_file";
// What of a row's version is no column of its table; a structure with a field for each term.
inline constexpr const char* kVersionColumn = "_forebay_version";

// What the cause of an error says where a file holds a value that is none of its column's type,
// such as text that is no UTF-8.
inline constexpr const char* kUnreadableValue = "a value is not what its column says";

// What operations mean; one that is in none of the lists is refused.
struct Operations {
  std::vector<std::string> remove;
  std::vector<std::string> put;
  std::vector<std::string> skip;  // rows that are left out
  // Of a table without a key: those whose rows append. All others, but `skip`, are refused.
  std::vector<std::string> insert;
  bool absent_puts = false;  // a row without one puts
};

// What must have one value: a column, or a field of the JSON in it.
struct OneValue {
  std::string name;  // for messages, and of what comes back
  std::string column;
  std::string path;  // "/server_uuid"; empty: the column itself
};

using ReadsLike = std::tuple<std::size_t, std::optional<std::size_t>, bool, bool, bool, bool>;

// Where the rows of a file stand that lies in one file with others.
struct Spliced {
  std::string column;           // of the shared file: which of its files a row is of, as a number
  std::int64_t number = 0;      // 0, 1, … in the order of the request, for files that read alike
  std::uint64_t first_row = 0;  // of the shared file
};

// A staged file as collapse reads it.
struct InputFile {
  std::int64_t file_id = 0;      // what `_forebay_file` will say
  std::int64_t rank = 0;         // of its unit's place, among the places this batch has to compare
  std::string path;              // opened as it is; free of characters that a pattern could have
  std::string object;            // for messages
  std::uint64_t rows = 0;        // as its footer says; with a filter, those that pass it
  bool snapshot = false;         // rows of a snapshot: one that is flagged deleted is left out
  bool removes = false;          // every row deletes its key
  bool known_keys_only = false;  // applied before: only its rows with keys of `known_keys` matter
  bool acts = true;              // false: a later clear undid it, so only a history wants its rows
  std::size_t layout = 0;        // index into CollapseRequest::layouts
  std::optional<std::size_t> filter;  // index into CollapseRequest::filters; absent: every row
  std::vector<std::string> version;   // its unit's values, one for each such term of the order
  // Values of columns that come from the object and not from its bytes, as text.
  std::vector<std::optional<std::string>> constants = {};
  std::optional<Spliced> spliced = {};  // then `path` is the shared file's

  // Files for which this is equal can be read as one: same layout, same treatment of their rows.
  ReadsLike reads_like() const {
    return {layout, filter, snapshot, removes, known_keys_only, acts};
  }
};

struct CollapseRequest {
  std::string table;            // for messages
  std::vector<Column> columns;  // that are read: of the table after it evolved, without
                                // `_forebay_file`, and those that only its history or its
                                // versions have
  std::vector<Layout> layouts;
  std::vector<RowFilter> filters;   // over the table's columns
  std::vector<InputFile> files;     // in the order in which they act
  std::vector<std::string> key;     // empty: the table has no key, its rows append
  std::string known_keys;           // a relation of keys, for the files that say so
  RowOrder order;                   // which row of a key is newer; empty: the one that comes later
  bool first_stays = false;         // of a key the row that comes first
  Operations operations;            // where layouts have such a column
  bool history = false;             // every row is wanted, or one for each version of a key
  std::vector<OneValue> one_value;  // values that are compared
  bool meets_nothing = false;       // the table will be empty: rows whose keys are distinct can go
                                    // straight from the files
};

// The rows of one table that a batch brings, cleaned and collapsed. Relations live in the engine
// that made them until its next collapse() or release().
struct Delta {
  enum class Kind {
    append,       // `rows` can be read once, straight from the files: no key, or all keys distinct
    put,          // one last action per key, in `rows`
    add_missing,  // as append, but rows that stand already are taken off, each as often as it does
  } kind = Kind::append;

  // A relation (to stand after FROM) with the columns read, `_forebay_file` and, for put,
  // `_forebay_delete` BOOLEAN, `_forebay_rank` BIGINT and `_forebay_v0`, … (the terms of the
  // order). Empty: the batch brings no rows.
  std::string rows;
  // The relation has more rows than the last action of each key, which `_forebay_current` BOOLEAN
  // tells apart, and `_forebay_row` BIGINT, the row's number in its file.
  bool history = false;

  std::uint64_t read = 0;                         // rows in the files
  std::uint64_t collapsed = 0;                    // rows that a later row of the same key replaced
  std::uint64_t left_out = 0;                     // deleted rows in a snapshot
  std::uint64_t skipped = 0;                      // rows whose operation says so
  std::uint64_t puts = 0;                         // rows that insert or replace
  std::uint64_t deletes = 0;                      // rows that delete
  std::map<std::string, std::uint64_t> filtered;  // rows that no filter let through, by reason

  // The least and the greatest value of each column of CollapseRequest::one_value, as text; a
  // column that is all null is not here.
  struct Extremes {
    std::string name;
    std::string least;
    std::string greatest;
  };
  std::vector<Extremes> one_value;
};

// What turns files into rows. DuckDB in the product, a model in the simulator. One thread.
class Engine {
 public:
  virtual ~Engine() = default;

  // The columns of a file as this engine reads them, in file order. damaged.
  virtual Result<std::vector<Column>> file_columns(const std::string& path,
                                                   const std::string& object) = 0;

  // Whether the column at a position holds no value in any of these files. damaged.
  virtual Result<bool> is_all_null(const std::vector<std::string>& paths, std::size_t position) = 0;

  // Looks at the times of the rows that `request` would read. `latest`: times after it count as in
  // the future. Errors as of collapse().
  virtual Result<TimeScan> scan_times(const CollapseRequest& request, const TimeAxis& axis,
                                      std::int64_t latest) = 0;

  // Of the rows that the files' filters keep out: how many have no time, and the time of one that
  // has, as text (empty: there is none).
  virtual Result<std::uint64_t> count_nulls_kept_out(const CollapseRequest& request,
                                                     const TimeAxis& axis) = 0;
  virtual Result<std::string> example_kept_out(const CollapseRequest& request,
                                               const TimeAxis& axis) = 0;

  // Of the request's one file, which may be a footer alone.
  virtual Result<GroupCount> count_groups(const CollapseRequest& request, const TimeAxis& axis) = 0;

  // damaged: rows read are not the rows the footers told, or a column of a file and the constant of
  // its name differ; refused: a null in a key or version column, an operation or rank that is not
  // known; drift: a value that does not survive its cast. Nothing is left behind on error.
  virtual Result<Delta> collapse(const CollapseRequest& request) = 0;

  // What of the files of a request keeps it from being read: columns with values that are none of
  // theirs, how many, and one of each. In words, for an error; empty: it cannot tell.
  virtual std::string misfits(const CollapseRequest& /*request*/) { return {}; }

  // Drops the relations of all deltas.
  virtual Status release() = 0;
};

}  // namespace forebay
