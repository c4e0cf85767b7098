// Aim: a declared type takes exactly the values that are one of it. Method: every form of every
// pair of types through the engine; what is null was refused.
#include "engine/exact_cast.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "engine/database.h"
#include "engine/value.h"

namespace forebay {
namespace {

ColumnType of(TypeKind kind) { return {.kind = kind}; }
ColumnType decimal(int digits, int after_point) {
  return {.kind = TypeKind::decimal, .width = digits, .scale = after_point};
}

class ExactCast : public ::testing::Test {
 protected:
  std::string cast(const std::string& value, const ColumnType& file, const ColumnType& declared) {
    EXPECT_TRUE(can_be_declared(file, declared)) << to_sql(file) << " " << to_sql(declared);
    const auto rows = connection_->query(
        fmt::format(
            "SET TimeZone = 'Asia/Shanghai'; SELECT ({})::VARCHAR FROM (SELECT {}::{} AS v)",
            duckdb::exact_cast_sql("v", file, declared), value, to_sql(file)),
        "test");
    if (!rows) return describe(rows.error());
    return duckdb::is_null((*rows)[0][0]) ? "refused" : duckdb::text((*rows)[0][0]);
  }
  std::string text_as(std::string_view text, const ColumnType& declared) {
    return cast(duckdb::literal(text), of(TypeKind::text), declared);
  }

