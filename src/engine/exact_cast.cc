#include "engine/exact_cast.h"

#include <fmt/format.h>

#include "base/check.h"
#include "engine/value.h"

namespace forebay {
namespace {

bool is_nested(const ColumnType& type) {
  return type.kind == TypeKind::list || type.kind == TypeKind::structure ||
         type.kind == TypeKind::map;
}

bool is_integer(TypeKind kind) { return kind >= TypeKind::int8 && kind <= TypeKind::uint128; }
bool is_real(TypeKind kind) { return kind == TypeKind::float32 || kind == TypeKind::float64; }
bool is_number(TypeKind kind) {
  return is_integer(kind) || is_real(kind) || kind == TypeKind::decimal ||
         kind == TypeKind::boolean;
}
// Dates and times without a zone, which turn into each other.
bool is_local_time(TypeKind kind) {
  return kind == TypeKind::date ||
         (kind >= TypeKind::timestamp_s && kind <= TypeKind::timestamp_ns);
}

// A date, perhaps with a time of day.
constexpr std::string_view kTime =
    "\\s*[0-9]{4,6}-[0-9]{1,2}-[0-9]{1,2}([ T][0-9]{1,2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,6}0*)?)?";
constexpr std::string_view kFineTime =
    "\\s*[0-9]{4,6}-[0-9]{1,2}-[0-9]{1,2}([ T][0-9]{1,2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,9}0*)?)?";
constexpr std::string_view kUtc = "( ?(Z|z|UTC|[+-]00(:?00)?))?)?\\s*";
constexpr std::string_view kAnyZone = " ?(Z|z|UTC|[+-][0-9]{2}(:?[0-9]{2})?))\\s*";

std::string matching(std::string_view value, std::string_view form, std::string_view then) {
  return fmt::format("CASE WHEN regexp_full_match({}, '{}') THEN {} END", value, form, then);
}

// From local times to those of a zone, or the other way round; null where the way back leads
// elsewhere.
std::string at_zone(std::string_view time, std::string_view zone) {
  return fmt::format(
      "CASE WHEN timezone({1}, timezone({1}, {0})) = {0} THEN timezone({1}, {0}) END", time,
      duckdb::literal(zone));
}

// A time with a zone in text: its own, else the one of the form.
std::string zoned_from_text(std::string_view value, std::string_view cast, const CastForm& form) {
  const std::string plain = fmt::format("TRY_CAST({} AS TIMESTAMP)", value);
  const std::string local = form.timezone.empty() ? fmt::format("timezone('UTC', {})", plain)
                                                  : at_zone(plain, form.timezone);
  return fmt::format(
      "CASE WHEN regexp_full_match({0}, '{1})?\\s*') THEN {2} WHEN regexp_full_match({0}, "
      "'{1}{3}') THEN timezone('UTC', {4}) WHEN regexp_full_match({0}, '{1}{5}') THEN {6} END",
      value, kTime, local, kUtc, plain, kAnyZone, cast);
}

// Text as a value of a type; empty: there is no such form.
std::string from_text(std::string_view value, const ColumnType& declared, const CastForm& form) {
  const std::string cast = fmt::format("TRY_CAST({} AS {})", value, to_sql(declared));
  if (is_integer(declared.kind)) return matching(value, "\\s*[+-]?[0-9]+(\\.0*)?\\s*", cast);
  switch (declared.kind) {
    case TypeKind::decimal:
      return matching(
          value, fmt::format("\\s*[+-]?[0-9]*(\\.[0-9]{{0,{}}}0*)?\\s*", declared.scale), cast);
    case TypeKind::date: return matching(value, "\\s*[0-9]{4,6}-[0-9]{1,2}-[0-9]{1,2}\\s*", cast);
    case TypeKind::time:
      return matching(value, "\\s*[0-9]{1,2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,6}0*)?)?\\s*", cast);
    case TypeKind::timestamp_us: return matching(value, fmt::format("{}{}", kTime, kUtc), cast);
    case TypeKind::timestamp_ns: return matching(value, fmt::format("{}{}", kFineTime, kUtc), cast);
    case TypeKind::timestamp_tz: return zoned_from_text(value, cast, form);
    case TypeKind::blob: return fmt::format("encode({})", value);
    case TypeKind::boolean:
    case TypeKind::float32:
    case TypeKind::float64:
    case TypeKind::uuid:
    case TypeKind::json: return cast;
    default: return {};
  }
}

std::string to_text(std::string_view value, const ColumnType& file) {
  if (file.kind == TypeKind::blob) return fmt::format("TRY(decode({}))", value);
  if (is_nested(file)) return fmt::format("to_json({})::VARCHAR", value);
  if (file.kind == TypeKind::timestamp_tz || file.kind == TypeKind::timestamp_tz_ns)
    return fmt::format("(timezone('UTC', {})::VARCHAR || '+00')", value);
  return fmt::format("CAST({} AS VARCHAR)", value);
}

// What survives the way there and back is the same value; -0.0 does not survive as a 0.
std::string there_and_back(std::string_view value, const ColumnType& file,
                           const ColumnType& declared) {
  const bool loses_sign = is_real(file.kind) && !is_real(declared.kind);
  return fmt::format(
      "CASE WHEN TRY_CAST(TRY_CAST({0} AS {1}) AS {2}) = {0}{3} THEN TRY_CAST({0} AS {1}) END",
      value, to_sql(declared), to_sql(file),
      loses_sign ? fmt::format(" AND NOT ({0} = 0 AND signbit({0}))", value) : std::string());
}

std::string exact_cast(std::string_view value, const ColumnType& file, const ColumnType& declared,
                       const CastForm& form);

// Text in a form of its own, as a local time or as one with a zone; empty: not as this type.
std::string formatted(std::string_view value, const ColumnType& declared, const CastForm& form) {
  const std::string parsed =
      fmt::format("try_strptime({}, {})", value, duckdb::literal(form.format));
  const bool zoned = form.format.contains("%z") || form.format.contains("%Z");
  if (declared.kind == TypeKind::time) return zoned ? "" : fmt::format("CAST({} AS TIME)", parsed);
  const ColumnType found{.kind = zoned ? TypeKind::timestamp_tz : TypeKind::timestamp_us};
  return exact_cast(parsed, found, declared, {.timezone = form.timezone});
}

constexpr std::string_view kDecimalTicks = "DECIMAL(28,9)";

// Numbers as ticks since 1970; nanoseconds as a HUGEINT, null where they are not whole.
std::string nanoseconds(std::string_view value, const ColumnType& file, const CastForm& form) {
  const int zeros = form.unit == "s" ? 9 : form.unit == "ms" ? 6 : form.unit == "us" ? 3 : 0;
  const std::string factor = "1" + std::string(static_cast<std::size_t>(zeros), '0');
  if (is_integer(file.kind)) return fmt::format("({}::HUGEINT * {})", value, factor);
  const std::string number =
      file.kind == TypeKind::text
          ? matching(value, "\\s*[+-]?[0-9]+(\\.[0-9]{0,9}0*)?\\s*",
                     fmt::format("TRY_CAST({} AS {})", value, kDecimalTicks))
          : there_and_back(value, file, {.kind = TypeKind::decimal, .width = 28, .scale = 9});
  const std::string product = fmt::format("(({}) * {}::DECIMAL(10,0))", number, factor);
  return there_and_back(product, {.kind = TypeKind::decimal, .width = 38, .scale = 9},
                        {.kind = TypeKind::int128});
}

std::string from_ticks(std::string_view value, const ColumnType& file, const ColumnType& declared,
                       const CastForm& form) {
  const std::string all = nanoseconds(value, file, form);
  if (declared.kind == TypeKind::timestamp_ns)
    return fmt::format("TRY(make_timestamp_ns(TRY_CAST({} AS BIGINT)))", all);
  const std::string time = fmt::format(
      "TRY(make_timestamp(CASE WHEN ({0}) % 1000 = 0 THEN TRY_CAST(({0}) // 1000 AS BIGINT) END))",
      all);
  return exact_cast(time, {.kind = TypeKind::timestamp_us}, declared, {});
}

// Times that stand in no zone of their own become those of a zone, and the other way round.
std::string between_zones(std::string_view value, const ColumnType& file,
                          const ColumnType& declared, const CastForm& form) {
  if (is_local_time(file.kind) && declared.kind == TypeKind::timestamp_tz) {
    const std::string local = there_and_back(value, file, {.kind = TypeKind::timestamp_us});
    return form.timezone.empty() ? fmt::format("timezone('UTC', {})", local)
                                 : at_zone(fmt::format("({})", local), form.timezone);
  }
  if (file.kind != TypeKind::timestamp_tz || declared.kind != TypeKind::timestamp_us) return {};
  if (form.timezone.empty()) return fmt::format("timezone('UTC', {})", value);
  return at_zone(value, form.timezone);
}

std::string exact_cast(std::string_view value, const ColumnType& file, const ColumnType& declared,
                       const CastForm& form) {
  const bool is_text = file.kind == TypeKind::text;
  if (!form.format.empty() && is_text) return formatted(value, declared, form);
  if (!form.unit.empty() && (is_text || (is_number(file.kind) && file.kind != TypeKind::boolean)))
    return from_ticks(value, file, declared, form);
  if (file == declared) return std::string(value);
  if (file.kind == TypeKind::null_type)
    return fmt::format("CAST({} AS {})", value, to_sql(declared));
  if (is_text) return from_text(value, declared, form);
  if (declared.kind == TypeKind::text) return to_text(value, file);
  const bool has_json_form = is_nested(file) || is_number(file.kind);
  if (declared.kind == TypeKind::json && has_json_form) return fmt::format("to_json({})", value);
  if (is_number(file.kind) && is_number(declared.kind))
    return there_and_back(value, file, declared);
  if (is_local_time(file.kind) && is_local_time(declared.kind))
    return there_and_back(value, file, declared);
  if (file.kind == TypeKind::timestamp_tz_ns && declared.kind == TypeKind::timestamp_tz)
    return there_and_back(value, file, declared);
  if (file.kind == TypeKind::timestamp_tz_ns && declared.kind == TypeKind::timestamp_ns)
    return fmt::format("timezone('UTC', {})", value);
  return between_zones(value, file, declared, form);
}

}  // namespace

bool can_be_declared(const ColumnType& file, const ColumnType& declared, const CastForm& form) {
  return !exact_cast("v", file, declared, form).empty();
}

namespace duckdb {

std::string exact_cast_sql(std::string_view value, const ColumnType& file,
                           const ColumnType& declared, const CastForm& form) {
  std::string sql = exact_cast(value, file, declared, form);
  CHECK(!sql.empty());
  return sql;
}

}  // namespace duckdb
}  // namespace forebay
