#include "base/quantity.h"

#include <gtest/gtest.h>

namespace forebay {
namespace {

TEST(Quantity, ReadsSizesInPowersOfThousandAndOf1024) {
  EXPECT_EQ(parse_size("4096"), 4096u);
  EXPECT_EQ(parse_size("512MB"), 512'000'000u);
  EXPECT_EQ(parse_size("512 mb"), 512'000'000u);
  EXPECT_EQ(parse_size("2GiB"), 2ull << 30);
  EXPECT_EQ(parse_size("1.5k"), 1500u);
  EXPECT_EQ(parse_size("3T"), 3'000'000'000'000u);
}

TEST(Quantity, RefusesWhatIsNoSize) {
  for (const char* text :
       {"", "MB", "-1", "1 potato", "1.2.3", "1ib", "1e9", "99999999999T", "0x10", "12 MB extra"}) {
    EXPECT_EQ(parse_size(text), std::nullopt) << text;
  }
}

TEST(Quantity, WritesSizesWithOneDigit) {
  EXPECT_EQ(format_size(0), "0 B");
  EXPECT_EQ(format_size(999), "999 B");
  EXPECT_EQ(format_size(1234), "1.2 kB");
  EXPECT_EQ(format_size(999'999), "1.0 MB");
  EXPECT_EQ(format_size(5'000'000'000'000'000), "5000.0 TB");
}

TEST(Quantity, GroupsDigitsByThousands) {
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(1000), "1,000");
  EXPECT_EQ(format_count(1234567), "1,234,567");
}

TEST(Quantity, WritesSecondsAsPreciselyAsTheyMatter) {
  EXPECT_EQ(format_seconds(0.036), "0.04 s");
  EXPECT_EQ(format_seconds(42.42), "42.4 s");
  EXPECT_EQ(format_seconds(185), "3 min 05 s");
  EXPECT_EQ(format_seconds(7800), "2 h 10 min");
}

TEST(Quantity, WritesAgesInOneUnit) {
  using namespace std::chrono_literals;
  EXPECT_EQ(format_age(1s), "1 second");
  EXPECT_EQ(format_age(-5s), "0 seconds");
  EXPECT_EQ(format_age(3min), "3 minutes");
  EXPECT_EQ(format_age(47h), "47 hours");
  EXPECT_EQ(format_age(72h), "3 days");
}

}  // namespace
}  // namespace forebay
