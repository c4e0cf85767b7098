#include "base/time_fields.h"

#include <gtest/gtest.h>

// Aim: the calendar's edges, and a reader that never eats after a mismatch.
namespace forebay::time_fields {
namespace {

TEST(TimeFields, GoThereAndBackAtTheEdgesOfTheCalendar) {
  for (const auto& fields : {Fields{.year = 1}, Fields{.year = 2024, .month = 2, .day = 29},
                             Fields{.year = 9999, .month = 12, .day = 31, .hour = 23}}) {
    const auto time = to_time(fields);
    ASSERT_TRUE(time);
    EXPECT_EQ(to_time(to_fields(*time)), time);
  }
  EXPECT_FALSE(to_time({.year = 0}));
  EXPECT_FALSE(to_time({.year = 1900, .month = 2, .day = 29}));
  EXPECT_FALSE(to_time({.year = 2026, .second = 60}));
}

TEST(TimeFields, ReadNothingMoreAfterAMismatch) {
  Reader in("12x34");
  EXPECT_EQ(in.number(2, 2), 12);
  in.literal("y");
  EXPECT_FALSE(in.ok());
  in.literal("x");
  EXPECT_EQ(in.used(), 2U);
  EXPECT_FALSE(in.done());
}

}  // namespace
}  // namespace forebay::time_fields
