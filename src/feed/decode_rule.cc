#include "feed/decode_rule.h"

#include <array>
#include <utility>

#include "base/ascii.h"

namespace forebay {
namespace {

constexpr std::array kFormats{
    std::pair{std::string_view(".csv"), FileFormat::csv},
    std::pair{std::string_view(".tsv"), FileFormat::tsv},
    std::pair{std::string_view(".json"), FileFormat::json},
    std::pair{std::string_view(".jsonl"), FileFormat::json},
    std::pair{std::string_view(".ndjson"), FileFormat::json},
};

constexpr std::array kCompressions{
    std::pair{std::string_view(".gz"), Compression::gzip},
    std::pair{std::string_view(".zst"), Compression::zstd},
};

bool ends_with(std::string_view key, std::string_view suffix) {
  return key.size() >= suffix.size() &&
         equal_ignoring_case(key.substr(key.size() - suffix.size()), suffix);
}

}  // namespace

FileForm form_of(const DecodeRule& rule, std::string_view key) {
  const std::string_view whole = key;
  FileForm form{.dialect = rule.dialect, .shape = rule.shape};
  for (const auto& [suffix, compression] : kCompressions) {
    if (!ends_with(key, suffix)) continue;
    form.compression = compression;
    key.remove_suffix(suffix.size());
    break;
  }
  for (const auto& [suffix, format] : kFormats) {
    if (ends_with(key, suffix)) form.format = format;
  }
  if (rule.format) form.format = *rule.format;
  // Parquet compresses within itself: such a name says nothing about its bytes.
  if (form.format == FileFormat::parquet) form.compression = Compression::none;
  if (rule.compression) form.compression = *rule.compression;
  for (const auto& [column, pattern] : rule.only_in) {
    if (!pattern.match(whole)) std::erase(form.dialect.columns, column);
  }
  form.dialect.delimiter = rule.delimiter.value_or(form.format == FileFormat::tsv ? '\t' : ',');
  return form;
}

}  // namespace forebay
