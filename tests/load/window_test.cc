#include "load/window.h"

#include <gtest/gtest.h>

// Aim: a mark survives the ledger exactly, and a bound is never rounded to the wrong side.
namespace forebay {
namespace {

TEST(Window, AMarkIsReadBackAsItWasWritten) {
  for (const TimeMark& mark : {TimeMark{TimeFormat::unix_nanos, TimeUnit::nano, INT64_MAX},
                               TimeMark{TimeFormat::date, TimeUnit::day, -3653},
                               TimeMark{TimeFormat::timestamptz, TimeUnit::micro, 0},
                               TimeMark{TimeFormat::iso8601, TimeUnit::nano, INT64_MIN}}) {
    const auto read = parse_mark(to_text(mark));
    ASSERT_TRUE(read) << describe(read.error());
    EXPECT_EQ(**read, mark);
  }
  EXPECT_EQ(to_text({TimeFormat::unix_millis, TimeUnit::milli, -5}), "unix_millis ms -5");
}

TEST(Window, AnEmptyTextIsNoMarkAndAnythingElseAnError) {
  EXPECT_EQ(*parse_mark(""), std::nullopt);
  for (const char* text : {"x", "date day", "date day x", "date  5", "date day 5x", "date parsec 5",
                           "name day 5", "date day 99999999999999999999"})
    EXPECT_FALSE(parse_mark(text)) << text;
}

TEST(Window, MarksOfDifferentUnitsAreComparedExactly) {
  const TimeMark seconds{TimeFormat::timestamp, TimeUnit::second, -1};
  const TimeMark nanos{TimeFormat::timestamp, TimeUnit::nano, -999'999'999};
  EXPECT_TRUE(is_after(nanos, seconds));
  EXPECT_FALSE(is_after(seconds, nanos));
  EXPECT_FALSE(is_after(seconds, seconds));
}

std::optional<TimeBound> bound(TimeUnit unit, std::int64_t ticks, Duration overlap,
                               bool inclusive = false) {
  WindowRule rule{.overlap = overlap, .inclusive = inclusive};
  return lower_bound(rule, TimeMark{TimeFormat::timestamp, unit, ticks}, unit);
}

TEST(Window, AnOverlapBetweenTwoTicksTakesNeitherTooManyNorTooFew) {
  using std::chrono::milliseconds;
  // Above 9.5 s is above 9 s for whole seconds; at or above 9.5 s is at or above 10 s.
  EXPECT_EQ(bound(TimeUnit::second, 10, milliseconds(500)), (TimeBound{9, false}));
  EXPECT_EQ(bound(TimeUnit::second, 10, milliseconds(500), true), (TimeBound{10, true}));
  EXPECT_EQ(bound(TimeUnit::second, -10, milliseconds(500)), (TimeBound{-11, false}));
  EXPECT_EQ(bound(TimeUnit::nano, 10, Duration(1)), (TimeBound{-990, false}));
}

TEST(Window, ADayBeginsWhereTheBoundLies) {
  EXPECT_EQ(bound(TimeUnit::day, 100, {}), (TimeBound{100, true}));
  EXPECT_EQ(bound(TimeUnit::day, 100, std::chrono::hours(1)), (TimeBound{99, true}));
  EXPECT_EQ(bound(TimeUnit::day, 100, std::chrono::hours(24)), (TimeBound{99, true}));
  EXPECT_EQ(bound(TimeUnit::day, 100, std::chrono::hours(25)), (TimeBound{98, true}));
}

TEST(Window, ABoundBelowAllNumbersIsNone) {
  EXPECT_EQ(bound(TimeUnit::nano, INT64_MIN, std::chrono::hours(1)), std::nullopt);
}

TEST(Window, AMarkInAFinerUnitStaysExact) {
  const WindowRule rule;
  EXPECT_EQ(lower_bound(rule, TimeMark{TimeFormat::timestamp, TimeUnit::milli, -1}, TimeUnit::nano),
            (TimeBound{-1'000'000, false}));
}

TEST(Window, AFileThatWasAppliedSinceTheListingIsThere) {
  const ListedFiles listed{.complete = true, .newest = {false, true, false}};
  EXPECT_TRUE(listed.has(1));
  EXPECT_FALSE(listed.has(2));
  EXPECT_TRUE(listed.has(3));
}

}  // namespace
}  // namespace forebay
