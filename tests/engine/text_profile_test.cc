// Aim: a column of text gets a type only if every value prints back from it (CONTRACT, CSV and
// JSON), and a column that stands takes only what it holds exactly. Method: DuckDB itself casts
// each value to the type and back; what it prints must be what was there.

#include "engine/text_profile.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/parquet_maker.h"

namespace forebay {
namespace {

using test::sql_value;

TextProfile profile(std::initializer_list<std::string_view> values,
                    TextOrigin origin = TextOrigin::plain) {
  TextProfile profile;
  for (const std::string_view value : values) profile.add(value, origin);
  return profile;
}

std::string natural(std::initializer_list<std::string_view> values,
                    TextOrigin origin = TextOrigin::plain) {
  return to_sql(natural_type(profile(values, origin)));
}

std::string printed(std::string_view value, const std::string& type) {
  return sql_value(fmt::format("SELECT TRY_CAST('{}' AS {})::VARCHAR", value, type));
}

TEST(TextProfile, ATypeIsTakenWhenEveryValuePrintsBack) {
  EXPECT_EQ(natural({"true", "false"}), "BOOLEAN");
  EXPECT_EQ(natural({"0", "-12", "9223372036854775807"}), "BIGINT");
  EXPECT_EQ(natural({"9223372036854775808"}), "HUGEINT");
  EXPECT_EQ(natural({"1.5", "-0.25", "2.0", "1e+20", "nan"}), "DOUBLE");
  EXPECT_EQ(natural({"1.50", "0.05", "-12.00"}), "DECIMAL(18,2)");
  EXPECT_EQ(natural({"12345678901234567.50"}), "DECIMAL(38,2)");
  EXPECT_EQ(natural({"2024-02-29", "0001-01-01"}), "DATE");
  EXPECT_EQ(natural({"2024-02-29 23:59:59", "2024-02-29 00:00:00.25"}), "TIMESTAMP");
  EXPECT_EQ(natural({"{}", "[1]"}, TextOrigin::nested), "JSON");
}

TEST(TextProfile, WhatWouldPrintOtherwiseStaysText) {
  for (const std::string_view value : {"007",
                                       "+1",
                                       "-0",
                                       "1e5",
                                       "1E+20",
                                       " 1",
                                       "1 ",
                                       "1.",
                                       ".5",
                                       "00.5",
                                       "-0.0",
                                       "-0.00",
                                       "0x10",
                                       "1_000",
                                       "True",
                                       "TRUE",
                                       "t",
                                       "NaN",
                                       "Infinity",
                                       "",
                                       "2024-02-30",
                                       "2023-02-29",
                                       "2024-1-01",
                                       "0000-01-01",
                                       "10000-01-01",
                                       "2024-01-01T00:00:00",
                                       "2024-01-01 00:00",
                                       "2024-01-01 24:00:00",
                                       "2024-01-01 00:00:60",
                                       "2024-01-01 00:00:00.",
                                       "2024-01-01 00:00:00.50",
                                       "2024-01-01 00:00:00.1234567",
                                       "2024-01-01 00:00:00Z"}) {
    EXPECT_EQ(natural({value}), "VARCHAR") << value;
  }
  EXPECT_EQ(natural({"170141183460469231731687303715884105728"}), "VARCHAR");
}

TEST(TextProfile, OneValueOfAnotherKindMakesItText) {
  EXPECT_EQ(natural({"1", "1.5"}), "VARCHAR") << "DOUBLE would print 1.0";
  EXPECT_EQ(natural({"1", "x"}), "VARCHAR");
  EXPECT_EQ(natural({"true", "1"}), "VARCHAR");
  EXPECT_EQ(natural({"1.50", "1.5"}), "VARCHAR");
  EXPECT_EQ(natural({"2024-01-01", "2024-01-01 00:00:00"}), "VARCHAR");
  EXPECT_EQ(natural({}), "VARCHAR");
}

TEST(TextProfile, AJsonStringIsNoNumberAndAJsonNumberNoDate) {
  EXPECT_EQ(natural({"1"}, TextOrigin::string), "VARCHAR");
  EXPECT_EQ(natural({"true"}, TextOrigin::string), "VARCHAR");
  EXPECT_EQ(natural({"2024-01-01"}, TextOrigin::string), "DATE");
  EXPECT_EQ(natural({"1"}, TextOrigin::scalar), "BIGINT");
  EXPECT_EQ(natural({"{}"}), "VARCHAR");
}

// Whatever is taken for DOUBLE must print back from DuckDB, and so must every other type.
TEST(TextProfile, DuckDbPrintsBackWhatIsTaken) {
  std::mt19937_64 random(1);
  int taken = 0;
  for (int i = 0; i < 400; ++i) {
    const double scale = std::pow(10.0, static_cast<double>(random() % 44) - 14);
    const double value = (static_cast<double>(random() % 2'000'001) - 1'000'000) * scale;
    for (const std::string& text :
         {fmt::format("{}", value), fmt::format("{:.2f}", value), fmt::format("{:g}", value)}) {
      const std::string type = natural({text});
      if (type == "VARCHAR") continue;
      ++taken;
      EXPECT_EQ(printed(text, type), text) << type;
    }
  }
  EXPECT_GT(taken, 600) << "the test must not be empty";
}

TEST(TextProfile, EdgesOfEveryTypePrintBack) {
  for (const std::string_view text :
       {"-9223372036854775808", "9223372036854775807", "99999999999999999999999999999999999999",
        "1e+16", "1000000000000000.0", "1e-05", "0.0001", "5e-324", "1.7976931348623157e+308",
        "0.0", "-inf", "9999-12-31", "9999-12-31 23:59:59.999999", "0001-01-01 00:00:00", "0.10",
        "-999999999999999999999999999999999999.90"}) {
    const std::string type = natural({text});
    EXPECT_NE(type, "VARCHAR") << text;
    EXPECT_EQ(printed(text, type), text) << type;
  }
}

TEST(TextProfile, AStandingColumnTakesWhatItHoldsExactly) {
  const auto takes = [](ColumnType type, std::initializer_list<std::string_view> values) {
    return holds(type, profile(values));
  };
  const ColumnType small{.kind = TypeKind::int8};
  EXPECT_TRUE(takes(small, {"-128", "127"}));
  EXPECT_FALSE(takes(small, {"128"}));
  EXPECT_FALSE(takes(small, {"007"}));
  EXPECT_TRUE(takes({.kind = TypeKind::uint64}, {"18446744073709551615"}));
  EXPECT_FALSE(takes({.kind = TypeKind::uint64}, {"-1"}));
  const ColumnType real{.kind = TypeKind::float64};
  EXPECT_TRUE(takes(real, {"3", "1.50", "0.00001", "9007199254740992"}));
  EXPECT_FALSE(takes(real, {"9007199254740993"}));
  EXPECT_FALSE(takes(real, {"0.1234567890123456789"}));
  const ColumnType decimal{.kind = TypeKind::decimal, .width = 5, .scale = 2};
  EXPECT_TRUE(takes(decimal, {"999.99", "1", "1.5"}));
  EXPECT_FALSE(takes(decimal, {"1000"}));
  EXPECT_FALSE(takes(decimal, {"1.005"}));
  EXPECT_TRUE(takes({.kind = TypeKind::timestamp_ms}, {"2024-01-01 00:00:00.123"}));
  EXPECT_FALSE(takes({.kind = TypeKind::timestamp_ms}, {"2024-01-01 00:00:00.1234"}));
  EXPECT_FALSE(takes({.kind = TypeKind::blob}, {"x"}));
  EXPECT_TRUE(takes({.kind = TypeKind::blob}, {})) << "nothing but nulls fits everywhere";
}

TEST(TextProfile, AStandingColumnWidensByTheRulesOrDrifts) {
  const auto widened = [](ColumnType type, std::initializer_list<std::string_view> values) {
    const auto found = widen_to_text(type, profile(values));
    return found ? to_sql(*found) : "drift";
  };
  EXPECT_EQ(widened({.kind = TypeKind::int32}, {"3000000000"}), "BIGINT");
  EXPECT_EQ(widened({.kind = TypeKind::int32}, {"1.5"}), "DOUBLE");
  EXPECT_EQ(widened({.kind = TypeKind::int64}, {"1.5"}), "drift");
  EXPECT_EQ(widened({.kind = TypeKind::float64}, {"1", "2.25"}), "DOUBLE");
  EXPECT_EQ(widened({.kind = TypeKind::decimal, .width = 18, .scale = 2}, {"1", "1.125"}),
            "DECIMAL(19,3)");
  EXPECT_EQ(widened({.kind = TypeKind::int64}, {"1", "1.5", "9223372036854775808"}), "drift");
  EXPECT_EQ(widened({.kind = TypeKind::int32}, {"1", "1.5"}), "DOUBLE");
  EXPECT_EQ(widened({.kind = TypeKind::int64}, {"x"}), "drift");
  EXPECT_EQ(widened({.kind = TypeKind::text}, {"1"}), "VARCHAR");
}

TEST(TextProfile, MergingIsAddingAllValues) {
  const std::vector<std::string_view> values = {
      "1",    "22",   "1.5", "1.50",       "x",     "-3",
      "true", "2.25", "0.5", "2024-01-01", "1e+20", "2024-01-01 00:00:00.5"};
  for (const auto& a : values) {
    for (const auto& b : values) {
      TextProfile merged = profile({a});
      merged.merge(profile({b}));
      merged.merge({});
      const TextProfile both = profile({a, b});
      EXPECT_EQ(to_sql(natural_type(merged)), to_sql(natural_type(both))) << a << " " << b;
      for (const ColumnType& type :
           {ColumnType{.kind = TypeKind::int8}, ColumnType{.kind = TypeKind::float64},
            ColumnType{.kind = TypeKind::decimal, .width = 4, .scale = 2},
            ColumnType{.kind = TypeKind::timestamp_s}})
        EXPECT_EQ(holds(type, merged), holds(type, both)) << a << " " << b << to_sql(type);
    }
  }
}

}  // namespace
}  // namespace forebay
