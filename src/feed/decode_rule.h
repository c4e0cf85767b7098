#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

struct DecodeRule {
  std::optional<FileFormat> format;
  std::optional<Compression> compression;
  std::optional<char> delimiter;  // absent: as the format has it
  CsvDialect dialect;

  bool operator==(const DecodeRule&) const = default;
};

// What one file is, by its name and the rule.
struct FileForm {
  FileFormat format = FileFormat::parquet;
  Compression compression = Compression::none;
  CsvDialect dialect;  // of CSV and TSV
};

// Suffixes: .csv .tsv .json .jsonl .ndjson, each also with .gz or .zst behind it, in any case;
// every other name is Parquet.
FileForm form_of(const DecodeRule& rule, std::string_view key);

}  // namespace forebay
