#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/column_type.h"

namespace forebay {

// The time of a row, as whole ticks since 1970 in a column's own unit: nothing is ever rounded.

enum class TimeUnit { day, second, milli, micro, nano };

// How one column of a table says when its rows happened.
struct TimeAxis {
  enum class Form {
    native,  // DATE and the timestamps
    number,  // ticks as they stand
    text,    // ISO 8601; with unit day, a date alone
  };
  std::string column;
  ColumnType type;
  Form form = Form::native;
  TimeUnit unit = TimeUnit::micro;

  bool operator==(const TimeAxis&) const = default;
};

// The lower bound of a window.
struct TimeBound {
  std::int64_t ticks = 0;
  bool inclusive = false;  // false: a row exactly there is below it

  bool operator==(const TimeBound&) const = default;
};

// A coarser time beside the rows' own: rows of parts before `from` are not taken. The bound is of
// whole parts, so it takes nothing away from rows whose two times agree.
struct PartBound {
  TimeAxis axis;
  std::int64_t from = 0;  // ticks of the axis, inclusive

  bool operator==(const PartBound&) const = default;
};

// Which rows of a file are taken.
struct RowFilter {
  TimeAxis axis;
  std::optional<TimeBound> above;  // absent: every row that has a time
  bool nulls = true;               // rows without a time too
  std::optional<PartBound> part;   // rows without such a value are taken

  bool operator==(const RowFilter&) const = default;
};

// A span that holds the times of some rows. A side that is absent is open.
struct TimeRange {
  TimeAxis axis;
  std::optional<std::int64_t> least;
  std::optional<std::int64_t> most;
  bool times = true;   // any row with a time at all
  bool nulls = false;  // rows without a time too
};

// What the times of some files' rows say, after their filters.
struct FileTimes {
  std::int64_t file_id = 0;
  std::uint64_t kept = 0;  // rows that pass the filter
};
// The parts of a Parquet file, and those of them that its statistics prove to hold no row that a
// filter takes: the reader skips them.
struct GroupCount {
  std::uint64_t all = 0;
  std::uint64_t skipped = 0;
};
struct TimeScan {
  std::vector<FileTimes> files;          // those with rows that pass
  std::uint64_t nulls = 0;               // of them, rows without a time
  std::uint64_t unmeasured = 0;          // of them, rows with a time beyond any tick (infinity)
  std::optional<std::int64_t> greatest;  // that may become the mark
  std::optional<std::int64_t> least;
  std::optional<std::int64_t> most;
};

}  // namespace forebay
