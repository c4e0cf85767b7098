#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "feed/pattern.h"
#include "feed/run_rule.h"
#include "feed/value_ref.h"

namespace forebay {

// `unit` of a description: what commits as one, by which names it is found, and in which order.

// What commits as one.
enum class UnitKind {
  document,  // an object that lists its files
  file,      // each object by itself
  window,    // the rows of all objects above a mark
};

// The time in a unit's name: where a listing may start, and how old the unit is. The format must
// match at the beginning of the capture; what follows it is free.
struct NameTime {
  std::string capture;
  std::string format;
};

struct UnitRule {
  UnitKind kind = UnitKind::file;
  std::vector<Pattern> patterns;   // a name that matches two of them is refused
  std::vector<std::string> order;  // captures, `$file` or `$key`; empty: no order
  bool skip_hidden = false;        // keys with a segment that begins with `_` or `.` are no units
  std::optional<NameTime> name_time;
  // How far below the mark a cycle lists again. Without order and without it: a cycle lists all.
  std::optional<Duration> lookback;
  std::optional<ValueRef> time;  // the unit's own time in the document, RFC 3339
  RunRule run;                   // documents that are known by what they say
  StopScope stop = StopScope::feed;
  // Documents: when the list of a known unit changes, only its files that are new or differ are
  // read, and what it no longer has is taken back. Else a changed document is `on_rewrite`.
  bool grows = false;
  // Documents that are none: the unit is all data in a folder, and `patterns` match the keys of
  // such data, whose capture kBelowFolder is what stands below the folder.
  bool folder = false;
  std::vector<std::string> stop_by;  // StopScope::captures
  // A capture whose numbers follow each other without a gap, in each scope of a stop; empty: none.
  std::string gapless;
  std::optional<std::uint64_t> gapless_from;  // the first number; absent: the lowest that is seen
  // The first part of the order, whose greater values begin a table anew; empty: none.
  std::string generation;
};

}  // namespace forebay
