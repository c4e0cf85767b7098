#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace forebay {

enum class TypeKind {
  boolean,
  int8,
  int16,
  int32,
  int64,
  int128,
  uint8,
  uint16,
  uint32,
  uint64,
  uint128,
  float32,
  float64,
  decimal,
  text,
  blob,
  uuid,
  json,
  date,
  time,
  time_ns,
  time_tz,
  interval,
  timestamp_s,
  timestamp_ms,
  timestamp_us,
  timestamp_ns,
  timestamp_tz,
  timestamp_tz_ns,  // in files only: see landing_type()
  null_type,
  list,
  structure,
  map,
  other,  // any type the engine knows and we do not reason about: equal only to itself
};

// A column's type, engine-neutral. Values are compared structurally.
struct ColumnType {
  TypeKind kind = TypeKind::other;
  int width = 0;  // decimal
  int scale = 0;
  std::string other_name;                // kind other: the engine's own name for it
  std::vector<std::string> field_names;  // structure
  std::vector<ColumnType> children;      // list: 1, map: 2 (key, value), structure: one a field

  bool operator==(const ColumnType&) const = default;
};

struct Column {
  std::string name;
  ColumnType type;

  bool operator==(const Column&) const = default;
};

// So many values stand in one value of the type, if none repeats: 1, or those of its parts.
std::size_t leaf_count(const ColumnType& type);

// The type in DuckDB's SQL.
std::string to_sql(const ColumnType& type);

// The type that a file's column gets in a new table: its own, except that times with a zone are
// kept in microseconds, and each of their values must survive that.
ColumnType landing_type(const ColumnType& file);

// The name of the part of a type that no table can hold; empty: a table can.
std::string unstorable_part(const ColumnType& type);

// How a file's column meets the table's (CONTRACT, section 2, `on_schema_change`).
struct Widening {
  ColumnType type;  // what the table's column becomes; often what it is
  bool check_values =
      false;  // lossless only if every value of the file survives: compare after casting
};

// The lossless common type of a table's column and a file's, or nothing: that is drift.
std::optional<Widening> widen(const ColumnType& table, const ColumnType& file);

}  // namespace forebay