  std::unique_ptr<duckdb::Database> database_ = std::move(*duckdb::Database::open({}));
  std::unique_ptr<duckdb::Connection> connection_ = std::move(*database_->connect());
};

TEST_F(ExactCast, TextAsIntegers) {
  const ColumnType integer = of(TypeKind::int32);
  EXPECT_EQ(text_as("7", integer), "7");
  EXPECT_EQ(text_as("007", integer), "7");
  EXPECT_EQ(text_as(" +7 ", integer), "7");
  EXPECT_EQ(text_as("-0", integer), "0");
  EXPECT_EQ(text_as("7.00", integer), "7");
  for (const char* no : {"7.5", "1e3", "0x1F", "1_000", "", "seven", "2147483648", "1,000"})
    EXPECT_EQ(text_as(no, integer), "refused") << no;
  EXPECT_EQ(text_as("18446744073709551615", of(TypeKind::uint64)), "18446744073709551615");
}

TEST_F(ExactCast, TextAsDecimals) {
  EXPECT_EQ(text_as("1.5", decimal(9, 2)), "1.50");
  EXPECT_EQ(text_as("1.500", decimal(9, 2)), "1.50");
  EXPECT_EQ(text_as("-.5", decimal(9, 2)), "-0.50");
  for (const char* no : {"1.505", "1e3", "12345678.00", "1,5", "."})
    EXPECT_EQ(text_as(no, decimal(9, 2)), "refused") << no;
}

TEST_F(ExactCast, TextAsTimes) {
  EXPECT_EQ(text_as("2026-01-02", of(TypeKind::date)), "2026-01-02");
  for (const char* no : {"2026-01-02 10:00:00", "2026-02-30", "02.01.2026", "infinity"})
    EXPECT_EQ(text_as(no, of(TypeKind::date)), "refused") << no;
  const ColumnType local = of(TypeKind::timestamp_us);
  EXPECT_EQ(text_as("2026-01-02T10:00:00.5Z", local), "2026-01-02 10:00:00.5");
  EXPECT_EQ(text_as("2026-01-02", local), "2026-01-02 00:00:00");
  EXPECT_EQ(text_as("2026-01-02 10:00:00.123456000", local), "2026-01-02 10:00:00.123456");
  // A zone, or a fraction, that the type would lose.
  for (const char* no : {"2026-01-02 10:00:00+02", "2026-01-02T10:00:00-05:30",
                         "2026-01-02 10:00:00.1234567", "10:00:00"})
    EXPECT_EQ(text_as(no, local), "refused") << no;
  EXPECT_EQ(text_as("10:00:01.5", of(TypeKind::time)), "10:00:01.5");
  EXPECT_EQ(text_as("2026-01-02 10:00:01", of(TypeKind::time)), "refused");
}

// TYPE-6: whatever the zone of the session is, here Asia/Shanghai.
TEST_F(ExactCast, TYPE_6_TextAsTimesWithAZone) {
  const ColumnType zoned = of(TypeKind::timestamp_tz);
  EXPECT_EQ(text_as("2026-01-02 10:00:00+02", zoned), "2026-01-02 16:00:00+08");
  EXPECT_EQ(text_as("2026-01-02T10:00:00Z", zoned), "2026-01-02 18:00:00+08");
  EXPECT_EQ(text_as("2026-01-02 10:00:00", zoned), "2026-01-02 18:00:00+08");
  EXPECT_EQ(text_as("2026-01-02", zoned), "2026-01-02 08:00:00+08");
  EXPECT_EQ(text_as("yesterday", zoned), "refused");
}

TEST_F(ExactCast, TextAsTheRest) {
  EXPECT_EQ(text_as("true", of(TypeKind::boolean)), "true");
  EXPECT_EQ(text_as("2", of(TypeKind::boolean)), "refused");
  EXPECT_EQ(text_as("1e3", of(TypeKind::float64)), "1000.0");
  EXPECT_EQ(text_as("{\"a\": 1}", of(TypeKind::json)), "{\"a\": 1}");
  EXPECT_EQ(text_as("{\"a\":", of(TypeKind::json)), "refused");
  EXPECT_EQ(text_as("6F9619FF-8B86-D011-B42D-00C04FC964FF", of(TypeKind::uuid)),
            "6f9619ff-8b86-d011-b42d-00c04fc964ff");
  EXPECT_EQ(text_as("a", of(TypeKind::uuid)), "refused");
  EXPECT_EQ(text_as("a\\x00", of(TypeKind::blob)), "a\\x5Cx00");
}

TEST_F(ExactCast, NumbersAsNumbers) {
  EXPECT_EQ(cast("300", of(TypeKind::int64), of(TypeKind::int16)), "300");
  EXPECT_EQ(cast("70000", of(TypeKind::int64), of(TypeKind::int16)), "refused");
  EXPECT_EQ(cast("2.0", of(TypeKind::float64), of(TypeKind::int32)), "2");
  EXPECT_EQ(cast("2.5", of(TypeKind::float64), of(TypeKind::int32)), "refused");
  EXPECT_EQ(cast("0.1", of(TypeKind::float64), decimal(9, 2)), "0.10");
  EXPECT_EQ(cast("0.125", decimal(9, 3), decimal(9, 2)), "refused");
  EXPECT_EQ(cast("9007199254740993", of(TypeKind::int64), of(TypeKind::float64)), "refused");
  EXPECT_EQ(cast("1", of(TypeKind::int32), of(TypeKind::boolean)), "true");
  EXPECT_EQ(cast("2", of(TypeKind::int32), of(TypeKind::boolean)), "refused");
}

TEST_F(ExactCast, AnythingAsText) {
  EXPECT_EQ(cast("0.10", decimal(9, 2), of(TypeKind::text)), "0.10");
  EXPECT_EQ(cast("'abc'", of(TypeKind::blob), of(TypeKind::text)), "abc");
  EXPECT_EQ(cast("'\\xFF'", of(TypeKind::blob), of(TypeKind::text)), "refused");
  EXPECT_EQ(cast("[1, NULL]", {.kind = TypeKind::list, .children = {of(TypeKind::int32)}},
                 of(TypeKind::text)),
            "[1,null]");
  // TYPE-6 again: not as the session's zone would have it.
  EXPECT_EQ(cast("'2026-01-02 10:00:00+00'", of(TypeKind::timestamp_tz), of(TypeKind::text)),
            "2026-01-02 10:00:00+00");
}

TEST_F(ExactCast, TimesAsTimes) {
  EXPECT_EQ(cast("'2026-01-02 00:00:00'", of(TypeKind::timestamp_us), of(TypeKind::date)),
            "2026-01-02");
  EXPECT_EQ(cast("'2026-01-02 00:00:01'", of(TypeKind::timestamp_us), of(TypeKind::date)),
            "refused");
  EXPECT_EQ(cast("'2026-01-02 10:00:00'", of(TypeKind::timestamp_us), of(TypeKind::timestamp_tz)),
            "2026-01-02 18:00:00+08");
  EXPECT_EQ(
      cast("'2026-01-02 10:00:00+00'", of(TypeKind::timestamp_tz), of(TypeKind::timestamp_us)),
      "2026-01-02 10:00:00");
}

TEST_F(ExactCast, WhatHasNoWayIsSaidBefore) {
  EXPECT_FALSE(can_be_declared(of(TypeKind::int64), of(TypeKind::timestamp_us)));
  EXPECT_FALSE(can_be_declared(of(TypeKind::blob), of(TypeKind::int64)));
  EXPECT_FALSE(can_be_declared(of(TypeKind::uuid), of(TypeKind::int64)));
  EXPECT_FALSE(can_be_declared(of(TypeKind::time), of(TypeKind::date)));
  EXPECT_TRUE(can_be_declared(of(TypeKind::null_type), of(TypeKind::date)));
}

}  // namespace
}  // namespace forebay
