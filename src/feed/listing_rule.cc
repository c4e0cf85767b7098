#include "feed/listing_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/check.h"
#include "base/time_text.h"

namespace forebay {
namespace {

using std::chrono::days;
using std::chrono::floor;
using std::chrono::hours;
using std::chrono::sys_days;
using std::chrono::year_month_day;

std::unexpected<Error> unfit(std::string cause, std::string hint = {}) {
  return fail({.code = ErrorCode::invalid_config,
               .operation = "read pattern",
               .cause = std::move(cause),
               .hint = std::move(hint)});
}

// A part of a pattern's text: literal bytes, or a capture with its type.
struct Part {
  bool capture = false;
  std::string text;  // the literal, or the capture's name
  std::string type;
};

// A pattern that was parsed before, taken apart again.
std::vector<Part> parts_of(std::string_view text) {
  std::vector<Part> parts;
  const auto literal = [&](char c) {
    if (parts.empty() || parts.back().capture) parts.emplace_back();
    parts.back().text += c;
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool doubled = at + 1 < text.size() && text[at + 1] == text[at];
    if (text[at] == '}' || (text[at] == '{' && doubled)) {
      literal(text[at++]);  // a brace that stands for itself is written twice
    } else if (text[at] == '{') {
      const std::size_t close = text.find('}', at);
      const std::string_view inside = text.substr(at + 1, close - at - 1);
      const std::size_t colon = std::min(inside.find(':'), inside.size());
      parts.push_back({.capture = true,
                       .text = std::string(inside.substr(0, colon)),
                       .type = std::string(inside.substr(std::min(colon + 1, inside.size())))});
      at = close;
    } else {
      literal(text[at]);
    }
  }
  return parts;
}

// The beginning of a literal, up to its first wildcard.
std::string_view without_wildcard(std::string_view literal) {
  return literal.substr(0, literal.find('*'));
}

// Times whose text has no fixed length need something behind them that ends them: "2026-1" is the
// beginning of "2026-10" too.
bool ends_open(std::string_view format) {
  const std::size_t last = format.rfind('%');
  if (last == std::string_view::npos || last + 1 >= format.size()) return false;
  const bool unpadded = format[last + 1] == '-';
  return last + (unpadded ? 3U : 2U) >= format.size() && (unpadded || format[last + 1] == 's');
}

Time next(Time time, Grain grain) {
  switch (grain) {
    case Grain::hour: return time + hours(1);
    case Grain::day: return time + days(1);
    case Grain::month: return sys_days(year_month_day(floor<days>(time)) + std::chrono::months(1));
    case Grain::year: return sys_days(year_month_day(floor<days>(time)) + std::chrono::years(1));
    case Grain::finer: break;
  }
  CHECK(false);
  std::unreachable();
}

}  // namespace

Grain grain_of(std::string_view format) {
  const auto names = [&](std::string_view directives) {
    for (std::size_t at = format.find('%'); at < format.size(); at = format.find('%', at + 2)) {
      const std::size_t word = at + (format.substr(at).starts_with("%-") ? 2U : 1U);
      if (word < format.size() && directives.contains(format[word])) return true;
    }
    return false;
  };
  if (names("sMSf")) return Grain::finer;
  if (names("H")) return Grain::hour;
  if (names("dj")) return Grain::day;
  return names("m") ? Grain::month : Grain::year;
}

Time floor_to(Time time, Grain grain) {
  const year_month_day date(floor<days>(time));
  switch (grain) {
    case Grain::finer: return time;
    case Grain::hour: return floor<hours>(time);
    case Grain::day: return floor<days>(time);
    case Grain::month: return sys_days(date.year() / date.month() / 1);
    case Grain::year: return sys_days(date.year() / 1 / 1);
  }
  std::unreachable();
}

Result<DatedKeys> dated_keys(const Pattern& pattern, const Enumerated& values) {
  const std::vector<std::string> names = pattern.capture_names();
  if (std::ranges::none_of(
          names, [&](const std::string& name) { return pattern.time_format(name) != nullptr; })) {
    return unfit("names no time", "write it as {date:%Y-%m-%d}");
  }
  DatedKeys keys{.before = {""}};
  std::set<std::string> used;
  const std::vector<Part> parts = parts_of(pattern.text());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Part& part = parts[i];
    if (part.capture && pattern.time_format(part.text) != nullptr) {
      keys.format = part.type;
      if (i + 1 < parts.size() && !parts[i + 1].capture) {
        keys.after = without_wildcard(parts[i + 1].text);
      }
      break;
    }
    std::vector<std::string> texts = {part.text};
    if (part.capture) {
      const auto found = std::ranges::find(values, part.text, &Enumerated::value_type::first);
      if (found == values.end()) {
        return unfit(
            fmt::format("{{{}}} stands before the time", part.text),
            fmt::format("say which there are: values: {{{}: [first, second]}}", part.text));
      }
      used.insert(part.text);
      texts = found->second;
    } else if (part.text.contains('*')) {
      return unfit("a wildcard stands before the time",
                   "use a capture such as {region}, and say its values");
    }
    std::vector<std::string> longer;
    for (const std::string& before : keys.before) {
      for (const std::string& text : texts) longer.push_back(before + text);
    }
    keys.before = std::move(longer);
  }
  for (const auto& [name, texts] : values) {
    if (!used.contains(name)) return unfit(fmt::format("no {{{}}} stands before the time", name));
  }
  if (grain_of(keys.format) == Grain::finer) {
    return unfit("the time is finer than hours, and each would be a listing of its own",
                 "end it at the hour or the day, and let ** match the rest");
  }
  if (keys.after.empty() && ends_open(keys.format)) {
    return unfit("nothing ends the time", "write what follows it, such as a slash");
  }
  std::ranges::sort(keys.before);
  return keys;
}

