#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/engine.h"
#include "engine/text_profile.h"
#include "feed/feed.h"
#include "load/fetch.h"
#include "target/target.h"

namespace forebay {

// How the columns of files meet the columns of their table (CONTRACT, `on_schema_change`): by exact
// name, else by the only name that differs by case; new columns at the end; types widen where no
// value can change.

// Columns that came from text in this cycle and from nothing else: until it ends their types are
// still open, since a column gets the type from which every value of its first cycle prints back.
using BornColumns = std::map<std::string, TextProfile>;
using Births = std::map<TableName, BornColumns>;

// Columns after a batch, and those of them that are new or have a new type.
struct ColumnChanges {
  std::vector<Column> columns;
  std::vector<Column> added;
  std::vector<Column> retyped;
};

// A table's columns after a batch, and how each file fills them. All that is read of the files may
// be more than what its table has: what a history keeps, and what rows are compared by.
struct Evolution : ColumnChanges {
  ColumnChanges read;
  std::map<std::string, std::string> names;  // column → its exact name in files, where they differ
  std::vector<Layout> layouts;               // of `read`
  std::map<std::string, std::size_t> layout_of;  // schema fingerprint → index into layouts
  BornColumns born;
  std::vector<std::string> warnings;
};

// The columns of one file, as its footer names them and as the engine reads them, position by
// position.
struct FileSchema {
  std::string fingerprint;
  std::string object;
  std::vector<std::string> paths;  // of its files that have rows
  bool has_rows = false;  // of all files with this fingerprint: without rows none votes on types
  std::vector<std::string> names;
  std::vector<Column> reader;
  // Of text, which has no types: what the values of each column could be, in all files with this
  // fingerprint. Empty: the files say their types.
  std::vector<TextProfile> profiles;
  // Of text, where documents tell it: the types of its columns. Empty: they do not.
  std::vector<std::optional<ColumnType>> declared;
  // Of each column its raw values, one for each leaf of its type; empty: none is raw.
  std::vector<std::vector<RawValue>> raw;
  // Set by evolve(): the reader's type of a column that is a UUID in one of its forms.
  std::vector<std::optional<ColumnType>> uuid_types;
};

// drift: a type that cannot be widened, a missing key, version or delete column, no column in
// common, or any change that the policy does not allow; refused: a column that no target type can
// hold exactly, a missing column of operations, more columns than the target takes. `born` are the
// table's columns that this cycle made so far.
Result<Evolution> evolve(const TableName& table, const TableState& state, const Feed& feed,
                         const std::vector<FileSchema>& schemas, const BornColumns& born,
                         Target& target);

// The schemas of staged files, one for each fingerprint, in the order of their first file.
Result<std::vector<FileSchema>> file_schemas(const std::vector<const StagedFile*>& files,
                                             Engine& engine);

}  // namespace forebay
