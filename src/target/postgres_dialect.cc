// PostgreSQL's words: types, literals and the few functions that differ.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <charconv>
#include <utility>

#include "base/check.h"
#include "base/time_text.h"
#include "target/postgres_session.h"

namespace forebay {
namespace {

// The ledger's texts compare like their bytes, as everywhere.
constexpr const char* kBytewise = " COLLATE \"C\"";

constexpr const char* kIndexes = R"sql(
CREATE TABLE IF NOT EXISTS _forebay.file_ranges (
  ids int8range NOT NULL,
  EXCLUDE USING gist (ids WITH &&));

CREATE TABLE IF NOT EXISTS _forebay.column_types (
  table_schema {text} NOT NULL,
  table_name {text} NOT NULL,
  column_name {text} NOT NULL,
  type {text} NOT NULL{row});

CREATE INDEX IF NOT EXISTS units_unit ON _forebay.units (pipeline, unit, commit_no);
CREATE INDEX IF NOT EXISTS file_log_file ON _forebay.file_log (file_id);
CREATE INDEX IF NOT EXISTS file_log_key ON _forebay.file_log (pipeline, store_key);
CREATE INDEX IF NOT EXISTS file_log_unit ON _forebay.file_log (pipeline, unit);
CREATE INDEX IF NOT EXISTS documents_key ON _forebay.documents (pipeline, key);
)sql";

// A time as text → nanoseconds since 1970. Texts were read once by the engine, so they have the
// form.
std::string nanos(const std::string& text) {
  const std::string zoned = fmt::format(
      "CASE WHEN length({0}) = 10 THEN {0} || ' 00:00:00+00' "
      "WHEN {0} ~ '([Zz]|[+-][0-9]{{2}}(:?[0-9]{{2}})?)$' THEN {0} ELSE {0} || '+00' END",
      text);
  return fmt::format(
      "(extract(epoch FROM CAST(regexp_replace({0}, '(\\.[0-9]{{6}})[0-9]+', '\\1') AS "
      "timestamptz)) * 1000000000 + CAST(rpad(coalesce(substring({1} FROM "
      "'\\.[0-9]{{6}}([0-9]{{1,3}})'), ''), 3, '0') AS integer))",
      zoned, text);
}

// A row's time as it is compared with tick(): the column itself wherever that can be.
std::string on_axis(const TimeAxis& axis, const std::string& column) {
  if (axis.form != TimeAxis::Form::text) return column;
  return axis.unit == TimeUnit::day ? fmt::format("CAST({} AS date)", column) : nanos(column);
}

std::string days_later(std::int64_t days) { return fmt::format("(DATE '1970-01-01' + {})", days); }

// A point of an axis in the column's own type.
std::string tick(const TimeAxis& axis, std::int64_t ticks) {
  if (axis.form == TimeAxis::Form::number) return fmt::format("({})::numeric", ticks);
  if (axis.form == TimeAxis::Form::text)
    return axis.unit == TimeUnit::day ? days_later(ticks) : fmt::format("({})::numeric", ticks);
  if (axis.type.kind == TypeKind::date) return days_later(ticks);
  const char* zero = axis.type.kind == TypeKind::timestamp_tz
                         ? "TIMESTAMPTZ '1970-01-01 00:00:00+00'"
                         : "TIMESTAMP '1970-01-01 00:00:00'";
  // An interval of whole microseconds is exact below 2^53 of them, in seconds and a rest.
  const auto point = [&](std::int64_t seconds, std::int64_t micros) {
    return fmt::format("({} + ({}) * INTERVAL '1 second' + ({}) * INTERVAL '1 microsecond')", zero,
                       seconds, micros);
  };
  switch (axis.unit) {
    case TimeUnit::day: return point(ticks * 86'400, 0);
    case TimeUnit::second: return point(ticks, 0);
    case TimeUnit::milli: return point(ticks / 1'000, ticks % 1'000 * 1'000);
    case TimeUnit::micro: return point(ticks / 1'000'000, ticks % 1'000'000);
    // PostgreSQL's times are of microseconds; what lies above one lies at or above the next.
    case TimeUnit::nano: {
      const std::int64_t micros = ticks / 1'000 + (ticks % 1'000 > 0 ? 1 : 0);
      return point(micros / 1'000'000, micros % 1'000'000);
    }
  }
  std::unreachable();
}

class PostgresDialect final : public SqlDialect {
 public:
  LedgerWords ledger_words() const override {
    return {.text = fmt::format("TEXT{}", kBytewise),
            .bytes = "BYTEA",
            .real = "DOUBLE PRECISION",
            .row = ",\n  rowid BIGINT GENERATED ALWAYS AS IDENTITY",
            .view = "OR REPLACE VIEW",
            .group_json = "json_object_agg",
            .more = kIndexes};
  }
  std::string type(const ColumnType& type) const override;
  std::string bytes(std::string_view bytes) const override {
    std::string sql = "'\\x";
    for (const char c : bytes) sql += fmt::format("{:02x}", static_cast<unsigned char>(c));
    return sql + "'::bytea";
  }
  std::string time(Time time) const override {
    return fmt::format("'{}'::timestamptz", format_rfc3339(time));
  }
  std::string micros(const std::string& time) const override {
    return fmt::format("CAST(extract(epoch FROM {}) * 1000000 AS BIGINT)", time);
  }
  std::string at_greatest(const std::string& value,
                          const std::vector<std::string>& by) const override {
    std::vector<std::string> order;
    for (const std::string& term : by) order.push_back(term + " DESC NULLS LAST");
    return fmt::format("(array_agg({} ORDER BY {}))[1]", value, fmt::join(order, ", "));
  }
  std::string at_least(const std::string& value, const std::string& by) const override {
    return fmt::format("(array_agg({} ORDER BY {}))[1]", value, by);
  }
  std::string temporary(const std::string& name, const std::string& select) const override {
    return fmt::format("DROP TABLE IF EXISTS pg_temp.{0}; CREATE TEMPORARY TABLE {0} AS {1}", name,
                       select);
  }
  std::string temporary_columns(const std::string& name,
                                const std::string& columns) const override {
    return fmt::format("DROP TABLE IF EXISTS pg_temp.{0}; CREATE TEMPORARY TABLE {0} ({1})", name,
                       columns);
  }
  std::string temporary_schema() const override { return "pg_temp"; }
  std::string any(const std::string& value) const override {
    return fmt::format("(array_agg({}))[1]", value);
  }
  std::string repeat(const std::string& times) const override {
    return fmt::format("generate_series(1, {})", times);
  }
  std::string range(const TimeRange& range, const std::string& alias) const override;
  std::string before(const TimeAxis& axis, std::int64_t ticks) const override {
    const std::string column = duckdb::quote(axis.column);
    return fmt::format("({} IS NOT NULL AND {} < {})", column, on_axis(axis, column),
                       tick(axis, ticks));
  }
  std::string row_place(const std::string& alias) const override { return alias + "ctid"; }
  bool hides_place(std::string_view /*column*/) const override { return false; }
  bool has_structures() const override { return false; }
  std::string plain(const ColumnType& type, const std::string& value) const override {
    return type.kind == TypeKind::text ? value + kBytewise : value;
  }
  std::string plain_type(const ColumnType& type) const override {
    return type.kind == TypeKind::text ? fmt::format("text{}", kBytewise) : this->type(type);
  }
  std::string comparable(const OrderTerm& term, const std::string& value) const override {
    if (term.instant) return nanos(value);
    if (term.natural)
      return fmt::format(
          "CASE WHEN {0} ~ '^[0-9]{{1,38}}$' THEN lpad({0}, 38, '0') ELSE {0} END{1}", value,
          kBytewise);
    if (term.ranks.empty()) return value;
    return duckdb::comparable_sql(term, value);
  }
  std::string retype(const std::string& table, const Column& column) const override {
    return fmt::format("ALTER TABLE {0} ALTER COLUMN {1} SET DATA TYPE {2} USING CAST({1} AS {2})",
                       table, duckdb::quote(column.name), type(column.type));
  }
};

std::string PostgresDialect::range(const TimeRange& range, const std::string& alias) const {
  const std::string column = alias + duckdb::quote(range.axis.column);
  const std::string time = on_axis(range.axis, column);
  std::vector<std::string> sides;
  if (range.least) sides.push_back(fmt::format("{} >= {}", time, tick(range.axis, *range.least)));
  if (range.most && *range.most != INT64_MAX)
    sides.push_back(fmt::format("{} < {}", time, tick(range.axis, *range.most + 1)));
  sides.push_back(column + " IS NOT NULL");
  const std::string times =
      range.times ? fmt::format("({})", fmt::join(sides, " AND ")) : std::string("false");
  return range.nulls ? fmt::format("({} OR {} IS NULL)", times, column) : times;
}

std::string PostgresDialect::type(const ColumnType& type) const {
  switch (type.kind) {
    case TypeKind::boolean: return "boolean";
    case TypeKind::int8:
    case TypeKind::int16:
    case TypeKind::uint8: return "smallint";
    case TypeKind::int32:
    case TypeKind::uint16: return "integer";
    case TypeKind::int64:
    case TypeKind::uint32: return "bigint";
    case TypeKind::uint64: return "numeric(20,0)";
    case TypeKind::int128:
    case TypeKind::uint128: return "numeric(39,0)";
    case TypeKind::float32: return "real";
    case TypeKind::float64: return "double precision";
    case TypeKind::decimal: return fmt::format("numeric({},{})", type.width, type.scale);
    case TypeKind::text:
    case TypeKind::null_type: return "text";
    case TypeKind::blob: return "bytea";
    case TypeKind::uuid: return "uuid";
    case TypeKind::date: return "date";
    case TypeKind::time:
    case TypeKind::time_ns: return "time without time zone";
    case TypeKind::time_tz: return "time with time zone";
    case TypeKind::interval: return "interval";
    case TypeKind::timestamp_s:
    case TypeKind::timestamp_ms:
    case TypeKind::timestamp_us:
    case TypeKind::timestamp_ns: return "timestamp without time zone";
    case TypeKind::timestamp_tz:
    case TypeKind::timestamp_tz_ns: return "timestamp with time zone";
    case TypeKind::json:
    case TypeKind::list:
    case TypeKind::structure:
    case TypeKind::map: return "jsonb";
    case TypeKind::other: return "text";
  }
  std::unreachable();
}

ColumnType numeric(std::string_view arguments) {
  int width = 0;
  int scale = 0;
  const std::size_t comma = arguments.find(',');
  if (comma == std::string_view::npos) return {.kind = TypeKind::text};
  std::from_chars(arguments.data(), arguments.data() + comma, width);
  std::from_chars(arguments.data() + comma + 1, arguments.data() + arguments.size(), scale);
  if (width == 39 && scale == 0) return {.kind = TypeKind::int128};
  return {.kind = TypeKind::decimal, .width = width, .scale = scale};
}

}  // namespace

const SqlDialect& postgres_dialect() {
  static const PostgresDialect dialect;
  return dialect;
}

ColumnType type_from_postgres(std::string_view postgres_type) {
  constexpr std::array<std::pair<std::string_view, TypeKind>, 14> kTypes{{
      {"boolean", TypeKind::boolean},
      {"smallint", TypeKind::int16},
      {"integer", TypeKind::int32},
      {"bigint", TypeKind::int64},
      {"real", TypeKind::float32},
      {"double precision", TypeKind::float64},
      {"text", TypeKind::text},
      {"bytea", TypeKind::blob},
      {"uuid", TypeKind::uuid},
      {"jsonb", TypeKind::json},
      {"date", TypeKind::date},
      {"time without time zone", TypeKind::time},
      {"timestamp without time zone", TypeKind::timestamp_us},
      {"timestamp with time zone", TypeKind::timestamp_tz},
  }};
  for (const auto& [name, kind] : kTypes) {
    if (name == postgres_type) return {.kind = kind};
  }
  if (postgres_type.starts_with("numeric("))
    return numeric(postgres_type.substr(8, postgres_type.size() - 9));
  return {.kind = TypeKind::other, .other_name = std::string(postgres_type)};
}

}  // namespace forebay
