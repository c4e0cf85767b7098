#include "engine/decimal_text.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "engine/database.h"
#include "engine/value.h"

namespace forebay {
namespace {

std::string text_of(std::initializer_list<int> bytes, int scale) {
  std::vector<std::byte> list;
  for (const int byte : bytes) list.push_back(static_cast<std::byte>(byte));
  return decimal_text(list, scale).value_or("nothing");
}

TEST(DecimalText, IsThePlainNumber) {
  EXPECT_EQ(text_of({0x00}, 0), "0");
  EXPECT_EQ(text_of({0x00}, 3), "0.000");
  EXPECT_EQ(text_of({0x05}, 2), "0.05");
  EXPECT_EQ(text_of({0x00, 0x96}, 2), "1.50");
  EXPECT_EQ(text_of({0x01, 0x00}, 0), "256");
  EXPECT_EQ(text_of({0x7f}, 0), "127");
}

TEST(DecimalText, KnowsNegativeOnesAtAnyLength) {
  EXPECT_EQ(text_of({0xfb}, 2), "-0.05");
  EXPECT_EQ(text_of({0xff, 0xff, 0xff, 0xff, 0xfb}, 2), "-0.05");
  EXPECT_EQ(text_of({0x80}, 0), "-128");
  EXPECT_EQ(text_of({0xff, 0x00}, 0), "-256");
  EXPECT_EQ(text_of({0x80, 0, 0, 0}, 0), "-2147483648");
  EXPECT_EQ(text_of({0x80, 0, 0, 0, 0}, 4), "-54975581.3888");
}

// BUGS TYPE-1: 1.50 as DECIMAL(39,2) in 17 bytes, which a reader of 8 at a time gets wrong.
TEST(DecimalText, TYPE_1_LengthsThatAreNoMultipleOfEight) {
  EXPECT_EQ(text_of({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x96}, 2), "1.50");
  EXPECT_EQ(text_of({0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                     0xff, 0xff, 0xff, 0x6a},
                    2),
            "-1.50");
}

// 2^255 - 1 and -2^255: the bounds of 32 bytes.
TEST(DecimalText, IsExactWithAllDigits) {
  std::vector<std::byte> most(32, std::byte{0xff});
  most.front() = std::byte{0x7f};
  EXPECT_EQ(decimal_text(most, 0),
            "57896044618658097711785492504343953926634992332820282019728792003956564819967");
  std::vector<std::byte> least(32, std::byte{0});
  least.front() = std::byte{0x80};
  EXPECT_EQ(decimal_text(least, 38),
            "-578960446186580977117854925043439539266.34992332820282019728792003956564819968");
}

TEST(DecimalText, RefusesWhatIsNone) {
  EXPECT_FALSE(decimal_text({}, 2));
  EXPECT_FALSE(decimal_text(std::vector<std::byte>(kMaxDecimalBytes + 1), 2));
}

TEST(DecimalText, IsAFunctionOfEveryConnection) {
  const auto database = std::move(*duckdb::Database::open({}));
  const auto connection = std::move(*database->connect());
  const auto rows = connection->query(
      "SELECT _forebay_decimal(b, 2) FROM (VALUES ('\\x00\\x96'::BLOB), (NULL), ('\\xFB'::BLOB)) "
      "t(b)",
      "test");
  ASSERT_TRUE(rows) << describe(rows.error());
  EXPECT_EQ(duckdb::text((*rows)[0][0]), "1.50");
  EXPECT_TRUE(duckdb::is_null((*rows)[1][0]));
  EXPECT_EQ(duckdb::text((*rows)[2][0]), "-0.05");
  EXPECT_FALSE(connection->query("SELECT _forebay_decimal(''::BLOB, 2)", "test"));
}

}  // namespace
}  // namespace forebay
