#include "net/shared_pause.h"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <thread>
#include <vector>

// Aim: a server that throttles is asked by fewer at once, and by more again when it answers.
namespace forebay {
namespace {

TEST(SharedPause, IsInNobodysWayBeforeTheFirstThrottling) {
  SharedPause pause;
  std::vector<SharedPause::Place> places;
  for (int i = 0; i < 100; ++i) places.push_back(pause.enter());
  EXPECT_EQ(pause.limit(), SharedPause::kUnbounded);
}

TEST(SharedPause, HalvesWhatIsUnderWayWhenThrottledRETRY5) {
  SharedPause pause;
  std::vector<SharedPause::Place> places;
  for (int i = 0; i < 8; ++i) places.push_back(pause.enter());
  pause.throttled(places[3]);
  EXPECT_EQ(pause.limit(), 4);
  // The others began before that: their throttling says nothing new.
  for (const auto& place : places) pause.throttled(place);
  EXPECT_EQ(pause.limit(), 4);
  places.clear();
  const auto later = pause.enter();
  pause.throttled(later);
  EXPECT_EQ(pause.limit(), 1) << "only one was under way, which is too many already";
}

TEST(SharedPause, NeverFallsBelowOne) {
  SharedPause pause(2);
  for (int i = 0; i < 5; ++i) {
    const auto place = pause.enter();
    pause.throttled(place);
  }
  EXPECT_EQ(pause.limit(), 1);
}

TEST(SharedPause, GrowsByOneAfterAsManySuccessesUpToItsBound) {
  SharedPause pause(3);
  {
    const auto place = pause.enter();
    pause.throttled(place);
  }
  EXPECT_EQ(pause.limit(), 1);
  pause.succeeded();
  EXPECT_EQ(pause.limit(), 2);
  pause.succeeded();
  EXPECT_EQ(pause.limit(), 2);
  pause.succeeded();
  EXPECT_EQ(pause.limit(), 3);
  for (int i = 0; i < 20; ++i) pause.succeeded();
  EXPECT_EQ(pause.limit(), 3);
}

TEST(SharedPause, LetsInNoMoreThanTheLimitAtOnce) {
  SharedPause pause(2);
  std::atomic<int> inside{0};
  std::atomic<int> most{0};
  std::vector<std::jthread> threads;
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < 50; ++j) {
        const auto place = pause.enter();
        const int now = ++inside;
        for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
        }
        std::this_thread::yield();
        --inside;
      }
    });
  }
  threads.clear();
  EXPECT_LE(most, 2);
  EXPECT_GE(most, 1);
}

TEST(SharedPause, WakesWhoeverWaitsWhenAPlaceIsFree) {
  SharedPause pause(1);
  std::optional<SharedPause::Place> place(pause.enter());
  std::atomic<bool> entered{false};
  std::jthread waiting([&] {
    const auto mine = pause.enter();
    entered = true;
  });
  EXPECT_FALSE(entered);
  place.reset();
  waiting.join();
  EXPECT_TRUE(entered);
}

}  // namespace
}  // namespace forebay
