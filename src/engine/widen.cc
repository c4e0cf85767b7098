// The rules of CONTRACT's `on_schema_change: evolve`, as docs/TYPES.md tabulates them:
//
//   integer + integer        the narrowest integer that holds both; unsigned and signed meet in the
//                            next wider signed one; UHUGEINT meets no signed one
//   integer <= 32 bits       + FLOAT or DOUBLE: DOUBLE
//   64-bit integer column    + FLOAT or DOUBLE: stays, every value of the file is checked
//   FLOAT or DOUBLE column   + 64-bit integer: DOUBLE, every value of the file is checked
//   FLOAT + DOUBLE           DOUBLE
//   integer + DECIMAL        the DECIMAL with room for all digits of both, at most 38
//   DECIMAL + DECIMAL        the same
//   TIMESTAMP units          the finer one; the file's values are checked when they change unit.
//                            When the column does, the engine's cast fails on a value that does not
//                            fit, and so does the whole transaction
//   NULL + anything          anything
//   lists and maps           their elements meet
//   structs                  fields of a name meet, new ones come last, missing ones are null; at
//                            least one must be common
//   any other pair of types  nothing: drift
//
// A column never narrows, so a column that takes part in two of these ends where both have room.

#include <algorithm>
#include <array>

#include "base/check.h"
#include "engine/column_type.h"

namespace forebay {
namespace {

constexpr int kMaxDecimalDigits = 38;

struct IntegerKind {
  TypeKind kind;
  int bits;
  bool is_signed;
  int digits;  // of the largest value
};

constexpr std::array<IntegerKind, 10> kIntegers{{
    {TypeKind::int8, 8, true, 3},
    {TypeKind::int16, 16, true, 5},
    {TypeKind::int32, 32, true, 10},
    {TypeKind::int64, 64, true, 19},
    {TypeKind::int128, 128, true, 39},
    {TypeKind::uint8, 8, false, 3},
    {TypeKind::uint16, 16, false, 5},
    {TypeKind::uint32, 32, false, 10},
    {TypeKind::uint64, 64, false, 20},
    {TypeKind::uint128, 128, false, 39},
}};

const IntegerKind* as_integer(const ColumnType& type) {
  const auto found = std::ranges::find(kIntegers, type.kind, &IntegerKind::kind);
  return found == kIntegers.end() ? nullptr : &*found;
}

bool is_float(const ColumnType& type) {
  return type.kind == TypeKind::float32 || type.kind == TypeKind::float64;
}

ColumnType of(TypeKind kind) { return {.kind = kind}; }

std::optional<Widening> widen_integers(const IntegerKind& table, const IntegerKind& file) {
  int bits = std::max(table.bits, file.bits);
  const bool mixed = table.is_signed != file.is_signed;
  if (mixed) {
    const int unsigned_bits = table.is_signed ? file.bits : table.bits;
    bits = std::max(bits, 2 * unsigned_bits);
  }
  const bool is_signed = table.is_signed || file.is_signed;
  for (const IntegerKind& integer : kIntegers) {
    if (integer.bits == bits && integer.is_signed == is_signed) {
      return Widening{of(integer.kind), false};
    }
  }
  return std::nullopt;
}

std::optional<Widening> widen_integer_and_float(const ColumnType& table, const ColumnType& file) {
  const IntegerKind* integer = as_integer(is_float(table) ? file : table);
  if (integer->bits <= 32) return Widening{of(TypeKind::float64), false};
  if (integer->bits > 64) return std::nullopt;
  return Widening{is_float(table) ? of(TypeKind::float64) : table, true};
}

struct Digits {
  int before_point;
  int after_point;
};

std::optional<Digits> digits_of(const ColumnType& type) {
  if (type.kind == TypeKind::decimal) return Digits{type.width - type.scale, type.scale};
  if (const IntegerKind* integer = as_integer(type)) return Digits{integer->digits, 0};
  return std::nullopt;
}

std::optional<Widening> widen_decimals(const ColumnType& table, const ColumnType& file) {
  const auto a = digits_of(table);
  const auto b = digits_of(file);
  if (!a || !b) return std::nullopt;
  const int before = std::max(a->before_point, b->before_point);
  const int after = std::max(a->after_point, b->after_point);
  if (before + after > kMaxDecimalDigits) return std::nullopt;
  return Widening{{.kind = TypeKind::decimal, .width = before + after, .scale = after}, false};
}

// The finer, the larger; 0: no timestamp without zone.
int timestamp_rank(const ColumnType& type) {
  constexpr std::array kUnits{TypeKind::timestamp_s, TypeKind::timestamp_ms, TypeKind::timestamp_us,
                              TypeKind::timestamp_ns};
  const auto found = std::ranges::find(kUnits, type.kind);
  return found == kUnits.end() ? 0 : static_cast<int>(found - kUnits.begin()) + 1;
}

bool same_but_for_case(const std::string& a, const std::string& b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

// The field of that name, else the only one that differs by case: as columns meet. npos: none.
constexpr std::size_t kNone = static_cast<std::size_t>(-1);
std::size_t find_field(const ColumnType& structure, const std::string& name) {
  const auto& names = structure.field_names;
  const auto exact = std::ranges::find(names, name);
  if (exact != names.end()) return static_cast<std::size_t>(exact - names.begin());
  std::size_t found = kNone;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!same_but_for_case(names[i], name)) continue;
    if (found != kNone) return kNone;
    found = i;
  }
  return found;
}

std::optional<Widening> widen_structures(const ColumnType& table, const ColumnType& file) {
  Widening result{table, false};
  std::vector<bool> met(table.children.size(), false);
  bool common = false;
  for (std::size_t i = 0; i < file.children.size(); ++i) {
    const std::size_t field = find_field(result.type, file.field_names[i]);
    // Two fields of the file that differ by case only cannot both be fields of a column.
    if (field != kNone && (field >= met.size() || met[field])) return std::nullopt;
    if (field == kNone) {
      result.type.field_names.push_back(file.field_names[i]);
      result.type.children.push_back(file.children[i]);
      continue;
    }
    met[field] = true;
    common = true;
    const auto child = widen(table.children[field], file.children[i]);
    if (!child) return std::nullopt;
    result.type.children[field] = child->type;
    result.check_values |= child->check_values;
  }
  if (!common) return std::nullopt;
  return result;
}

// Lists and maps: same shape, so child by child.
std::optional<Widening> widen_children(const ColumnType& table, const ColumnType& file) {
  CHECK(table.children.size() == file.children.size());
  Widening result{table, false};
  for (std::size_t i = 0; i < table.children.size(); ++i) {
    const auto child = widen(table.children[i], file.children[i]);
    if (!child) return std::nullopt;
    result.type.children[i] = child->type;
    result.check_values |= child->check_values;
  }
  return result;
}

}  // namespace

