#include "engine/column_type.h"

#include <fmt/core.h>

#include "base/check.h"

namespace forebay {
namespace {

std::string quoted(const std::string& name) {
  std::string identifier = "\"";
  for (char c : name) {
    identifier += c;
    if (c == '"') identifier += c;
  }
  return identifier + "\"";
}

std::string struct_sql(const ColumnType& type) {
  CHECK(type.field_names.size() == type.children.size());
  std::string fields;
  for (std::size_t i = 0; i < type.children.size(); ++i) {
    if (i > 0) fields += ", ";
    fields += quoted(type.field_names[i]) + " " + to_sql(type.children[i]);
  }
  return "STRUCT(" + fields + ")";
}

}  // namespace

std::size_t leaf_count(const ColumnType& type) {
  if (type.children.empty()) return 1;
  std::size_t count = 0;
  for (const ColumnType& child : type.children) count += leaf_count(child);
  return count;
}

std::string to_sql(const ColumnType& type) {
  switch (type.kind) {
    case TypeKind::boolean: return "BOOLEAN";
    case TypeKind::int8: return "TINYINT";
    case TypeKind::int16: return "SMALLINT";
    case TypeKind::int32: return "INTEGER";
    case TypeKind::int64: return "BIGINT";
    case TypeKind::int128: return "HUGEINT";
    case TypeKind::uint8: return "UTINYINT";
    case TypeKind::uint16: return "USMALLINT";
    case TypeKind::uint32: return "UINTEGER";
    case TypeKind::uint64: return "UBIGINT";
    case TypeKind::uint128: return "UHUGEINT";
    case TypeKind::float32: return "FLOAT";
    case TypeKind::float64: return "DOUBLE";
    case TypeKind::decimal: return fmt::format("DECIMAL({},{})", type.width, type.scale);
    case TypeKind::text: return "VARCHAR";
    case TypeKind::blob: return "BLOB";
    case TypeKind::uuid: return "UUID";
    case TypeKind::json: return "JSON";
    case TypeKind::date: return "DATE";
    case TypeKind::time: return "TIME";
    case TypeKind::time_ns: return "TIME_NS";
    case TypeKind::time_tz: return "TIME WITH TIME ZONE";
    case TypeKind::interval: return "INTERVAL";
    case TypeKind::timestamp_s: return "TIMESTAMP_S";
    case TypeKind::timestamp_ms: return "TIMESTAMP_MS";
    case TypeKind::timestamp_us: return "TIMESTAMP";
    case TypeKind::timestamp_ns: return "TIMESTAMP_NS";
    case TypeKind::timestamp_tz: return "TIMESTAMP WITH TIME ZONE";
    case TypeKind::timestamp_tz_ns: return "TIMESTAMPTZ_NS";
    case TypeKind::null_type: return "\"NULL\"";
    case TypeKind::list: return to_sql(type.children.at(0)) + "[]";
    case TypeKind::structure: return struct_sql(type);
    case TypeKind::map:
      return fmt::format("MAP({}, {})", to_sql(type.children.at(0)), to_sql(type.children.at(1)));
    case TypeKind::other: return type.other_name;
  }
  CHECK(false);
}

ColumnType landing_type(const ColumnType& file) {
  if (file.kind == TypeKind::timestamp_tz_ns) return {.kind = TypeKind::timestamp_tz};
  return file;
}

std::string unstorable_part(const ColumnType& type) {
  if (type.kind == TypeKind::other &&
      (type.other_name == "VARIANT" || type.other_name == "GEOMETRY"))
    return "the type " + type.other_name;
  if (type.kind == TypeKind::other && type.other_name.starts_with("engine type"))
    return "a type that is not known here (" + type.other_name + ")";
  for (std::size_t i = 0; i < type.children.size(); ++i) {
    if (type.kind == TypeKind::structure && type.field_names[i].empty())
      return "a field without a name";
    // Only a column's own values can be checked one by one.
    if (type.children[i].kind == TypeKind::timestamp_tz_ns)
      return "times of nanoseconds with a zone inside it";
    if (std::string part = unstorable_part(type.children[i]); !part.empty()) return part;
  }
  return {};
}

}  // namespace forebay
