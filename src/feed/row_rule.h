#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json_form.h"
#include "feed/type_name.h"
#include "feed/value_ref.h"

namespace forebay {

// `rows`, `keep`, `columns` and `check` of a description: what the rows of a feed are known by,
// which of two rows of a key is newer, and what becomes of the other one. Plain data; immutable.

// One term of a version: terms are compared one after the other, each by value.
struct VersionTerm {
  enum class From { column, document, capture } from = From::column;
  enum class As {
    text,
    number,
    time
  } as = As::text;                 // what the value is, where nothing else tells
  std::string name;                // a column, a path in the document, a capture of the unit's name
  std::vector<std::string> order;  // a rank: the values from the lowest up; others refuse the unit
  std::vector<JsonForm> json;      // a column that is JSON of one of these forms
  bool may_lack = false;           // a row, or a file, may have no value: that is the lowest
  std::string with;                // of a document: which companion; empty: the unit's own
  // The path in the document where the column's name stands (load/named_columns.h); until one is
  // known `name` is that path, which no column is called.
  std::string named_by = {};

  bool operator==(const VersionTerm&) const = default;
};

// Which rows delete. An operation that is in none of the lists refuses the unit, and so does none.
struct DeleteRule {
  std::string flag;                 // boolean column; empty: none
  std::string operation;            // column with a word per row; empty: none
  std::vector<std::string> is;      // operations that delete
  std::vector<std::string> others;  // operations that put
  std::vector<std::string> skip;    // operations whose rows are left out, such as before images
  std::vector<std::string> insert;  // of `others`: what a table without a key may append
  bool absent_puts = false;         // rows without an operation put

  bool none() const { return flag.empty() && operation.empty(); }
  bool operator==(const DeleteRule&) const = default;
};

enum class Conflict {
  newest,  // a row acts if it is newer than what decided its key last
  first,   // the first row of a key stays: by the order of units, without one by arrival
};

enum class Keep {
  current,  // one row a key
  both,     // also `<table>__history`
};

struct RowRule {
  std::vector<std::string> key;      // empty: the tables have no key and only append
  std::optional<NamesRef> key_from;  // each table's key stands in its documents
  std::vector<VersionTerm> version;  // empty: the order of units decides
  std::vector<VersionTerm> tie;      // between rows of equal version
  DeleteRule deletes;
  Conflict conflict = Conflict::newest;
  std::string generation;  // a column: only rows with its greatest value stand; empty: none
  Keep keep = Keep::current;

  bool versioned() const { return !version.empty(); }
  bool may_have_key() const { return !key.empty() || key_from; }
};

// What is said of a column of files; what is empty says nothing.
struct ColumnOption {
  std::string name;  // in whatever case, `*` for any text
  std::optional<TypeName> type;
  std::string rename;                    // what it is called in its table
  std::string format;                    // of text that is a time, in the words of strptime
  std::string unit;                      // of numbers that are times: s, ms, us or ns since 1970
  std::string timezone;                  // in which times without a zone are
  std::vector<std::string> null_values;  // what, as text, stands for no value
};

// Names of columns may hold `*` for any text.
struct ColumnRule {
  std::vector<std::string> uuid_text;  // 16 bytes, UUID or text: the same text in the table
  std::vector<std::string> except;     // of uuid_text
  std::vector<std::string> drop;       // not in the current table; a history keeps them
  std::vector<std::string> only;       // not empty: no other columns are read
  std::vector<std::string> excluded;   // are not read
  std::vector<ColumnOption> options;   // of each part the first that a column's name matches counts

  bool is_uuid_text(const std::string& column) const;
  bool is_dropped(const std::string& column) const;
  bool is_excluded(const std::string& column) const;
  // All that is said of a column, by its name in whatever case.
  ColumnOption of(const std::string& column) const;
};

// What has one value for ever: a second one stops.
struct OneValueRule {
  std::string column;
  std::string path;        // a field of the JSON in it; empty: the column itself
  bool per_table = false;  // each table has a value of its own
};

struct CheckRule {
  std::vector<OneValueRule> one_value;
  std::vector<std::string> consecutive;  // version columns without gaps per key: gaps are counted
};

// As a person reads it, and as the ledger remembers it: "record_version, then record_status (ALIVE
// < EOL < DELETE), record_begin". Columns alone are only listed.
std::string version_text(const RowRule& rows);
std::string delete_text(const DeleteRule& rule);

}  // namespace forebay
