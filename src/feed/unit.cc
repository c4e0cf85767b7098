#include "feed/unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/time_text.h"
#include "feed/content.h"
#include "feed/order.h"
#include "feed/unit_version.h"

namespace forebay {
namespace {

std::optional<Time> time_of_name(const NameTime& rule, const UnitName& unit) {
  std::size_t used = 0;
  if (is_builtin_capture(rule.capture)) {
    return parse_time_prefix(builtin_capture(rule.capture, unit.key), rule.format, &used);
  }
  const CaptureValue* value = unit.captures.find(rule.capture);
  if (value == nullptr) return std::nullopt;
  if (const Time* time = std::get_if<Time>(value)) return *time;
  const std::string* text = std::get_if<std::string>(value);
  return text == nullptr ? std::nullopt : parse_time_prefix(*text, rule.format, &used);
}

// Whether the text order of times in this format is their order: the fields come from the year
// downwards, each of fixed width.
bool sorts_by_time(std::string_view format) {
  std::string_view expected = "YmdHMS";
  for (std::size_t i = 0; i + 1 < format.size(); ++i) {
    if (format[i] != '%') continue;
    char directive = format[++i];
    if (directive == '%') continue;
    if (directive == 'j' && expected.starts_with("md")) {
      expected.remove_prefix(2);
    } else if (expected.starts_with(directive)) {
      expected.remove_prefix(1);
    } else {
      return false;
    }
  }
  return true;
}

// What all names of units at or after `from` are greater than; empty if names do not tell.
std::string start_of(const Pattern& pattern, const NameTime& rule, Time from) {
  using std::chrono::sys_days;
  if (from < sys_days(std::chrono::year(1) / 1 / 1) ||
      from >= sys_days(std::chrono::year(10000) / 1 / 1)) {
    return {};
  }
  const std::string* own_format = pattern.time_format(rule.capture);
  const std::string& format = own_format != nullptr ? *own_format : rule.format;
  if (!sorts_by_time(format)) return {};
  std::string start = pattern.literal_prefix();
  if (rule.capture == "$file" && pattern.within_one_folder()) {
    start.resize(start.rfind('/') + 1);
  } else if (rule.capture == "$key") {
    start.clear();
  } else if (pattern.first_capture() != rule.capture) {
    return {};
  }
  start += format_time(from, format);
  // One byte less: start-after leaves out the very key, and a unit may be named so.
  start.pop_back();
  return start;
}

}  // namespace

bool is_hidden(std::string_view key) {
  for (std::size_t begin = 0; begin < key.size();) {
    if (key[begin] == '_' || key[begin] == '.') return true;
    begin = std::min(key.find('/', begin), key.size() - 1) + 1;
  }
  return false;
}

Result<std::optional<UnitName>> name_unit(const Feed& feed, std::string_view key) {
  const Pattern* matched = nullptr;
  std::optional<UnitName> unit;
  if (key.ends_with('/') || (feed.unit.skip_hidden && is_hidden(key))) return unit;
  for (const Pattern& pattern : feed.unit.patterns) {
    std::optional<Captures> captures = pattern.match(key);
    if (!captures) continue;
    if (matched != nullptr) {
      return fail(
          {.code = ErrorCode::refused,
           .operation = "name unit",
           .object = std::string(key),
           .cause = fmt::format("the key matches two patterns of the feed, \"{}\" and \"{}\"",
                                matched->text(), pattern.text()),
           .hint = "make the patterns exclude each other: one key is one unit"});
    }
    matched = &pattern;
    unit = UnitName{.key = std::string(key), .captures = std::move(*captures)};
  }
  if (!unit) return unit;
  // Documents of one folder are known by their file names; elsewhere those could be the same.
  bool by_file = feed.unit.kind == UnitKind::document && feed.unit.patterns.size() == 1 &&
                 matched->within_one_folder();
  unit->name = by_file ? builtin_capture("$file", key) : key;
  unit->place = feed.placed_by_name()
                    ? encode_value(CaptureValue(unit->name))
                    : encode_place(feed.unit.order, unit->captures, key, unit->name);
  if (feed.unit.name_time) unit->name_time = time_of_name(*feed.unit.name_time, *unit);
  return unit;
}

std::vector<ListRange> list_ranges(const Feed& feed, std::optional<Time> from) {
  std::vector<ListRange> ranges;
  for (const Pattern& pattern : feed.unit.patterns) {
    ListRange range{.prefix = pattern.literal_prefix()};
    if (from && feed.unit.name_time) {
      range.start_after = start_of(pattern, *feed.unit.name_time, *from);
    }
    ranges.push_back(std::move(range));
  }
  std::ranges::sort(ranges, {}, &ListRange::prefix);
  std::vector<ListRange> apart;
  for (ListRange& range : ranges) {
    if (apart.empty() || !range.prefix.starts_with(apart.back().prefix)) {
      apart.push_back(std::move(range));
    } else if (apart.back().start_after != range.start_after) {
      apart.back().start_after.clear();
    }
  }
  return apart;
}

Result<UnitContent> file_content(const Feed& feed, const UnitName& unit) {
  auto refused = [&](std::string cause) {
    return fail({.code = ErrorCode::refused,
                 .operation = "name table",
                 .object = unit.key,
                 .cause = std::move(cause)});
  };
  UnitContent content{.kind = "file"};
  UnitFile file{.key = unit.key, .effect = feed.effect.fixed};
  if (!feed.table) return refused("the feed names no table");
  std::optional<std::string> table = name_value(*feed.table, unit);
  if (!table || !is_table_name(*table)) {
    return refused(fmt::format("\"{}\" is no name for a table", table.value_or("")));
  }
  file.table = std::move(*table);
  if (feed.effect.by) {
    content.kind = name_value(*feed.effect.by, unit).value_or("");
    auto choice = feed.effect.choices.find(content.kind);
    if (choice == feed.effect.choices.end()) {
      return refused(unknown_choice(*feed.effect.by, fmt::format("\"{}\"", content.kind), feed));
    }
    file.effect = choice->second;
  }
  content.files.push_back(std::move(file));
  ASSIGN_OR_RETURN(content.version, unit_version(feed, unit, {}));
  content.digest = content_digest(content);
  return content;
}

}  // namespace forebay
