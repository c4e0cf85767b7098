#pragma once

#include <optional>
#include <string>

#include "base/clock.h"

namespace forebay {

// What a unit of kind `window` is: the rows of a set of files, seen as one table, whose time lies
// above a mark. The mark is the greatest time applied, and it stands in the ledger.

// How a column says when a row happened.
enum class TimeFormat {
  own,        // what the column's type says; a number or a text says nothing by itself
  timestamp,  // without zone, read as UTC
  timestamptz,
  unix_seconds,
  unix_millis,
  unix_nanos,
  iso8601,  // text; without an offset it is UTC
  date,     // no time of day: all rows of a day share one value
};

enum class TimeGrain { day, month, year };

// A time that is coarser than the rows' and shows which files cannot hold new ones: a part of the
// key (`dt=2026-10-20/`), or a column of the files.
struct TimePartition {
  std::string column;
  std::string format;  // of the value in a key: base/time_text.h, or `date`
  TimeGrain grain = TimeGrain::day;
};

struct WindowRule {
  // `last_modified` stands for the file's own time, unless the files have a column of that name.
  std::string time_column;
  TimeFormat format = TimeFormat::own;
  std::optional<TimePartition> partition;
  Duration overlap{};                 // how far below the mark rows are read again
  bool inclusive = false;             // rows that share the mark's time are read again, too
  bool load_late = false;             // rows at or below the bound in files never seen before
  bool load_nulls = true;             // rows without a time
  std::optional<Duration> retention;  // rows older than this are deleted after a cycle
};

// The name that stands for the time of the file instead of a column.
inline constexpr const char* kFileTime = "last_modified";

}  // namespace forebay
