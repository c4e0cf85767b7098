#include "load/told_key.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace forebay {

std::optional<Feed> with_told_key(const Feed& feed, const std::vector<const StagedFile*>& files) {
  if (!feed.rows.key_from) return std::nullopt;
  Feed own = feed;
  if (!files.empty()) own.rows.key = files.front()->file.key_columns;
  return own;
}

Status check_told_key(const LedgerHead& head, const TableName& table,
                      const std::vector<const StagedFile*>& files, std::vector<Fact>& facts) {
  if (files.empty()) return {};
  const auto key_of = [](const StagedFile& file) {
    return fmt::format("{}", fmt::join(file.file.key_columns, ", "));
  };
  Fact fact{.name = "key", .subject = table.display(), .value = key_of(*files.front())};
  const std::string* known = head.fact(fact.name, fact.subject);
  const std::string& expected = known == nullptr ? fact.value : *known;
  for (const StagedFile* file : files) {
    if (key_of(*file) == expected) continue;
    return fail({.code = ErrorCode::refused,
                 .operation = "load",
                 .object = file->object,
                 .cause = fmt::format("the key of table {} is ({}) by its document, and ({}) in "
                                      "what was loaded",
                                      table.display(), key_of(*file), expected),
                 .hint = "what a row is known by cannot change under rows that stand: load the "
                         "table anew by another pipeline"});
  }
  if (known == nullptr) facts.push_back(std::move(fact));
  return {};
}

Status check_needed_key(const Feed& feed, const TableName& table,
                        const std::vector<const StagedFile*>& files,
                        const std::vector<Column>& columns) {
  const bool puts =
      std::ranges::any_of(files, [](const StagedFile* file) { return file->file.effect.put; });
  if (!puts || !feed.rows.key.empty()) return {};
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(column.name);
  return fail({.code = ErrorCode::refused,
               .operation = "load",
               .object = "table " + table.display(),
               .cause = "rows replace others by their key, and no `primary_key` is given",
               .hint = fmt::format("set primary_key to the columns that name a row, of: {}",
                                   fmt::join(names, ", "))});
}

}  // namespace forebay
