#include "feed/unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/time_text.h"
#include "feed/content.h"
#include "feed/order.h"

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

// What all keys that begin with `before` and a time at or after `from` are greater than; empty if
// their text does not tell.
std::string start_at(const std::string& before, std::string_view format, Time from) {
  using std::chrono::sys_days;
  if (!sorts_by_time(format) || from < sys_days(std::chrono::year(1) / 1 / 1) ||
      from >= sys_days(std::chrono::year(10000) / 1 / 1)) {
    return {};
  }
  std::string start = before + format_time(from, format);
  // One byte less: start-after leaves out the very key, and a unit may be named so.
  start.pop_back();
  return start;
}

// The same for the names of a feed's units.
std::string start_of(const Pattern& pattern, const NameTime& rule, Time from) {
  const std::string* own_format = pattern.time_format(rule.capture);
  const std::string& format = own_format != nullptr ? *own_format : rule.format;
  std::string start = pattern.literal_prefix();
  if (rule.capture == "$file" && pattern.within_one_folder()) {
    start.resize(start.rfind('/') + 1);
  } else if (rule.capture == "$key") {
    start.clear();
  } else if (pattern.first_capture() != rule.capture) {
    return {};
  }
  return start_at(start, format, from);
}

}  // namespace

bool is_hidden(std::string_view key) {
  for (std::size_t begin = 0; begin < key.size();) {
    if (key[begin] == '_' || key[begin] == '.') return true;
    begin = std::min(key.find('/', begin), key.size() - 1) + 1;
  }
  return false;
}

bool is_folder_data(const FilesRule& rule, std::string_view below) {
  return !below.empty() && !below.ends_with('/') && !is_hidden(below) &&
         (!rule.match || rule.match->match(below));
}

namespace {

// Documents of one folder are known by their file names; elsewhere those could be the same.
bool known_by_file(const Feed& feed) {
  return feed.unit.kind == UnitKind::document && !feed.unit.folder &&
         feed.unit.patterns.size() == 1 && feed.unit.patterns.front().within_one_folder();
}

}  // namespace

std::optional<std::string> key_of_unit(const Feed& feed, const std::string& name) {
  if (!known_by_file(feed)) return name;
  const std::string& beginning = feed.unit.patterns.front().literal_prefix();
  return beginning.substr(0, beginning.rfind('/') + 1) + name;
}

Result<std::optional<UnitName>> name_unit(const Feed& feed, std::string_view key) {
  const Pattern* matched = nullptr;
  std::optional<UnitName> unit;
  if (key.ends_with('/') || (feed.unit.skip_hidden && is_hidden(key))) return unit;
  if (!feed.listing.admits(key)) return unit;
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
    unit = UnitName{.key = std::string(key),
                    .captures = std::move(*captures),
                    .pattern = static_cast<std::size_t>(&pattern - feed.unit.patterns.data())};
  }
  if (!unit) return unit;
  if (feed.unit.folder) {
    const std::string below = std::get<std::string>(*unit->captures.find(kBelowFolder));
    unit->key.resize(key.size() - below.size());
    if (!is_folder_data(*feed.files, below)) return std::nullopt;
    key = unit->key;
  }
  if (feed.unit.name_time) unit->name_time = time_of_name(*feed.unit.name_time, *unit);
  if (const auto& partition = feed.listing.partition) {
    const auto captures = partition->pattern.match(key);
    if (!captures) return std::nullopt;
    unit->name_time = partition->time_of(*captures);
  }
  unit->name = known_by_file(feed) ? builtin_capture("$file", key) : key;
  unit->place = feed.placed_by_name()
                    ? encode_value(CaptureValue(unit->name))
                    : encode_place(feed.unit.order, unit->captures, key, unit->name);
  // What comes before all of the generation's units, and behind all of earlier ones.
  if (const CaptureValue* generation = unit->captures.find(feed.unit.generation))
    unit->generation = encode_value(*generation);
  return unit;
}

namespace {

// Only where units can be, as the feed's patterns and `include` show.
std::vector<ListRange> wanted_of(const Feed& feed, std::vector<ListRange> ranges) {
  return narrow(narrow(apart(std::move(ranges)), feed.unit.patterns), feed.listing.include);
}

}  // namespace

std::vector<ListRange> list_ranges(const Feed& feed, std::optional<Time> from) {
  std::vector<ListRange> ranges;
  if (const auto& partition = feed.listing.partition) {
    const DatedKeys& keys = partition->keys;
    for (const std::string& before : keys.before) {
      ranges.push_back({before, from ? start_at(before, keys.format, *from) : ""});
    }
    return wanted_of(feed, std::move(ranges));
  }
  for (const Pattern& pattern : feed.unit.patterns) {
    ListRange range{.prefix = pattern.literal_prefix()};
    if (from && feed.unit.name_time) {
      range.start_after = start_of(pattern, *feed.unit.name_time, *from);
    }
    ranges.push_back(std::move(range));
  }
  return narrow(apart(std::move(ranges)), feed.listing.include);
}

std::optional<std::vector<ListRange>> dated_ranges(const Feed& feed, Time from, Time to,
                                                   std::size_t most) {
  std::vector<DatedKeys> all;
  if (const auto& partition = feed.listing.partition) {
    all.push_back(partition->keys);
  } else {
    for (const Pattern& pattern : feed.unit.patterns) {
      if (!feed.unit.name_time || pattern.first_capture() != feed.unit.name_time->capture) {
        return std::nullopt;
      }
      Result<DatedKeys> keys = dated_keys(pattern, {});
      if (!keys) return std::nullopt;
      all.push_back(std::move(*keys));
    }
  }
  std::vector<ListRange> ranges;
  for (const DatedKeys& keys : all) {
    if (count_between(keys, from, to) > most - std::min(most, ranges.size())) return std::nullopt;
    for (std::string& prefix : prefixes_between(keys, from, to)) {
      ranges.push_back({.prefix = std::move(prefix)});
    }
  }
  return wanted_of(feed, std::move(ranges));
}

}  // namespace forebay
