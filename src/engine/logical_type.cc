#include "engine/logical_type.h"

#include <fmt/format.h>

#include <memory>
#include <string>

namespace forebay::duckdb {
namespace {

struct Freed {
  void operator()(char* text) const { duckdb_free(text); }
};

std::string take(char* text) {
  const std::unique_ptr<char, Freed> owner(text);
  return text == nullptr ? std::string() : std::string(text);
}

ColumnType child(duckdb_logical_type type) {
  ColumnType converted = from_logical(type);
  duckdb_destroy_logical_type(&type);
  return converted;
}

ColumnType structure(duckdb_logical_type type) {
  ColumnType result{.kind = TypeKind::structure};
  const idx_t count = duckdb_struct_type_child_count(type);
  for (idx_t i = 0; i < count; ++i) {
    result.field_names.push_back(take(duckdb_struct_type_child_name(type, i)));
    result.children.push_back(child(duckdb_struct_type_child_type(type, i)));
  }
  return result;
}

ColumnType enumeration(duckdb_logical_type type) {
  ColumnType result{.kind = TypeKind::other, .other_name = "ENUM("};
  const idx_t count = duckdb_enum_dictionary_size(type);
  for (idx_t i = 0; i < count; ++i) {
    std::string value;
    for (const char c : take(duckdb_enum_dictionary_value(type, i)))
      value += c == '\'' ? "''" : std::string(1, c);
    result.other_name += fmt::format("{}'{}'", i == 0 ? "" : ", ", value);
  }
  result.other_name += ")";
  return result;
}

ColumnType array(duckdb_logical_type type) {
  const ColumnType element = child(duckdb_array_type_child_type(type));
  return {.kind = TypeKind::other,
          .other_name = fmt::format("{}[{}]", to_sql(element), duckdb_array_type_array_size(type))};
}

}  // namespace

ColumnType from_logical(duckdb_logical_type type) {
  switch (duckdb_get_type_id(type)) {
    case DUCKDB_TYPE_BOOLEAN: return {.kind = TypeKind::boolean};
    case DUCKDB_TYPE_TINYINT: return {.kind = TypeKind::int8};
    case DUCKDB_TYPE_SMALLINT: return {.kind = TypeKind::int16};
    case DUCKDB_TYPE_INTEGER: return {.kind = TypeKind::int32};
    case DUCKDB_TYPE_BIGINT: return {.kind = TypeKind::int64};
    case DUCKDB_TYPE_HUGEINT: return {.kind = TypeKind::int128};
    case DUCKDB_TYPE_UTINYINT: return {.kind = TypeKind::uint8};
    case DUCKDB_TYPE_USMALLINT: return {.kind = TypeKind::uint16};
    case DUCKDB_TYPE_UINTEGER: return {.kind = TypeKind::uint32};
    case DUCKDB_TYPE_UBIGINT: return {.kind = TypeKind::uint64};
    case DUCKDB_TYPE_UHUGEINT: return {.kind = TypeKind::uint128};
    case DUCKDB_TYPE_FLOAT: return {.kind = TypeKind::float32};
    case DUCKDB_TYPE_DOUBLE: return {.kind = TypeKind::float64};
    case DUCKDB_TYPE_DECIMAL:
      return {.kind = TypeKind::decimal,
              .width = duckdb_decimal_width(type),
              .scale = duckdb_decimal_scale(type)};
    case DUCKDB_TYPE_VARCHAR: {
      const std::string alias = take(duckdb_logical_type_get_alias(type));
      if (alias == "JSON") return {.kind = TypeKind::json};
      if (alias.empty()) return {.kind = TypeKind::text};
      return {.kind = TypeKind::other, .other_name = alias};
    }
    case DUCKDB_TYPE_BLOB: {
      const std::string alias = take(duckdb_logical_type_get_alias(type));
      if (alias.empty()) return {.kind = TypeKind::blob};
      return {.kind = TypeKind::other, .other_name = alias};
    }
    case DUCKDB_TYPE_UUID: return {.kind = TypeKind::uuid};
    case DUCKDB_TYPE_DATE: return {.kind = TypeKind::date};
    case DUCKDB_TYPE_TIME: return {.kind = TypeKind::time};
    case DUCKDB_TYPE_TIME_NS: return {.kind = TypeKind::time_ns};
    case DUCKDB_TYPE_TIME_TZ: return {.kind = TypeKind::time_tz};
    case DUCKDB_TYPE_INTERVAL: return {.kind = TypeKind::interval};
    case DUCKDB_TYPE_TIMESTAMP_S: return {.kind = TypeKind::timestamp_s};
    case DUCKDB_TYPE_TIMESTAMP_MS: return {.kind = TypeKind::timestamp_ms};
    case DUCKDB_TYPE_TIMESTAMP: return {.kind = TypeKind::timestamp_us};
    case DUCKDB_TYPE_TIMESTAMP_NS: return {.kind = TypeKind::timestamp_ns};
    case DUCKDB_TYPE_TIMESTAMP_TZ: return {.kind = TypeKind::timestamp_tz};
    case DUCKDB_TYPE_TIMESTAMP_TZ_NS: return {.kind = TypeKind::timestamp_tz_ns};
    case DUCKDB_TYPE_SQLNULL: return {.kind = TypeKind::null_type};
    case DUCKDB_TYPE_LIST:
      return {.kind = TypeKind::list, .children = {child(duckdb_list_type_child_type(type))}};
    case DUCKDB_TYPE_MAP:
      return {.kind = TypeKind::map,
              .children = {child(duckdb_map_type_key_type(type)),
                           child(duckdb_map_type_value_type(type))}};
    case DUCKDB_TYPE_STRUCT: return structure(type);
    case DUCKDB_TYPE_ENUM: return enumeration(type);
    case DUCKDB_TYPE_ARRAY: return array(type);
    case DUCKDB_TYPE_VARIANT: return {.kind = TypeKind::other, .other_name = "VARIANT"};
    case DUCKDB_TYPE_GEOMETRY: return {.kind = TypeKind::other, .other_name = "GEOMETRY"};
    case DUCKDB_TYPE_BIT: return {.kind = TypeKind::other, .other_name = "BIT"};
    case DUCKDB_TYPE_BIGNUM: return {.kind = TypeKind::other, .other_name = "BIGNUM"};
    default:
      return {
          .kind = TypeKind::other,
          .other_name = fmt::format("engine type {}", static_cast<int>(duckdb_get_type_id(type)))};
  }
}

}  // namespace forebay::duckdb
