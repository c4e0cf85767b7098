#include "engine/time_sql.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "base/check.h"
#include "engine/collapse_sql.h"
#include "engine/value.h"

namespace forebay::duckdb {
namespace {

constexpr std::int64_t kMicrosADay = 86'400'000'000;

// Date, then perhaps a time of day with an offset: what ISO 8601 and RFC 3339 have in common.
constexpr const char* kIsoForm =
    "[0-9]{4}-[0-9]{2}-[0-9]{2}([Tt ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]+)?)?"
    "([Zz]|[+-][0-9]{2}(:?[0-9]{2})?)?)?";
constexpr const char* kOffset = "([Zz]|[+-][0-9]{2}(:?[0-9]{2})?)$";

std::string unreadable(const TimeAxis& axis, const std::string& column, const char* form) {
  return fmt::format(
      "error({} || {}::VARCHAR)",
      literal(fmt::format("a value {} {} (a time as {}): ", kDriftMark, axis.column, form)),
      column);
}

// Nanoseconds since 1970. What lies outside 1677 to 2262 counts as the first or the last of them,
// which keeps its side of every bound.
std::string iso_ticks(const TimeAxis& axis, const std::string& column) {
  const std::string zoned = fmt::format(
      "CASE WHEN length({0}) = 10 THEN {0} || ' 00:00:00+00' WHEN regexp_matches({0}, '{1}') "
      "THEN {0} ELSE {0} || '+00' END",
      column, kOffset);
  const std::string nanos = fmt::format(
      "epoch_us(CAST({0} AS TIMESTAMPTZ))::HUGEINT * 1000 + "
      "rpad(regexp_extract({1}, '\\.[0-9]{{6}}([0-9]{{1,3}})', 1), 3, '0')::INTEGER",
      zoned, column);
  return fmt::format(
      "CASE WHEN {0} IS NULL THEN NULL WHEN regexp_full_match({0}, '{1}') THEN "
      "greatest(least({2}, 9223372036854775807), -9223372036854775807)::BIGINT ELSE {3} END",
      column, kIsoForm, nanos, unreadable(axis, column, "ISO 8601"));
}

std::string date_ticks(const std::string& date) {
  return fmt::format("CASE WHEN isfinite({0}) THEN {0} - DATE '1970-01-01' END", date);
}

std::string text_ticks(const TimeAxis& axis, const std::string& column) {
  if (axis.unit != TimeUnit::day) return iso_ticks(axis, column);
  return fmt::format(
      "CASE WHEN {0} IS NULL THEN NULL WHEN regexp_full_match({0}, "
      "'[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}') THEN CAST({0} AS DATE) - DATE '1970-01-01' ELSE {1} END",
      column, unreadable(axis, column, "a date"));
}

std::string native_ticks(const TimeAxis& axis, const std::string& column) {
  switch (axis.unit) {
    case TimeUnit::day:
      return date_ticks(axis.type.kind == TypeKind::date ? column
                                                         : fmt::format("CAST({} AS DATE)", column));
    case TimeUnit::second: return fmt::format("(epoch_ms({}) // 1000)", column);
    case TimeUnit::milli: return fmt::format("epoch_ms({})", column);
    case TimeUnit::micro: return fmt::format("epoch_us({})", column);
    case TimeUnit::nano: return fmt::format("epoch_ns({})", column);
  }
  std::unreachable();
}

// A point of a timestamp without zone, from microseconds, in the column's own type.
std::string timestamp_literal(const TimeAxis& axis, std::int64_t micros) {
  if (axis.type.kind == TypeKind::timestamp_tz) return fmt::format("make_timestamptz({})", micros);
  if (axis.type.kind == TypeKind::timestamp_us) return fmt::format("make_timestamp({})", micros);
  return fmt::format("CAST(make_timestamp({}) AS {})", micros, to_sql(axis.type));
}

std::string column_of(const TimeAxis& axis, const std::string& alias) {
  return alias + quote(axis.column);
}

// What is compared with ticks_literal(): the column itself wherever that can be.
std::string comparable(const TimeAxis& axis, const std::string& alias) {
  const std::string column = column_of(axis, alias);
  return axis.form == TimeAxis::Form::text ? fmt::format("({})", text_ticks(axis, column)) : column;
}

std::string part_sql(const PartBound& part, const std::string& alias) {
  return fmt::format("({} >= {} OR {} IS NULL)", comparable(part.axis, alias),
                     ticks_literal(part.axis, part.from), column_of(part.axis, alias));
}

}  // namespace

std::string ticks_sql(const TimeAxis& axis, const std::string& alias) {
  const std::string column = column_of(axis, alias);
  switch (axis.form) {
    case TimeAxis::Form::native: return fmt::format("({})", native_ticks(axis, column));
    case TimeAxis::Form::number: return fmt::format("TRY_CAST({} AS BIGINT)", column);
    case TimeAxis::Form::text: return fmt::format("({})", text_ticks(axis, column));
  }
  std::unreachable();
}

std::string instant_sql(const std::string& name, const std::string& value) {
  return fmt::format("({})", iso_ticks({.column = name}, value));
}

std::string ticks_literal(const TimeAxis& axis, std::int64_t ticks) {
  if (axis.form != TimeAxis::Form::native) return fmt::format("{}::BIGINT", ticks);
  if (axis.type.kind == TypeKind::date)
    return fmt::format("(DATE '1970-01-01' + {}::INTEGER)", ticks);
  switch (axis.unit) {
    case TimeUnit::day: return timestamp_literal(axis, ticks * kMicrosADay);
    case TimeUnit::second: return timestamp_literal(axis, ticks * 1'000'000);
    case TimeUnit::milli: return timestamp_literal(axis, ticks * 1'000);
    case TimeUnit::micro: return timestamp_literal(axis, ticks);
    case TimeUnit::nano: return fmt::format("make_timestamp_ns({})", ticks);
  }
  std::unreachable();
}

std::string filter_sql(const RowFilter& filter, const std::string& alias) {
  const std::string column = column_of(filter.axis, alias);
  if (!filter.above)
    return filter.nulls ? std::string("true") : fmt::format("{} IS NOT NULL", column);
  std::string above =
      fmt::format("{} {} {}", comparable(filter.axis, alias), filter.above->inclusive ? ">=" : ">",
                  ticks_literal(filter.axis, filter.above->ticks));
  if (filter.part) above = fmt::format("({} AND {})", above, part_sql(*filter.part, alias));
  if (filter.nulls) return fmt::format("({} OR {} IS NULL)", above, column);
  return fmt::format("({} IS NOT NULL AND {})", column, above);
}

std::string range_sql(const TimeRange& range, const std::string& alias) {
  const std::string column = column_of(range.axis, alias);
  std::vector<std::string> sides;
  if (range.least)
    sides.push_back(fmt::format("{} >= {}", comparable(range.axis, alias),
                                ticks_literal(range.axis, *range.least)));
  // Within a day's unit a native timestamp may lie anywhere in its last day.
  if (range.most)
    sides.push_back(fmt::format("{} < {}", comparable(range.axis, alias),
                                ticks_literal(range.axis, *range.most + 1)));
  if (range.most && *range.most == INT64_MAX) sides.pop_back();
  sides.push_back(column + " IS NOT NULL");
  const std::string times =
      range.times ? fmt::format("({})", fmt::join(sides, " AND ")) : std::string("false");
  return range.nulls ? fmt::format("({} OR {} IS NULL)", times, column) : times;
}

std::string before_sql(const TimeAxis& axis, std::int64_t ticks, const std::string& alias) {
  return fmt::format("({} IS NOT NULL AND {} < {})", column_of(axis, alias),
                     comparable(axis, alias), ticks_literal(axis, ticks));
}

}  // namespace forebay::duckdb
