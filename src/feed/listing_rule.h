#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "feed/pattern.h"

namespace forebay {

// What of a bucket a feed lists, and how a listing is cut to a range of time. Plain data and pure
// functions.

// The finest field of the time in a key: the least that one prefix can cover.
enum class Grain { year, month, day, hour, finer };
Grain grain_of(std::string_view time_format);
Time floor_to(Time time, Grain grain);

// Keys whose beginnings tell their time: "region=us/dt=", then "2026-10-20", then "/". A key of a
// time begins with one of `before`, that time's text and `after`, and no other key does.
struct DatedKeys {
  std::vector<std::string> before;  // several where earlier parts are enumerated
  std::string format;               // of the time, as base/time_text.h has it; not finer than hours
  std::string after;
};

// The values of captures that stand before the time.
using Enumerated = std::vector<std::pair<std::string, std::vector<std::string>>>;

// The keys of a pattern as its time shows them. Errors have only a cause and a hint: a wildcard or
// a capture without values before the time, no time or one that is finer than hours.
Result<DatedKeys> dated_keys(const Pattern& pattern, const Enumerated& values);

// One prefix for each time from `from` to `to`, both included, and each beginning; in byte order of
// the beginnings, then of time.
std::vector<std::string> prefixes_between(const DatedKeys& keys, Time from, Time to);
// How many those are, without making them.
std::size_t count_between(const DatedKeys& keys, Time from, Time to);

// Where days or hours stand in the keys (FEEDS, `partition`).
struct PartitionRule {
  Pattern pattern;      // of whole keys; a key that does not begin so is no unit
  std::string capture;  // the time in it
  DatedKeys keys;
  Duration window = std::chrono::days(2);  // what a cycle always lists, up to now
  Duration margin = std::chrono::days(1);  // how far below the mark it lists after a pause
  enum class Start { all, window, date } start = Start::all;
  Time date{};  // Start::date

  Time time_of(const Captures& captures) const;
  // The first time that a cycle at `now` always lists.
  Time window_begins(Time now) const;
};

struct ListingRule {
  std::optional<PartitionRule> partition;
  std::vector<Pattern> include;  // empty: every key
  std::vector<Pattern> exclude;

  // Whether include and exclude let a key be a unit.
  bool admits(std::string_view key) const;
};

// Where to list: a literal beginning of keys, and a key that the listing begins after.
struct ListRange {
  std::string prefix;
  std::string start_after;

  bool operator==(const ListRange&) const = default;
};

// The same in byte order, none within another.
std::vector<ListRange> apart(std::vector<ListRange> ranges);

// What is left of ranges when only keys that begin like one of the patterns are wanted.
std::vector<ListRange> narrow(std::vector<ListRange> ranges, const std::vector<Pattern>& include);
// The same for literal beginnings of keys.
std::vector<ListRange> narrow_to(const std::vector<ListRange>& ranges,
                                 const std::vector<std::string>& beginnings);

}  // namespace forebay
