#include "engine/int96.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "engine/database.h"
#include "engine/value.h"

// Aim: the times that Impala, Hive and Spark keep in twelve bytes are exact, or nothing. Method:
// bytes made here, through the function and through the engine.
namespace forebay {
namespace {

std::vector<std::byte> int96(std::int64_t of_day, std::int32_t julian_day) {
  std::vector<std::byte> bytes;
  for (int i = 0; i < 8; ++i)
    bytes.push_back(static_cast<std::byte>(static_cast<std::uint64_t>(of_day) >> (8 * i)));
  for (int i = 0; i < 4; ++i)
    bytes.push_back(static_cast<std::byte>(static_cast<std::uint32_t>(julian_day) >> (8 * i)));
  return bytes;
}

constexpr std::int64_t kDay = 86'400'000'000'000;

TEST(Int96, CountsFrom1970) {
  EXPECT_EQ(int96_ticks(int96(0, 2440588), 1), 0);
  EXPECT_EQ(int96_ticks(int96(1, 2440588), 1), 1);
  EXPECT_EQ(int96_ticks(int96(kDay - 1, 2440587), 1), -1);
  EXPECT_EQ(int96_ticks(int96(3'000, 2440589), 1000), kDay / 1000 + 3);
}

TEST(Int96, TYPE_10_NeverLosesNanoseconds) {
  EXPECT_EQ(int96_ticks(int96(1'001, 2440588), 1000), std::nullopt);
  EXPECT_EQ(int96_ticks(int96(kDay - 1, 2440587), 1000), std::nullopt);
  EXPECT_EQ(int96_ticks(int96(1'001, 2440588), 1), 1'001);
}

// 0001-01-01 and 9999-12-31 have microseconds in 64 bits and nanoseconds have not.
TEST(Int96, KnowsHowFarEachUnitReaches) {
  EXPECT_EQ(int96_ticks(int96(0, 1721426), 1000), -62'135'596'800'000'000);
  EXPECT_EQ(int96_ticks(int96(0, 5373484), 1000), 253'402'214'400'000'000);
  EXPECT_EQ(int96_ticks(int96(0, 1721426), 1), std::nullopt);
  EXPECT_EQ(int96_ticks(int96(0, 5373484), 1), std::nullopt);
  // 2262-04-11T23:47:16.854775807 is the number that the engine keeps for a time without end.
  EXPECT_EQ(int96_ticks(int96(85'636'854'775'806, 2547339), 1),
            std::numeric_limits<std::int64_t>::max() - 1);
  EXPECT_EQ(int96_ticks(int96(85'636'854'775'807, 2547339), 1), std::nullopt);
  EXPECT_EQ(int96_ticks(int96(85'636'854'775'807, 2547339), 1000), std::nullopt);
}

// 1677-09-21 has ticks from 00:12:43.145224194 on, and its midnight has none.
TEST(Int96, KnowsTheFirstDayThatHasNanoseconds) {
  EXPECT_EQ(int96_ticks(int96(764'000'000'000, 2333836), 1), -9'223'372'036'000'000'000);
  EXPECT_EQ(int96_ticks(int96(763'145'224'194, 2333836), 1),
            -std::numeric_limits<std::int64_t>::max() + 1);
  EXPECT_EQ(int96_ticks(int96(763'145'224'193, 2333836), 1), std::nullopt);
}

TEST(Int96, IsTwelveBytesAndNothingElse) {
  std::vector<std::byte> bytes = int96(0, 2440588);
  bytes.push_back(std::byte{0});
  EXPECT_EQ(int96_ticks(bytes, 1), std::nullopt);
  EXPECT_EQ(int96_ticks({}, 1), std::nullopt);
}

TEST(Int96, TheEngineCallsItWithNullsToo) {
  const auto database = std::move(*duckdb::Database::open({}));
  const auto connection = std::move(*database->connect());
  std::string hex;
  for (const std::byte byte : int96(3'000, 2440588))
    hex += fmt::format("\\x{:02x}", std::to_integer<int>(byte));
  const auto rows = connection->query(
      fmt::format("SELECT _forebay_int96(v, 1000) FROM (VALUES ('{}'::BLOB), (NULL), "
                  "('\\x01'::BLOB)) t(v)",
                  hex),
      "test");
  ASSERT_TRUE(rows) << describe(rows.error());
  EXPECT_EQ(duckdb::integer((*rows)[0][0]), 3);
  EXPECT_TRUE(duckdb::is_null((*rows)[1][0]));
  EXPECT_TRUE(duckdb::is_null((*rows)[2][0]));
}

}  // namespace
}  // namespace forebay
