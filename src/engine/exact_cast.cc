#include "engine/exact_cast.h"

#include <fmt/format.h>

#include "base/check.h"

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
constexpr std::string_view kUtc = "( ?(Z|z|UTC|[+-]00(:?00)?))?)?\\s*";
constexpr std::string_view kAnyZone = " ?(Z|z|UTC|[+-][0-9]{2}(:?[0-9]{2})?))\\s*";

std::string matching(std::string_view value, std::string_view form, std::string_view then) {
  return fmt::format("CASE WHEN regexp_full_match({}, '{}') THEN {} END", value, form, then);
}

// Text as a value of a type; empty: there is no such form.
std::string from_text(std::string_view value, const ColumnType& declared) {
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
    case TypeKind::timestamp_tz:
      return fmt::format(
          "CASE WHEN regexp_full_match({0}, '{1}{2}') THEN timezone('UTC', TRY_CAST({0} AS "
          "TIMESTAMP)) WHEN regexp_full_match({0}, '{1}{3}') THEN {4} END",
          value, kTime, kUtc, kAnyZone, cast);
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

// What survives the way there and back is the same value.
std::string there_and_back(std::string_view value, const ColumnType& file,
                           const ColumnType& declared) {
  return fmt::format(
      "CASE WHEN TRY_CAST(TRY_CAST({0} AS {1}) AS {2}) = {0} THEN TRY_CAST({0} AS {1}) END", value,
      to_sql(declared), to_sql(file));
}

std::string exact_cast(std::string_view value, const ColumnType& file, const ColumnType& declared) {
  if (file == declared) return std::string(value);
  if (file.kind == TypeKind::null_type)
    return fmt::format("CAST({} AS {})", value, to_sql(declared));
  if (file.kind == TypeKind::text) return from_text(value, declared);
  if (declared.kind == TypeKind::text) return to_text(value, file);
  const bool has_json_form = is_nested(file) || is_number(file.kind);
  if (declared.kind == TypeKind::json && has_json_form) return fmt::format("to_json({})", value);
  if (is_number(file.kind) && is_number(declared.kind))
    return there_and_back(value, file, declared);
  if (is_local_time(file.kind) && is_local_time(declared.kind))
    return there_and_back(value, file, declared);
  // A time without a zone is one of UTC.
  if (is_local_time(file.kind) && declared.kind == TypeKind::timestamp_tz)
    return fmt::format("timezone('UTC', {})",
                       there_and_back(value, file, {.kind = TypeKind::timestamp_us}));
  if (file.kind == TypeKind::timestamp_tz && declared.kind == TypeKind::timestamp_us)
    return fmt::format("timezone('UTC', {})", value);
  if (file.kind == TypeKind::timestamp_tz_ns && declared.kind == TypeKind::timestamp_tz)
    return there_and_back(value, file, declared);
  return {};
}

}  // namespace

bool can_be_declared(const ColumnType& file, const ColumnType& declared) {
  return !exact_cast("v", file, declared).empty();
}

namespace duckdb {

std::string exact_cast_sql(std::string_view value, const ColumnType& file,
                           const ColumnType& declared) {
  std::string sql = exact_cast(value, file, declared);
  CHECK(!sql.empty());
  return sql;
}

}  // namespace duckdb
}  // namespace forebay
