// What a description leaves to documents: the form of files, and what their rows are known by.

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "base/json_reader.h"
#include "feed/document_values.h"

namespace forebay {

Status DocumentValues::read_decode(Entry entry, UnitFile& file) const {
  const DecodeSource& source = feed_.decode_from;
  DecodeRule rule = feed_.decode;
  for (const auto& [key, ref] : source.words) {
    const auto word = text(ref, entry);
    // An empty text says nothing: what the description has as a default stays.
    if (word && word->empty()) continue;
    if (!word)
      return damaged(fmt::format("{} must tell the {} of the file, but is {}", ref.name, key,
                                 json_name(find(ref, entry))));
    if (const Status set = set_decode_word(key, *word, rule); !set)
      return wrong(ErrorCode::refused,
                   fmt::format("{} tells the {} of the file: {}", ref.name, key, set.error().cause),
                   "nothing of it is loaded");
  }
  if (source.null_text) {
    if (auto null = text(*source.null_text, entry); null && !null->empty())
      rule.dialect.nulls.push_back(std::move(*null));
  }
  const bool delimited =
      !rule.format || *rule.format == FileFormat::csv || *rule.format == FileFormat::tsv;
  if (source.columns && delimited && !rule.dialect.header) {
    ASSIGN_OR_RETURN(rule.dialect.columns, names(*source.columns, entry));
    if (rule.dialect.columns.empty())
      return damaged(fmt::format("{} names no column", source.columns->list.name));
  }
  if (source.columns) rule.types = types(*source.columns, entry);
  file.decode = std::make_shared<const DecodeRule>(std::move(rule));
  return {};
}

Status DocumentValues::read_form(Entry entry, UnitFile& file) const {
  if (!feed_.decode_from.none()) RETURN_IF_ERROR(read_decode(entry, file));
  if (!feed_.rows.key_from) return {};
  ASSIGN_OR_RETURN(file.key_columns, names(*feed_.rows.key_from, entry));
  // A table without a key appends.
  if (file.key_columns.empty()) file.effect.put = false;
  return {};
}

}  // namespace forebay
