#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/time_axis.h"
#include "feed/feed.h"
#include "load/pipeline.h"
#include "target/target.h"

namespace forebay {

// The mark of a feed whose unit is a window: the greatest time applied, exactly. The ledger has it
// as text: the format's word, the unit, the ticks: "unix_millis ms 1761000000123".
struct TimeMark {
  TimeFormat format = TimeFormat::own;  // never `own` once rows were read
  TimeUnit unit = TimeUnit::micro;
  std::int64_t ticks = 0;

  bool operator==(const TimeMark&) const = default;
};
std::string to_text(const TimeMark& mark);
std::string time_format_word(TimeFormat format);  // as a pipeline writes it
// Exactly, whatever their units.
bool is_after(const TimeMark& mark, const TimeMark& other);
// Nothing for an empty text. internal: a text that no version of this program wrote.
Result<std::optional<TimeMark>> parse_mark(std::string_view text);
// The mark up to which a table was loaded; nothing where it has to be loaded anew.
Result<std::optional<TimeMark>> mark_of(const LedgerHead& head, const TableName& table);
// For people and for `unit_time`: rounded down to microseconds; nothing beyond what a Time can say.
std::optional<Time> time_of(const TimeMark& mark);

// The one table of a feed whose unit is a window.
TableName window_table(const Pipeline& pipeline);

// How the time column of a table is read. drift: the column's type cannot be read in the format
// that the pipeline gives; invalid_config: the type says nothing by itself and no format is given.
Result<TimeAxis> time_axis(const WindowRule& rule, const TableName& table,
                           const std::vector<Column>& columns);
TimeFormat format_of(const TimeAxis& axis, const WindowRule& rule);

// The same for the column of a partition, which is a date, a timestamp or a text that is a date;
// nothing where there is no such column. drift: it is none of these.
Result<std::optional<TimeAxis>> part_axis(const TimePartition& partition, const TableName& table,
                                          const std::vector<Column>& columns);

// Whether the time of the file itself stands for the time of its rows: no column has its name.
bool by_file_time(const WindowRule& rule, const std::vector<Column>& columns);

// The lower bound of a window, in ticks of `unit`: the mark less the overlap; for days the start of
// the day of that, inclusive. Nothing: every row is above it.
std::optional<TimeBound> lower_bound(const WindowRule& rule, const std::optional<TimeMark>& mark,
                                     TimeUnit unit);

// A point in time in whole ticks of `unit`, rounded down.
std::int64_t ticks_at(Time time, TimeUnit unit);

// What a listing says about the files that the ledger knows.
struct ListedFiles {
  bool complete = false;     // everything was listed: what is not there is gone
  std::vector<bool> newest;  // by file id, of the newest version that the ledger has of a key
  bool has(std::int64_t newest_id) const {
    const auto i = static_cast<std::size_t>(newest_id);
    return i >= newest.size() || newest[i];  // one that was applied since the listing is there
  }
};

// What a cycle knows about its window before a file is read.
struct WindowState {
  ListedFiles listed;
  Time latest{};  // times after it lie in the future and never become the mark
};

}  // namespace forebay
