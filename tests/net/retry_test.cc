#include "net/retry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "support/fake_clock.h"

// Aim: patience is bounded by time, follows the server's wishes, and ends with the whole story.
// Method: a clock that only moves while the loop sleeps.
namespace forebay {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::HasSubstr;

Error error(ErrorCode code, std::string cause) {
  return {.code = code, .operation = "read", .object = "s3://b/k", .cause = std::move(cause)};
}

class RetryTest : public ::testing::Test {
 protected:
  Status run(std::function<Status(RetryAttempt&)> attempt, RetryPolicy policy = {}) {
    start_ = clock_.now();
    return retry(
        policy, clock_, [this] { return random_; }, pause_,
        [&](RetryAttempt& state) {
          ++attempts_;
          return attempt(state);
        });
  }
  Duration passed() { return clock_.now() - start_; }

  test::FakeClock clock_;
  Time start_{};
  double random_ = 0.5;
  int attempts_ = 0;
  SharedPause* pause_ = nullptr;
};

TEST_F(RetryTest, DoesNothingMoreAfterSuccess) {
  EXPECT_TRUE(run([](RetryAttempt&) { return Status{}; }));
  EXPECT_EQ(attempts_, 1);
  EXPECT_EQ(passed(), Duration{});
}

TEST_F(RetryTest, NeverRepeatsPermanentErrors) {
  for (const auto code : {ErrorCode::not_found, ErrorCode::changed, ErrorCode::damaged,
                          ErrorCode::denied, ErrorCode::refused, ErrorCode::interrupted,
                          ErrorCode::invalid_config, ErrorCode::internal, ErrorCode::busy}) {
    attempts_ = 0;
    const auto status = run([&](RetryAttempt&) { return Status(fail(error(code, "no"))); });
    EXPECT_EQ(status.error().code, code);
    EXPECT_EQ(status.error().cause, "no");
    EXPECT_EQ(attempts_, 1);
  }
}

TEST_F(RetryTest, SpendsMinutesAndNotMillisecondsRETRY2) {
  const auto status =
      run([&](RetryAttempt&) { return Status(fail(error(ErrorCode::throttled, "slow down"))); });
  EXPECT_EQ(status.error().code, ErrorCode::throttled);
  EXPECT_EQ(passed(), minutes(5));
  EXPECT_GT(attempts_, 10);
  EXPECT_LT(attempts_, 60);
}

TEST_F(RetryTest, WaitsARandomPartOfADelayThatDoublesRETRY1) {
  random_ = 1.0;
  (void)run([&](RetryAttempt&) { return Status(fail(error(ErrorCode::unavailable, "x"))); },
            {.retry_for = seconds(10), .first_delay = seconds(1), .max_delay = seconds(4)});
  EXPECT_EQ(clock_.naps(), (std::vector<Duration>{seconds(1), seconds(2), seconds(4), seconds(3)}));
}

TEST_F(RetryTest, IsNeverSoonerThanTheServerWishesRETRY1) {
  (void)run([&](RetryAttempt& state) {
    state.retry_after(seconds(20));
    return state.number() < 3 ? Status(fail(error(ErrorCode::throttled, "x"))) : Status{};
  });
  EXPECT_EQ(attempts_, 3);
  for (const auto nap : clock_.naps()) EXPECT_GE(nap, seconds(20));
}

TEST_F(RetryTest, GivesUpWhenTheServerWishesMoreThanThereIs) {
  const auto status = run([&](RetryAttempt& state) {
    state.retry_after(minutes(10));
    return Status(fail(error(ErrorCode::throttled, "x")));
  });
  EXPECT_FALSE(status);
  EXPECT_EQ(attempts_, 1);
  EXPECT_EQ(passed(), Duration{});
}

TEST_F(RetryTest, TellsTheFirstCauseTheAttemptsAndTheOtherCausesOnce) {
  const auto status = run([&](RetryAttempt& state) {
    const char* cause = state.number() == 1       ? "no route"
                        : state.number() % 2 == 0 ? "reset"
                                                  : "timeout";
    return Status(fail(error(ErrorCode::unavailable, cause)));
  });
  EXPECT_THAT(
      status.error().cause,
      ::testing::MatchesRegex("no route \\([0-9]+ attempts in 300 s, later; reset; timeout\\)"));
  EXPECT_EQ(status.error().object, "s3://b/k");
}

TEST_F(RetryTest, KeepsTheStoryWhenAPermanentErrorEndsIt) {
  const auto status = run([&](RetryAttempt& state) {
    return Status(fail(state.number() == 1 ? error(ErrorCode::unavailable, "reset")
                                           : error(ErrorCode::denied, "forbidden")));
  });
  EXPECT_EQ(status.error().code, ErrorCode::denied);
  EXPECT_THAT(status.error().cause, HasSubstr("forbidden"));
  EXPECT_THAT(status.error().cause, HasSubstr("2 attempts"));
}

TEST_F(RetryTest, BeginsAnewAfterProgress) {
  const auto status = run([&](RetryAttempt& state) {
    clock_.advance(minutes(4));
    if (state.number() <= 5) state.progressed();
    return Status(fail(error(ErrorCode::unavailable, "reset")));
  });
  EXPECT_FALSE(status);
  EXPECT_GT(attempts_, 5);
  EXPECT_GT(passed(), minutes(20));
}

TEST_F(RetryTest, LetsOtherRequestsWaitWhenOneIsThrottledRETRY5) {
  SharedPause pause;
  pause_ = &pause;
  const Time then = clock_.now() + seconds(7);
  pause.until(then);
  pause.until(then - seconds(3));
  EXPECT_TRUE(run([](RetryAttempt&) { return Status{}; }));
  EXPECT_EQ(clock_.now(), then);
  (void)run([&](RetryAttempt& state) {
    state.retry_after(seconds(20));
    return state.number() == 1 ? Status(fail(error(ErrorCode::throttled, "x"))) : Status{};
  });
  EXPECT_GE(pause.end(), then + seconds(20));
}

TEST_F(RetryTest, AsksWithFewerAtOnceAfterAThrottlingRETRY5) {
  SharedPause pause(8);
  pause_ = &pause;
  EXPECT_TRUE(run([&](RetryAttempt& state) {
    return state.number() == 1 ? Status(fail(error(ErrorCode::throttled, "x"))) : Status{};
  }));
  EXPECT_EQ(pause.limit(), 2) << "one was under way, so one may be; the success adds one";
  (void)run([&](RetryAttempt&) { return Status(fail(error(ErrorCode::denied, "x"))); });
  (void)run([&](RetryAttempt& state) {
    return state.number() == 1 ? Status(fail(error(ErrorCode::unavailable, "x"))) : Status{};
  });
  EXPECT_GE(pause.limit(), 2) << "nothing of that was a throttling";
}

TEST_F(RetryTest, CountsTheTimeFromTheFirstFailure) {
  const auto status = run([&](RetryAttempt& state) {
    if (state.number() == 1) clock_.advance(minutes(6));
    return state.number() < 3 ? Status(fail(error(ErrorCode::unavailable, "x"))) : Status{};
  });
  EXPECT_TRUE(status) << "a first attempt that took long leaves the others their time";
}

TEST_F(RetryTest, EndsWhenAskedToStopWhileWaiting) {
  class StoppedClock final : public Clock {
   public:
    Time now() override { return Time{}; }
    bool sleep(Duration) override { return false; }
  } clock;
  const auto status = retry(
      {}, clock, [] { return 0.5; }, nullptr,
      [](RetryAttempt&) { return Status(fail(error(ErrorCode::unavailable, "reset"))); });
  EXPECT_EQ(status.error().code, ErrorCode::interrupted);
  EXPECT_THAT(status.error().cause, HasSubstr("reset"));
}

TEST_F(RetryTest, ReturnsValues) {
  const auto value = retry_for_value<int>(
      {}, clock_, [] { return 0.5; }, nullptr,
      [](RetryAttempt& state) -> Result<int> {
        if (state.number() == 1) {
          return fail(error(ErrorCode::unavailable, "x"));
        }
        return 42;
      });
  EXPECT_EQ(*value, 42);
}

TEST(RetryAfter, IsSecondsOrADate) {
  const Time now{seconds(784111777)};
  EXPECT_EQ(parse_retry_after("120", now), seconds(120));
  EXPECT_EQ(parse_retry_after("0", now), seconds(0));
  EXPECT_EQ(parse_retry_after("Sun, 06 Nov 1994 08:50:37 GMT", now), seconds(60));
  EXPECT_EQ(parse_retry_after("Sun, 06 Nov 1994 08:40:37 GMT", now), seconds(0));
  for (const char* text : {"", "-1", "1.5", "soon", "99999999999", " 5"}) {
    EXPECT_EQ(parse_retry_after(text, now), std::nullopt) << text;
  }
}

TEST(SystemRandom, StaysBetweenZeroAndOne) {
  const auto random = system_random();
  for (int i = 0; i < 1000; ++i) {
    const double value = random();
    EXPECT_GE(value, 0.0);
    EXPECT_LT(value, 1.0);
  }
}

}  // namespace
}  // namespace forebay
