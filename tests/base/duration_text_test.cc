#include "base/duration_text.h"

#include <gtest/gtest.h>

namespace forebay {
namespace {

using namespace std::chrono_literals;

TEST(DurationText, ReadsANumberAndAUnit) {
  EXPECT_EQ(parse_duration("90s"), Duration(90s));
  EXPECT_EQ(parse_duration("15m"), Duration(15min));
  EXPECT_EQ(parse_duration("6h"), Duration(6h));
  EXPECT_EQ(parse_duration("2d"), Duration(48h));
  EXPECT_EQ(parse_duration("1w"), Duration(168h));
  EXPECT_EQ(parse_duration("0s"), Duration(0));
}

TEST(DurationText, RefusesEverythingElse) {
  for (const char* text : {"", "s", "90", "-1s", "+1s", " 1s", "1s ", "1 s", "1.5h", "1h30m", "1S",
                           "1ms", "1y", "0x1s", "99999999999999999999s", "36601d"}) {
    EXPECT_EQ(parse_duration(text), std::nullopt) << text;
  }
  EXPECT_NE(parse_duration("36600d"), std::nullopt);
}

TEST(DurationText, WritesTheShortestText) {
  EXPECT_EQ(format_duration(168h), "1w");
  EXPECT_EQ(format_duration(36h), "36h");
  EXPECT_EQ(format_duration(90s), "90s");
  EXPECT_EQ(format_duration(0s), "0s");
  EXPECT_EQ(format_duration(1999ms), "1s");
}

}  // namespace
}  // namespace forebay
