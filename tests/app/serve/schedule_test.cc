// Times are made up and passed in: nothing here waits.
#include "app/serve/schedule.h"

#include <gtest/gtest.h>

namespace forebay {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using End = Schedule::End;

const Time kStart{hours(500'000)};

TEST(Schedule, RunsAllAtOnceInTheOrderOfTheConfiguration) {
  Schedule schedule({{"a", minutes(1)}, {"b", minutes(5)}}, kStart);
  EXPECT_EQ(schedule.due(kStart), "a");
  schedule.ran("a", kStart, kStart + seconds(2), End::well);
  EXPECT_EQ(schedule.due(kStart + seconds(2)), "b");
  schedule.ran("b", kStart + seconds(2), kStart + seconds(3), End::well);
  EXPECT_EQ(schedule.due(kStart + seconds(3)), std::nullopt);
  EXPECT_EQ(schedule.next(), kStart + minutes(1));
  EXPECT_EQ(schedule.next_run("b"), kStart + seconds(2) + minutes(5));
  EXPECT_EQ(schedule.due(kStart + minutes(1)), "a");
}

TEST(Schedule, CountsTheIntervalFromTheBeginningOfACycle) {
  Schedule schedule({{"a", minutes(1)}}, kStart);
  schedule.ran("a", kStart, kStart + seconds(50), End::well);
  EXPECT_EQ(schedule.next(), kStart + minutes(1));
}

TEST(Schedule, NeitherOverlapsNorCatchesUpWhenACycleTakesLongerThanItsInterval) {
  Schedule schedule({{"a", minutes(1)}}, kStart);
  schedule.ran("a", kStart, kStart + minutes(10), End::well);
  EXPECT_EQ(schedule.next(), kStart + minutes(10));
  schedule.ran("a", kStart + minutes(10), kStart + minutes(10) + seconds(1), End::well);
  EXPECT_EQ(schedule.next(), kStart + minutes(11));
}

TEST(Schedule, LetsOthersPassAPipelineThatIsAlwaysDue) {
  Schedule schedule({{"slow", minutes(1)}, {"b", minutes(1)}}, kStart);
  Time now = kStart;
  int slow = 0;
  int b = 0;
  for (int i = 0; i < 20; ++i) {
    const auto due = schedule.due(now);
    ASSERT_TRUE(due.has_value());
    const Time begun = now;
    now += *due == "slow" ? minutes(3) : minutes(0);
    ++(*due == "slow" ? slow : b);
    schedule.ran(*due, begun, now, End::well);
  }
  EXPECT_EQ(slow, 10);
  EXPECT_EQ(b, 10);
}

TEST(Schedule, WaitsLongerAfterEachFailureAndNeverStops) {
  Schedule schedule({{"a", minutes(1)}}, kStart);
  Time now = kStart;
  for (const int expected : {1, 2, 4, 8, 15, 15, 15}) {
    schedule.ran("a", now, now, End::failed);
    EXPECT_EQ(schedule.next() - now, minutes(expected));
    now = schedule.next();
  }
  for (int i = 0; i < 10'000; ++i) schedule.ran("a", now, now, End::failed);
  EXPECT_EQ(schedule.next() - now, minutes(15));
  schedule.ran("a", now, now, End::well);
  EXPECT_EQ(schedule.next() - now, minutes(1));
}

TEST(Schedule, NeverRunsAFailingPipelineMoreOftenThanAHealthyOne) {
  Schedule schedule({{"a", hours(2)}}, kStart);
  for (int i = 0; i < 4; ++i) schedule.ran("a", kStart, kStart, End::failed);
  EXPECT_EQ(schedule.next() - kStart, hours(2));
}

// A second loader with the same interval, and as much ahead, would be met at every beat.
TEST(Schedule, ChangesStepWhenSomebodyHoldsTheDatabase) {
  Schedule schedule({{"a", seconds(80)}}, kStart);
  for (int i = 0; i < 5; ++i) schedule.ran("a", kStart, kStart, End::held_up);
  EXPECT_EQ(schedule.next() - kStart, seconds(30));
}

TEST(Schedule, GoesOnWhenTheClockIsSetBack) {
  Schedule schedule({{"a", minutes(1)}}, kStart);
  schedule.ran("a", kStart, kStart + seconds(1), End::well);
  EXPECT_EQ(schedule.due(kStart + seconds(2)), std::nullopt);
  EXPECT_EQ(schedule.due(kStart - hours(1)), "a");
  schedule.ran("a", kStart - hours(1), kStart - hours(1), End::well);
  EXPECT_EQ(schedule.due(kStart - hours(1)), std::nullopt);
  EXPECT_EQ(schedule.next(), kStart - hours(1) + minutes(1));
}

TEST(Schedule, KeepsTimesOfPipelinesThatStayAndRunsNewOnesAtOnce) {
  Schedule schedule({{"a", hours(1)}, {"gone", hours(1)}}, kStart);
  schedule.ran("a", kStart, kStart, End::well);
  const Time later = kStart + minutes(5);
  schedule.replace({{"b", minutes(1)}, {"a", hours(1)}}, later);
  EXPECT_EQ(schedule.next_run("a"), kStart + hours(1));
  EXPECT_EQ(schedule.due(later), "b");
  EXPECT_EQ(schedule.next_run("gone"), std::nullopt);
  schedule.replace({{"a", minutes(10)}}, later);
  EXPECT_EQ(schedule.next_run("a"), kStart + minutes(10));
  schedule.ran("gone", later, later, End::well);  // it was dropped while it ran: nothing to note
  EXPECT_EQ(schedule.next_run("gone"), std::nullopt);
}

}  // namespace
}  // namespace forebay
