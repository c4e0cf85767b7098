// Aim: what a table's column becomes when a file brings another type never changes a value.
// Method: the table in docs/TYPES.md against the function, over every pair of types; then DuckDB
// itself casts the largest, smallest and oddest values of both types to the result and back.

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "engine/column_type.h"
#include "support/parquet_maker.h"
#include "support/paths.h"

namespace forebay {
namespace {

ColumnType of(TypeKind kind) { return {.kind = kind}; }
ColumnType decimal(int width, int scale) {
  return {.kind = TypeKind::decimal, .width = width, .scale = scale};
}
ColumnType list_of(ColumnType element) {
  return {.kind = TypeKind::list, .children = {std::move(element)}};
}
ColumnType map_of(ColumnType key, ColumnType value) {
  return {.kind = TypeKind::map, .children = {std::move(key), std::move(value)}};
}
ColumnType structure(std::vector<std::string> names, std::vector<ColumnType> types) {
  return {
      .kind = TypeKind::structure, .field_names = std::move(names), .children = std::move(types)};
}

// Every scalar type, with decimals that sit at the edges of the rules.
std::vector<ColumnType> scalar_types() {
  std::vector<ColumnType> types;
  for (int i = 0; i < static_cast<int>(TypeKind::list); ++i) {
    const auto kind = static_cast<TypeKind>(i);
    // Times of nanoseconds with a zone stand in files only.
    if (kind != TypeKind::decimal && kind != TypeKind::timestamp_tz_ns) types.push_back(of(kind));
  }
  for (const auto& [width, scale] :
       std::vector<std::pair<int, int>>{{4, 2}, {10, 2}, {12, 4}, {19, 0}, {38, 0}, {38, 37}}) {
    types.push_back(decimal(width, scale));
  }
  return types;
}

// Values at the edges of a type, as SQL. Empty: nothing to try.
std::vector<std::string> edge_values(const ColumnType& type) {
  static const std::map<TypeKind, std::vector<std::string>> kEdges{
      {TypeKind::int8, {"-128", "127", "0"}},
      {TypeKind::int16, {"-32768", "32767"}},
      {TypeKind::int32, {"-2147483648", "2147483647"}},
      {TypeKind::int64, {"-9223372036854775808", "9223372036854775807"}},
      {TypeKind::int128,
       {"-170141183460469231731687303715884105728", "170141183460469231731687303715884105727"}},
      {TypeKind::uint8, {"0", "255"}},
      {TypeKind::uint16, {"65535"}},
      {TypeKind::uint32, {"4294967295"}},
      {TypeKind::uint64, {"18446744073709551615"}},
      {TypeKind::uint128, {"340282366920938463463374607431768211455"}},
      {TypeKind::float32, {"'nan'", "'inf'", "'-inf'", "3.4028235e38", "1e-45", "0.1", "16777215"}},
      {TypeKind::float64, {"'nan'", "'-inf'", "1.7976931348623157e308", "5e-324", "0.1"}},
      {TypeKind::timestamp_s, {"'1970-01-01'", "'2026-11-30 12:34:56'", "'0001-01-01'"}},
      {TypeKind::timestamp_ms, {"'2026-11-30 12:34:56.789'"}},
      {TypeKind::timestamp_us, {"'2026-11-30 12:34:56.789012'"}},
      {TypeKind::timestamp_ns, {"'2026-11-30 12:34:56.789012345'"}},
  };
  if (type.kind == TypeKind::decimal) {
    std::string most = std::string(static_cast<std::size_t>(type.width), '9');
    if (type.scale > 0) most.insert(static_cast<std::size_t>(type.width - type.scale), ".");
    return {"'" + most + "'", "'-" + most + "'"};
  }
  const auto found = kEdges.find(type.kind);
  return found == kEdges.end() ? std::vector<std::string>{} : found->second;
}

// The table of docs/TYPES.md: one line for each column type and each type that it becomes.
std::string tabulate() {
  std::vector<ColumnType> types;
  for (const ColumnType& type : scalar_types()) {
    const bool example = type.kind != TypeKind::decimal || type.scale == 2 || type.scale == 4;
    if (example && type != decimal(4, 2)) types.push_back(type);
  }
  std::string text = "| column | meets | becomes |\n| --- | --- | --- |\n";
  for (const ColumnType& table : types) {
    std::vector<std::pair<std::string, std::vector<std::string>>> lines;
    for (const ColumnType& file : types) {
      if (file == table || file.kind == TypeKind::null_type || table.kind == TypeKind::null_type) {
        continue;
      }
      const auto result = widen(table, file);
      if (!result) continue;
      const std::string becomes =
          to_sql(result->type) + (result->check_values ? ", values checked" : "");
      auto line = std::ranges::find(lines, becomes, [](const auto& l) { return l.first; });
      if (line == lines.end()) line = lines.insert(lines.end(), {becomes, {}});
      line->second.push_back(to_sql(file));
    }
    for (const auto& [becomes, files] : lines) {
      text += fmt::format("| {} | {} | {} |\n", to_sql(table), fmt::join(files, ", "), becomes);
    }
  }
  return text;
}

TEST(Widen, DoesForEveryPairOfTypesWhatTheDocumentSays) {
  std::ifstream in(test::source_dir() / "docs" / "TYPES.md");
  std::stringstream document;
  document << in.rdbuf();
  const std::string table = tabulate();
  EXPECT_NE(document.str().find(table), std::string::npos)
      << "docs/TYPES.md should hold this table:\n"
      << table;
}

TEST(Widen, KeepsEveryValueOfTheTableAndOfTheFile) {
  for (const ColumnType& table : scalar_types()) {
    for (const ColumnType& file : scalar_types()) {
      const auto result = widen(table, file);
      if (!result) continue;
      // Values of the file need no trial where the loader compares each of them.
      for (const ColumnType& from : {table, result->check_values ? table : file}) {
        for (const std::string& value : edge_values(from)) {
          // A stored timestamp that a finer unit cannot hold fails in the cast, which is allowed.
          if (value == "'0001-01-01'" && result->type.kind == TypeKind::timestamp_ns) continue;
          const std::string typed = fmt::format("CAST({} AS {})", value, to_sql(from));
          std::string kept = fmt::format("CAST({} AS {})", typed, to_sql(result->type));
          // DuckDB has no cast from nanoseconds to seconds.
          if (from.kind == TypeKind::timestamp_s) kept = fmt::format("CAST({} AS TIMESTAMP)", kept);
          const std::string sql =
              fmt::format("SELECT CAST({} AS {}) = {}", kept, to_sql(from), typed);
          EXPECT_EQ(test::sql_value(sql), "true")
              << to_sql(table) << " meets " << to_sql(file) << ": " << sql;
        }
      }
    }
  }
}

TEST(Widen, HasRoomForBothTypesAndThenChangesNoMore) {
  for (const ColumnType& table : scalar_types()) {
    for (const ColumnType& file : scalar_types()) {
      const auto result = widen(table, file);
      if (!result) continue;
      const auto again = widen(result->type, file);
      const auto back = widen(result->type, table);
      ASSERT_TRUE(again && back) << to_sql(table) << " meets " << to_sql(file);
      EXPECT_EQ(to_sql(again->type), to_sql(result->type));
      EXPECT_EQ(to_sql(back->type), to_sql(result->type));
      EXPECT_EQ(again->check_values, result->check_values);
    }
  }
}

TEST(Widen, IsDriftForTextDatesBooleansAndZonesAgainstAnythingElse) {
  const std::vector<TypeKind> alone{TypeKind::boolean,  TypeKind::text,        TypeKind::blob,
                                    TypeKind::uuid,     TypeKind::json,        TypeKind::date,
                                    TypeKind::time,     TypeKind::time_ns,     TypeKind::time_tz,
                                    TypeKind::interval, TypeKind::timestamp_tz};
  for (const TypeKind kind : alone) {
    for (const ColumnType& other : scalar_types()) {
      if (other.kind == kind || other.kind == TypeKind::null_type) continue;
      EXPECT_FALSE(widen(of(kind), other)) << to_sql(of(kind)) << " meets " << to_sql(other);
      EXPECT_FALSE(widen(other, of(kind))) << to_sql(other) << " meets " << to_sql(of(kind));
    }
  }
}

TEST(Widen, TakesAnythingForAColumnThatWasOnlyNull) {
  for (const ColumnType& type : scalar_types()) {
    EXPECT_EQ(widen(of(TypeKind::null_type), type)->type, type);
    EXPECT_EQ(widen(type, of(TypeKind::null_type))->type, type);
    EXPECT_FALSE(widen(type, of(TypeKind::null_type))->check_values);
  }
  EXPECT_EQ(widen(list_of(of(TypeKind::null_type)), list_of(of(TypeKind::text)))->type,
            list_of(of(TypeKind::text)));
}

TEST(Widen, MeetsDecimalsAtTheDigitsOfBothAndNeverAboveThirtyEight) {
  EXPECT_EQ(widen(decimal(10, 2), decimal(12, 4))->type, decimal(12, 4));
  EXPECT_EQ(widen(decimal(10, 2), decimal(10, 4))->type, decimal(12, 4));
  EXPECT_EQ(widen(decimal(12, 4), decimal(10, 2))->type, decimal(12, 4));
  EXPECT_EQ(widen(decimal(20, 0), decimal(38, 18))->type, decimal(38, 18));
  EXPECT_FALSE(widen(decimal(21, 0), decimal(38, 18)));
  EXPECT_EQ(widen(decimal(12, 2), of(TypeKind::int32))->type, decimal(12, 2));
  EXPECT_EQ(widen(decimal(10, 2), of(TypeKind::int32))->type, decimal(12, 2));
  EXPECT_EQ(widen(of(TypeKind::int64), decimal(10, 2))->type, decimal(21, 2));
  EXPECT_FALSE(widen(of(TypeKind::int64), decimal(38, 20)));
}

TEST(Widen, LetsListsAndMapsMeetElementByElement) {
  EXPECT_EQ(widen(list_of(of(TypeKind::int32)), list_of(of(TypeKind::int64)))->type,
            list_of(of(TypeKind::int64)));
  EXPECT_TRUE(widen(list_of(of(TypeKind::int64)), list_of(of(TypeKind::float64)))->check_values);
  EXPECT_EQ(widen(map_of(of(TypeKind::int8), of(TypeKind::text)),
                  map_of(of(TypeKind::int16), of(TypeKind::text)))
                ->type,
            map_of(of(TypeKind::int16), of(TypeKind::text)));
  EXPECT_FALSE(widen(map_of(of(TypeKind::text), of(TypeKind::text)),
                     map_of(of(TypeKind::text), of(TypeKind::int32))));
  EXPECT_FALSE(widen(list_of(of(TypeKind::int32)), of(TypeKind::int32)));
}

TEST(Widen, AddsTheFieldsThatAStructGains) {
  const ColumnType table = structure({"a", "b"}, {of(TypeKind::int32), of(TypeKind::text)});
  const ColumnType gains =
      structure({"b", "c", "a"}, {of(TypeKind::text), of(TypeKind::date), of(TypeKind::int64)});
  const ColumnType both =
      structure({"a", "b", "c"}, {of(TypeKind::int64), of(TypeKind::text), of(TypeKind::date)});
  EXPECT_EQ(widen(table, gains)->type, both);
  EXPECT_EQ(widen(list_of(table), list_of(gains))->type, list_of(both));
  EXPECT_EQ(widen(map_of(of(TypeKind::text), table), map_of(of(TypeKind::text), gains))->type,
            map_of(of(TypeKind::text), both));
  EXPECT_EQ(widen(both, table)->type, both) << "a field that is missing is null";
}

TEST(Widen, MeetsStructFieldsByNameElseByTheOnlyOneThatDiffersByCase) {
  const ColumnType table = structure({"Id"}, {of(TypeKind::int32)});
  EXPECT_EQ(widen(table, structure({"iD"}, {of(TypeKind::int64)}))->type,
            structure({"Id"}, {of(TypeKind::int64)}));
  EXPECT_FALSE(widen(table, structure({"id", "ID"}, {of(TypeKind::int32), of(TypeKind::int32)})));
  EXPECT_FALSE(
      widen(table, structure({"Id", "x", "X"}, std::vector<ColumnType>(3, of(TypeKind::int32)))));
  EXPECT_FALSE(widen(table, structure({"other"}, {of(TypeKind::int32)}))) << "nothing in common";
}

TEST(Widen, KnowsATypeThatItDoesNotUnderstandOnlyByItsName) {
  const ColumnType array{.kind = TypeKind::other, .other_name = "INTEGER[3]"};
  const ColumnType longer{.kind = TypeKind::other, .other_name = "INTEGER[4]"};
  EXPECT_EQ(widen(array, array)->type, array);
  EXPECT_FALSE(widen(array, longer));
  EXPECT_FALSE(widen(array, list_of(of(TypeKind::int32))));
}

TEST(Widen, NanosecondsWithAZoneAreKeptInMicrosecondsIfEveryValueSurvives) {
  const ColumnType fine = of(TypeKind::timestamp_tz_ns);
  EXPECT_EQ(landing_type(fine), of(TypeKind::timestamp_tz));
  const auto widened = widen(of(TypeKind::timestamp_tz), fine);
  ASSERT_TRUE(widened.has_value());
  EXPECT_EQ(widened->type, of(TypeKind::timestamp_tz));
  EXPECT_TRUE(widened->check_values);
  EXPECT_FALSE(widen(of(TypeKind::timestamp_ns), fine).has_value());
}

TEST(Widen, SaysWhatNoTableCanHold) {
  const ColumnType fine = of(TypeKind::timestamp_tz_ns);
  EXPECT_EQ(unstorable_part(fine), "");
  EXPECT_NE(unstorable_part({.kind = TypeKind::list, .children = {fine}}), "");
  EXPECT_NE(unstorable_part({.kind = TypeKind::other, .other_name = "VARIANT"}), "");
  const ColumnType nameless{
      .kind = TypeKind::structure, .field_names = {""}, .children = {of(TypeKind::int32)}};
  EXPECT_NE(unstorable_part({.kind = TypeKind::list, .children = {nameless}}), "");
  for (const ColumnType& type : scalar_types()) EXPECT_EQ(unstorable_part(type), "");
}

}  // namespace
}  // namespace forebay
