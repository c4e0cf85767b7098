#include "engine/column_sql.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/collapse_sql.h"
#include "engine/decimal_text.h"
#include "engine/exact_cast.h"
#include "engine/value.h"

namespace forebay::duckdb {
namespace {

bool contains(const ColumnType& type, TypeKind kind) {
  return type.kind == kind || std::ranges::any_of(type.children, [&](const ColumnType& child) {
           return contains(child, kind);
         });
}

// What a value passes through on its way back from the table's type to its file's: there is no cast
// from nanoseconds to seconds.
ColumnType way_back(ColumnType type) {
  if (type.kind == TypeKind::timestamp_ns) type.kind = TypeKind::timestamp_us;
  for (ColumnType& child : type.children) child = way_back(child);
  return type;
}

// What a column of the file is before it is cast.
std::string source_sql(const ColumnSource& source) {
  const std::string name = quote(source.reader_name);
  if (source.decimal_scale)
    return fmt::format("{}({}, {})", kDecimalFunction, name, *source.decimal_scale);
  if (!source.uuid_text) return name;
  if (source.reader_type.kind == TypeKind::uuid) return fmt::format("CAST({} AS VARCHAR)", name);
  if (source.reader_type.kind == TypeKind::blob)
    return fmt::format(
        "CASE WHEN {0} IS NULL OR octet_length({0}) = 16 THEN CAST(CAST({0} AS UUID) AS VARCHAR) "
        "ELSE error({1} || hex({0})) END",
        name,
        literal(fmt::format("a value {} ({} wants 16 bytes): ", kDriftMark, source.reader_name)));
  // Text that is no UUID is what it is.
  return fmt::format("coalesce(CAST(TRY_CAST({0} AS UUID) AS VARCHAR), {0})", name);
}

}  // namespace

std::string column_sql(const Column& column, const ColumnSource& source, const std::string& row) {
  const std::string type = to_sql(column.type);
  if (source.row_number) return fmt::format("CAST({} AS {}) AS {}", row, type, quote(column.name));
  if (source.reader_name.empty()) return fmt::format("NULL::{} AS {}", type, quote(column.name));
  const std::string name = source_sql(source);
  if (source.uuid_text || source.reader_type == column.type)
    return fmt::format("{} AS {}", name, quote(column.name));
  if (!source.check_values && !source.declared)
    return fmt::format("CAST({} AS {}) AS {}", name, type, quote(column.name));
  const std::string mark =
      literal(fmt::format("a value {} {} ({}): ", kDriftMark, column.name, type));
  if (source.declared)
    return fmt::format(
        "CASE WHEN {0} IS NULL THEN NULL WHEN ({1}) IS NULL THEN error({2} || {0}::VARCHAR) ELSE "
        "{1} "
        "END AS {3}",
        name, exact_cast_sql(name, source.reader_type, column.type), mark, quote(column.name));
  // There and back again: what comes back different did not survive.
  std::string there = fmt::format("TRY_CAST({} AS {})", name, type);
  if (contains(source.reader_type, TypeKind::timestamp_s) &&
      !contains(source.reader_type, TypeKind::timestamp_ns))
    there = fmt::format("TRY_CAST({} AS {})", there, to_sql(way_back(column.type)));
  return fmt::format(
      "CASE WHEN {0} IS NULL THEN NULL WHEN TRY_CAST({5} AS {2}) = {0} "
      "THEN CAST({0} AS {1}) ELSE error({3} || {0}::VARCHAR) END AS {4}",
      name, type, to_sql(source.reader_type), mark, quote(column.name), there);
}

}  // namespace forebay::duckdb
