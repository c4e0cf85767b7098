#include "load/window.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/check.h"

namespace forebay {
namespace {

constexpr std::int64_t kMicrosADay = 86'400'000'000;

struct FormatWord {
  TimeFormat format;
  std::string_view word;
};
constexpr FormatWord kFormats[] = {{TimeFormat::own, "own"},
                                   {TimeFormat::timestamp, "timestamp"},
                                   {TimeFormat::timestamptz, "timestamptz"},
                                   {TimeFormat::unix_seconds, "unix_seconds"},
                                   {TimeFormat::unix_millis, "unix_millis"},
                                   {TimeFormat::unix_nanos, "unix_nanos"},
                                   {TimeFormat::iso8601, "iso8601"},
                                   {TimeFormat::date, "date"}};

struct UnitWord {
  TimeUnit unit;
  std::string_view word;
  std::int64_t nanos;  // of one tick
};
constexpr UnitWord kUnits[] = {{TimeUnit::day, "day", kMicrosADay * 1000},
                               {TimeUnit::second, "s", 1'000'000'000},
                               {TimeUnit::milli, "ms", 1'000'000},
                               {TimeUnit::micro, "us", 1'000},
                               {TimeUnit::nano, "ns", 1}};

const UnitWord& entry(TimeUnit unit) { return *std::ranges::find(kUnits, unit, &UnitWord::unit); }

std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

// Ticks of one unit in another, rounded down; at the end of the numbers the last one.
std::int64_t convert(std::int64_t ticks, TimeUnit from, TimeUnit to) {
  const std::int64_t a = entry(from).nanos;
  const std::int64_t b = entry(to).nanos;
  if (a <= b) return floor_div(ticks, b / a);
  std::int64_t result = 0;
  if (!__builtin_mul_overflow(ticks, a / b, &result)) return result;
  return ticks < 0 ? INT64_MIN : INT64_MAX;
}

// The overlap in ticks, rounded up or down.
std::int64_t overlap_ticks(Duration overlap, TimeUnit unit, bool up) {
  const std::int64_t micros = overlap.count();
  if (unit == TimeUnit::nano) return convert(micros, TimeUnit::micro, unit);
  const std::int64_t tick = entry(unit).nanos / 1000;
  return up ? floor_div(micros + tick - 1, tick) : micros / tick;
}

bool is_integer(TypeKind kind) {
  switch (kind) {
    case TypeKind::int8:
    case TypeKind::int16:
    case TypeKind::int32:
    case TypeKind::int64:
    case TypeKind::uint8:
    case TypeKind::uint16:
    case TypeKind::uint32:
    case TypeKind::uint64: return true;
    default: return false;
  }
}

std::optional<TimeUnit> timestamp_unit(TypeKind kind) {
  switch (kind) {
    case TypeKind::timestamp_s: return TimeUnit::second;
    case TypeKind::timestamp_ms: return TimeUnit::milli;
    case TypeKind::timestamp_us:
    case TypeKind::timestamp_tz: return TimeUnit::micro;
    case TypeKind::timestamp_ns: return TimeUnit::nano;
    default: return std::nullopt;
  }
}

std::optional<TimeUnit> number_unit(TimeFormat format) {
  switch (format) {
    case TimeFormat::unix_seconds: return TimeUnit::second;
    case TimeFormat::unix_millis: return TimeUnit::milli;
    case TimeFormat::unix_nanos: return TimeUnit::nano;
    case TimeFormat::own:
    case TimeFormat::timestamp:
    case TimeFormat::timestamptz:
    case TimeFormat::iso8601:
    case TimeFormat::date: return std::nullopt;
  }
  std::unreachable();
}

// The format that a type says by itself.
TimeFormat own_format(TypeKind kind) {
  if (kind == TypeKind::date) return TimeFormat::date;
  if (kind == TypeKind::timestamp_tz) return TimeFormat::timestamptz;
  return timestamp_unit(kind) ? TimeFormat::timestamp : TimeFormat::own;
}

std::optional<TimeAxis> axis_for(TimeFormat format, const Column& column) {
  TimeAxis axis{.column = column.name, .type = column.type};
  const TypeKind kind = column.type.kind;
  const bool text = kind == TypeKind::text;
  const auto timestamp = timestamp_unit(kind);
  if (const auto unit = number_unit(format)) {
    axis.form = TimeAxis::Form::number;
    axis.unit = *unit;
    return is_integer(kind) ? std::optional(axis) : std::nullopt;
  }
  if (format == TimeFormat::date) {
    axis.form = text ? TimeAxis::Form::text : TimeAxis::Form::native;
    axis.unit = TimeUnit::day;
    return text || timestamp || kind == TypeKind::date ? std::optional(axis) : std::nullopt;
  }
  if (format == TimeFormat::iso8601 && text) {
    axis.form = TimeAxis::Form::text;
    axis.unit = TimeUnit::nano;
    return axis;
  }
  // What came as text in a file without types may have found its type already.
  if (format == TimeFormat::iso8601) {
    axis.unit = kind == TypeKind::date ? TimeUnit::day : timestamp.value_or(TimeUnit::micro);
    return kind == TypeKind::date || timestamp ? std::optional(axis) : std::nullopt;
  }
  const bool zoned = kind == TypeKind::timestamp_tz;
  if (!timestamp || zoned != (format == TimeFormat::timestamptz)) return std::nullopt;
  axis.unit = *timestamp;
  return axis;
}

const Column* find(const std::vector<Column>& columns, const std::string& name) {
  const auto found = std::ranges::find(columns, name, &Column::name);
  return found == columns.end() ? nullptr : &*found;
}

}  // namespace

std::string time_format_word(TimeFormat format) {
  return std::string(std::ranges::find(kFormats, format, &FormatWord::format)->word);
}

std::string to_text(const TimeMark& mark) {
  CHECK(mark.format != TimeFormat::own);
  return fmt::format("{} {} {}", time_format_word(mark.format), entry(mark.unit).word, mark.ticks);
}

Result<std::optional<TimeMark>> parse_mark(std::string_view text) {
  if (text.empty()) return std::optional<TimeMark>();
  const std::size_t first = text.find(' ');
  const std::size_t last = text.rfind(' ');
  TimeMark mark;
  const auto* format = std::ranges::find(kFormats, text.substr(0, first), &FormatWord::word);
  const auto* unit =
      first == last
          ? std::ranges::end(kUnits)
          : std::ranges::find(kUnits, text.substr(first + 1, last - first - 1), &UnitWord::word);
  const std::string_view number = last == text.npos ? "" : text.substr(last + 1);
  const auto read = std::from_chars(number.data(), number.data() + number.size(), mark.ticks);
  const bool sound = format != std::ranges::end(kFormats) && unit != std::ranges::end(kUnits) &&
                     read.ec == std::errc() && read.ptr == number.data() + number.size();
  if (!sound)
    return fail({.code = ErrorCode::internal,
                 .operation = "read",
                 .object = "the mark in the ledger",
                 .cause = fmt::format("\"{}\" is no mark of a window", text)});
  mark.format = format->format;
  mark.unit = unit->unit;
  return std::optional(mark);
}

Result<std::optional<TimeMark>> mark_of(const LedgerHead& head, const TableName& table) {
  if (head.fact("table", table.display()) == nullptr) return std::optional<TimeMark>();
  return parse_mark(head.mark);
}

bool is_after(const TimeMark& mark, const TimeMark& other) {
  const TimeUnit finer = std::max(mark.unit, other.unit);  // units are listed from the coarsest
  return convert(mark.ticks, mark.unit, finer) > convert(other.ticks, other.unit, finer);
}

std::optional<Time> time_of(const TimeMark& mark) {
  const std::int64_t micros = convert(mark.ticks, mark.unit, TimeUnit::micro);
  if (micros == INT64_MIN || micros == INT64_MAX) return std::nullopt;
  return Time(Duration(micros));
}

TimeFormat format_of(const TimeAxis& axis, const WindowRule& rule) {
  return rule.format == TimeFormat::own ? own_format(axis.type.kind) : rule.format;
}

Result<TimeAxis> time_axis(const WindowRule& rule, const TableName& table,
                           const std::vector<Column>& columns) {
  const Column* column = find(columns, rule.time_column);
  CHECK(column != nullptr);  // every file must have it
  const TimeFormat format =
      rule.format == TimeFormat::own ? own_format(column->type.kind) : rule.format;
  const std::string object = fmt::format("column '{}' of {}", column->name, table.display());
  if (format == TimeFormat::own)
    return fail(
        {.code = ErrorCode::invalid_config,
         .operation = "read the time in",
         .object = object,
         .cause = fmt::format("its type {} does not say how it means a time", to_sql(column->type)),
         .hint = is_integer(column->type.kind)
                     ? "set time_format: unix_seconds, unix_millis or unix_nanos"
                 : column->type.kind == TypeKind::text
                     ? "set time_format: iso8601, or date"
                     : "a time is a date, a timestamp, a whole number or a text"});
  if (auto axis = axis_for(format, *column)) return *axis;
  return fail({.code = ErrorCode::drift,
               .operation = "read the time in",
               .object = object,
               .cause = fmt::format("its type {} cannot be read as {}", to_sql(column->type),
                                    time_format_word(format)),
               .hint = "set time_format to what the column holds"});
}

Result<std::optional<TimeAxis>> part_axis(const TimePartition& partition, const TableName& table,
                                          const std::vector<Column>& columns) {
  const Column* column = find(columns, partition.column);
  if (column == nullptr) return std::optional<TimeAxis>();
  const TypeKind kind = column->type.kind;
  const TimeFormat format = kind == TypeKind::text ? TimeFormat::date : own_format(kind);
  if (auto axis = axis_for(format, *column)) return axis;
  return fail({.code = ErrorCode::drift,
               .operation = "read the partition in",
               .object = fmt::format("column '{}' of {}", column->name, table.display()),
               .cause = fmt::format("its type {} is neither a date nor a timestamp nor a text",
                                    to_sql(column->type)),
               .hint = "take time_partition_column out, or name a column that is"});
}

TableName window_table(const Pipeline& pipeline) {
  return {pipeline.schema, pipeline.feed.table->name};
}

bool by_file_time(const WindowRule& rule, const std::vector<Column>& columns) {
  return rule.time_column == kFileTime && find(columns, kFileTime) == nullptr;
}

std::optional<TimeBound> lower_bound(const WindowRule& rule, const std::optional<TimeMark>& mark,
                                     TimeUnit unit) {
  if (!mark) return std::nullopt;
  const bool inclusive = rule.inclusive || unit == TimeUnit::day;
  // Strictly above a time between two ticks is strictly above the tick before it; at or above it is
  // at or above the tick after it. Days begin with the day that the bound lies in.
  const bool down = !inclusive || unit == TimeUnit::day;
  const std::int64_t at = convert(mark->ticks, mark->unit, unit);
  TimeBound bound{.inclusive = inclusive};
  if (__builtin_sub_overflow(at, overlap_ticks(rule.overlap, unit, down), &bound.ticks))
    return std::nullopt;
  return bound;
}

std::int64_t ticks_at(Time time, TimeUnit unit) {
  return convert(time.time_since_epoch().count(), TimeUnit::micro, unit);
}

}  // namespace forebay
