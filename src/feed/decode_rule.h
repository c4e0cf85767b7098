#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "feed/pattern.h"
#include "feed/value_ref.h"

namespace forebay {

// `decode:` of a description: how the bytes of a file become rows. What is absent is told by the
// file's name, never by looking into the bytes: a guess could differ from file to file.

enum class FileFormat { parquet, csv, tsv, json };
enum class Compression { none, gzip, zstd };

// How CSV and TSV are written.
struct CsvDialect {
  char delimiter = ',';
  std::optional<char> quote = '"';  // absent: quotes mean nothing
  char escape = '"';                // before a quote, or itself, within quotes
  bool header = true;
  std::vector<std::string> columns;  // names, where no header line gives them
  std::vector<std::string> nulls;    // unquoted texts that mean null; the empty one always does

  bool operator==(const CsvDialect&) const = default;
};

// A column that is taken from the whole record and not from its row.
struct RecordColumn {
  std::string name;
  std::vector<std::string> path;
  bool is_null = false;  // whether there is a value, not the value
  bool absent = false;   // only where the row has no such column

  bool operator==(const RecordColumn&) const = default;
};

// A field of the record and the texts of which it must have one; `*` in one stands for any text.
struct RecordFilter {
  std::vector<std::string> path;
  std::vector<std::string> values;

  bool operator==(const RecordFilter&) const = default;
};

// Where in a JSON record the row stands, and what of the record is read beside it.
struct JsonShape {
  std::vector<std::vector<std::string>> roots;  // paths: the first that is an object; none: itself
  bool may_lack_root = false;  // where none of them is an object, the row is what `record` takes
  std::vector<RecordColumn> record;
  std::vector<RecordFilter> only;  // a record of which one does not hold is no row
  // Not empty: files are objects, and their records stand in the list at this path.
  std::vector<std::string> list;

  bool operator==(const JsonShape&) const = default;
};

// What a document says of the form of its unit's files: values that a description has as
// references and not as words.
struct DecodeSource {
  std::vector<std::pair<std::string, ValueRef>> words;  // by key of `decode`: format, delimiter, …
  std::optional<NamesRef> columns;
  std::optional<ValueRef> null_text;

  bool none() const { return words.empty() && !columns && !null_text; }
};

struct DecodeRule {
  std::optional<FileFormat> format;
  std::optional<Compression> compression;
  std::optional<char> delimiter;  // absent: as the format has it
  CsvDialect dialect;
  JsonShape shape;
  // Of the columns that `dialect` names: those that stand only in files with such a key.
  std::vector<std::pair<std::string, Pattern>> only_in;
  bool texts = false;  // columns that come from text stay text, whatever their values look like
  std::vector<std::pair<std::string, TypeName>> types;  // of columns, where a document tells them

  bool operator==(const DecodeRule&) const = default;
};

// What one file is, by its name and the rule.
struct FileForm {
  FileFormat format = FileFormat::parquet;
  Compression compression = Compression::none;
  CsvDialect dialect;  // of CSV and TSV
  JsonShape shape;     // of JSON
};

// Suffixes: .csv .tsv .json .jsonl .ndjson, each also with .gz or .zst behind it, in any case;
// every other name is Parquet.
FileForm form_of(const DecodeRule& rule, std::string_view key);

// Sets one key of `decode` whose value is a word or a character: format, compression, header,
// delimiter, quote, escape. The error's cause says what is wrong with the text, and nothing else.
Status set_decode_word(std::string_view key, const std::string& text, DecodeRule& rule);

}  // namespace forebay
