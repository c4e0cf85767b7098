// Aim: a type printed for DuckDB is the type that DuckDB then has.

#include "engine/column_type.h"

#include <gtest/gtest.h>

#include "support/parquet_maker.h"

namespace forebay {
namespace {

ColumnType of(TypeKind kind) { return {.kind = kind}; }

ColumnType structure(std::vector<std::string> names, std::vector<ColumnType> types) {
  return {
      .kind = TypeKind::structure, .field_names = std::move(names), .children = std::move(types)};
}

std::string as_duckdb_prints(const ColumnType& type) {
  return test::sql_value("SELECT typeof(CAST(NULL AS " + to_sql(type) + "))");
}

TEST(ColumnType, NamesEveryScalarTypeAsDuckDbDoes) {
  for (int i = 0; i < static_cast<int>(TypeKind::list); ++i) {
    ColumnType type = of(static_cast<TypeKind>(i));
    if (type.kind == TypeKind::decimal) type.width = 38, type.scale = 37;
    EXPECT_EQ(as_duckdb_prints(type), to_sql(type));
  }
}

TEST(ColumnType, NamesNestedTypesAsDuckDbDoes) {
  const ColumnType list{.kind = TypeKind::list, .children = {of(TypeKind::timestamp_tz)}};
  EXPECT_EQ(as_duckdb_prints(list), "TIMESTAMP WITH TIME ZONE[]");
  const ColumnType map{.kind = TypeKind::map, .children = {of(TypeKind::text), list}};
  EXPECT_EQ(as_duckdb_prints(map), "MAP(VARCHAR, TIMESTAMP WITH TIME ZONE[])");
  EXPECT_EQ(as_duckdb_prints(structure({"n", "m"}, {of(TypeKind::int8), map})),
            "STRUCT(n TINYINT, m MAP(VARCHAR, TIMESTAMP WITH TIME ZONE[]))");
}

TEST(ColumnType, QuotesFieldNamesWhateverTheyHold) {
  const ColumnType odd = structure({"a\"b", "select", "x y", "); DROP TABLE t; --", "Ünïcode"},
                                   std::vector<ColumnType>(5, of(TypeKind::int32)));
  EXPECT_EQ(to_sql(odd),
            "STRUCT(\"a\"\"b\" INTEGER, \"select\" INTEGER, \"x y\" INTEGER, "
            "\"); DROP TABLE t; --\" INTEGER, \"Ünïcode\" INTEGER)");
  EXPECT_EQ(test::sql_value("SELECT struct_keys(CAST(NULL AS " + to_sql(odd) + "))[4]"), "NULL");
  EXPECT_EQ(as_duckdb_prints(odd).substr(0, 23), "STRUCT(\"a\"\"b\" INTEGER, ");
}

TEST(ColumnType, NamesATypeItDoesNotKnowAsTheEngineNamedIt) {
  const ColumnType array{.kind = TypeKind::other, .other_name = "INTEGER[3]"};
  EXPECT_EQ(as_duckdb_prints(array), "INTEGER[3]");
}

}  // namespace
}  // namespace forebay
