#include "feed/row_rule.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <type_traits>

#include "base/ascii.h"
#include "base/glob.h"

namespace forebay {
namespace {

bool any_matches(const std::vector<std::string>& globs, std::string_view name) {
  return std::ranges::any_of(globs,
                             [&](const std::string& glob) { return matches_glob(glob, name); });
}

std::string term_text(const VersionTerm& term) {
  if (!term.json.empty()) {
    std::vector<std::string> forms;
    for (const JsonForm& form : term.json) {
      std::vector<std::string> paths;
      for (const JsonPart& part : form) paths.push_back(part.path);
      forms.push_back(fmt::format("{}", fmt::join(paths, " ")));
    }
    return fmt::format("{} ({})", term.name, fmt::join(forms, " | "));
  }
  if (!term.named_by.empty()) return fmt::format("the column named by {}", term.named_by);
  if (term.order.empty()) return term.name;
  return fmt::format("{} ({})", term.name, fmt::join(term.order, " < "));
}

std::string terms_text(const std::vector<VersionTerm>& terms) {
  std::vector<std::string> texts;
  for (const VersionTerm& term : terms) texts.push_back(term_text(term));
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace

bool ColumnRule::is_uuid_text(const std::string& column) const {
  return any_matches(uuid_text, column) && !any_matches(except, column);
}

bool ColumnRule::is_dropped(const std::string& column) const { return any_matches(drop, column); }

bool ColumnRule::is_excluded(const std::string& column) const {
  return (!only.empty() && !any_matches(only, column)) || any_matches(excluded, column);
}

ColumnOption ColumnRule::of(const std::string& column) const {
  ColumnOption all{.name = column};
  const auto take = [](auto& part, const auto& from) {
    if (part == std::decay_t<decltype(part)>()) part = from;
  };
  for (const ColumnOption& option : options) {
    if (!matches_glob(in_small_letters(option.name), in_small_letters(column))) continue;
    take(all.type, option.type);
    take(all.rename, option.rename);
    take(all.format, option.format);
    take(all.unit, option.unit);
    take(all.timezone, option.timezone);
    take(all.null_values, option.null_values);
  }
  return all;
}

std::string version_text(const RowRule& rows) {
  if (rows.tie.empty()) return terms_text(rows.version);
  return fmt::format("{}, then {}", terms_text(rows.version), terms_text(rows.tie));
}

std::string delete_text(const DeleteRule& rule) {
  if (rule.operation.empty()) return rule.flag;
  return fmt::format("{}: {} delete; {} put; {} skipped{}", rule.operation,
                     fmt::join(rule.is, ", "), fmt::join(rule.others, ", "),
                     fmt::join(rule.skip, ", "), rule.absent_puts ? "; absent put" : "");
}

}  // namespace forebay