std::vector<std::string> prefixes_between(const DatedKeys& keys, Time from, Time to) {
  const Grain grain = grain_of(keys.format);
  std::vector<std::string> prefixes;
  for (const std::string& before : keys.before) {
    for (Time time = floor_to(from, grain); time <= to; time = next(time, grain)) {
      prefixes.push_back(before + format_time(time, keys.format) + keys.after);
    }
  }
  return prefixes;
}

std::size_t count_between(const DatedKeys& keys, Time from, Time to) {
  const Grain grain = grain_of(keys.format);
  if (to < from) return 0;
  const auto span = floor_to(to, grain) - floor_to(from, grain);
  Duration step = hours(1);
  if (grain == Grain::day) step = days(1);
  if (grain == Grain::month) step = days(28);
  if (grain == Grain::year) step = days(365);
  return (static_cast<std::size_t>(span / step) + 1) * keys.before.size();
}

Time PartitionRule::time_of(const Captures& captures) const {
  const CaptureValue* value = captures.find(capture);
  CHECK(value != nullptr);
  return std::get<Time>(*value);
}

// A window of two days is today and yesterday: it counts what it lists.
Time PartitionRule::window_begins(Time now) const {
  const Grain grain = grain_of(keys.format);
  const Time begun = floor_to(now, grain);
  const Duration step = next(begun, grain) - begun;
  return floor_to(window >= step ? begun - window + step : now - window, grain);
}

bool ListingRule::admits(std::string_view key) const {
  const auto matches = [&](const Pattern& pattern) { return pattern.match(key).has_value(); };
  if (!include.empty() && std::ranges::none_of(include, matches)) return false;
  return std::ranges::none_of(exclude, matches);
}

std::vector<ListRange> apart(std::vector<ListRange> ranges) {
  std::ranges::sort(ranges, {}, &ListRange::prefix);
  std::vector<ListRange> result;
  for (ListRange& range : ranges) {
    if (result.empty() || !range.prefix.starts_with(result.back().prefix)) {
      result.push_back(std::move(range));
    } else if (result.back().start_after != range.start_after) {
      result.back().start_after.clear();
    }
  }
  return result;
}

std::vector<ListRange> narrow_to(const std::vector<ListRange>& ranges,
                                 const std::vector<std::string>& beginnings) {
  std::vector<ListRange> narrowed;
  for (const ListRange& range : ranges) {
    for (const std::string& wanted : beginnings) {
      if (range.prefix.starts_with(wanted)) {
        narrowed.push_back(range);
      } else if (wanted.starts_with(range.prefix)) {
        narrowed.push_back({.prefix = wanted, .start_after = range.start_after});
      }
    }
  }
  return apart(std::move(narrowed));
}

std::vector<ListRange> narrow(std::vector<ListRange> ranges, const std::vector<Pattern>& include) {
  if (include.empty()) return ranges;
  std::vector<std::string> beginnings;
  for (const Pattern& pattern : include) beginnings.push_back(pattern.literal_prefix());
  return narrow_to(ranges, beginnings);
}

}  // namespace forebay