std::optional<Widening> widen(const ColumnType& table, const ColumnType& file) {
  if (table == file || file.kind == TypeKind::null_type) return Widening{table, false};
  if (table.kind == TypeKind::null_type) return Widening{file, false};
  if (table.kind == file.kind) {
    if (table.kind == TypeKind::structure) return widen_structures(table, file);
    if (table.kind == TypeKind::list || table.kind == TypeKind::map) {
      return widen_children(table, file);
    }
    // Only decimals differ otherwise, and other types whose names do.
    return widen_decimals(table, file);
  }
  const IntegerKind* table_integer = as_integer(table);
  const IntegerKind* file_integer = as_integer(file);
  if (table_integer && file_integer) return widen_integers(*table_integer, *file_integer);
  if (is_float(table) && is_float(file)) return Widening{of(TypeKind::float64), false};
  if ((table_integer && is_float(file)) || (is_float(table) && file_integer)) {
    return widen_integer_and_float(table, file);
  }
  if (table.kind == TypeKind::timestamp_tz && file.kind == TypeKind::timestamp_tz_ns) {
    return Widening{table, true};
  }
  if (timestamp_rank(table) > 0 && timestamp_rank(file) > 0) {
    const bool keep = timestamp_rank(table) > timestamp_rank(file);
    return Widening{keep ? table : file, keep};
  }
  return widen_decimals(table, file);
}

}  // namespace forebay
