#include "engine/column_sql.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "engine/collapse_sql.h"
#include "engine/exact_cast.h"
#include "engine/raw_sql.h"
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

bool is_real(const ColumnType& type) {
  return type.kind == TypeKind::float32 || type.kind == TypeKind::float64;
}

// What a column of the file is, with nulls where it says so.
std::string value_sql(const Column& column, const ColumnSource& source) {
  std::string value = quote(source.reader_name);
  if (!source.raw.empty())
    value = raw_value_sql(value, source.reader_type, source.raw, column.name);
  if (source.null_values.empty()) return value;
  std::vector<std::string> texts;
  for (const std::string& text : source.null_values) texts.push_back(literal(text));
  return fmt::format("CASE WHEN CAST({0} AS VARCHAR) NOT IN ({1}) THEN {0} END", value,
                     fmt::join(texts, ", "));
}

// What it is before it is cast.
std::string source_sql(const Column& column, const ColumnSource& source) {
  const std::string name = value_sql(column, source);
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

// Whether a value that is there comes back as it was from the column's type.
std::string survives_sql(const std::string& value, const Column& column,
                         const ColumnSource& source) {
  std::string there = fmt::format("TRY_CAST({} AS {})", value, to_sql(column.type));
  if (contains(source.reader_type, TypeKind::timestamp_s) &&
      !contains(source.reader_type, TypeKind::timestamp_ns))
    there = fmt::format("TRY_CAST({} AS {})", there, to_sql(way_back(column.type)));
  const std::string back = fmt::format("TRY_CAST({} AS {})", there, to_sql(source.reader_type));
  // -0.0 equals 0.0 and is another value.
  if (is_real(source.reader_type) && !is_real(column.type))
    return fmt::format("({0} = {1} AND signbit({0}) = signbit({1}))", back, value);
  const bool real_inside =
      !source.reader_type.children.empty() && (contains(source.reader_type, TypeKind::float32) ||
                                               contains(source.reader_type, TypeKind::float64));
  if (real_inside) return fmt::format("CAST({} AS VARCHAR) = CAST({} AS VARCHAR)", back, value);
  return fmt::format("{} = {}", back, value);
}

bool is_compared(const Column& column, const ColumnSource& source) {
  if (source.reader_name.empty() || source.row_number || source.uuid_text) return false;
  if (source.reader_type == column.type && source.form.none()) return false;
  return source.check_values || source.declared;
}

// A value that is there and has no place in the column.
std::string misfit_sql(const std::string& value, const Column& column, const ColumnSource& source) {
  if (source.declared)
    return fmt::format("({} IS NOT NULL AND ({}) IS NULL)", value,
                       exact_cast_sql(value, source.reader_type, column.type, source.form));
  return fmt::format("({} IS NOT NULL AND coalesce({}, false) = false)", value,
                     survives_sql(value, column, source));
}

}  // namespace

std::string column_sql(const Column& column, const ColumnSource& source, const std::string& row) {
  const std::string type = to_sql(column.type);
  if (source.row_number) return fmt::format("CAST({} AS {}) AS {}", row, type, quote(column.name));
  if (source.reader_name.empty()) return fmt::format("NULL::{} AS {}", type, quote(column.name));
  const std::string value = source_sql(column, source);
  if (source.uuid_text) return fmt::format("{} AS {}", value, quote(column.name));
  if (!is_compared(column, source))
    return source.reader_type == column.type
               ? fmt::format("{} AS {}", value, quote(column.name))
               : fmt::format("CAST({} AS {}) AS {}", value, type, quote(column.name));
  return fmt::format(
      "CASE WHEN {} THEN error({} || {}::VARCHAR) ELSE {} END AS {}",
      misfit_sql(value, column, source),
      literal(fmt::format("a value {} {} ({}): ", kDriftMark, column.name, type)), value,
      source.declared ? exact_cast_sql(value, source.reader_type, column.type, source.form)
                      : fmt::format("CAST({} AS {})", value, type),
      quote(column.name));
}

std::string count_misfits_sql(const Column& column, const ColumnSource& source) {
  if (!is_compared(column, source)) return {};
  const std::string value = source_sql(column, source);
  const std::string misfit = misfit_sql(value, column, source);
  return fmt::format("count(*) FILTER ({0}), min({1}::VARCHAR) FILTER ({0})", misfit, value);
}

}  // namespace forebay::duckdb
