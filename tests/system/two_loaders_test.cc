// Aim: two loaders on one database never both load, whatever step the first stands at; and an
// interrupt is obeyed soon, wherever it comes. Method: the first stops itself (SIGSTOP) at
// the k-th fault point, for each k; meanwhile the test starts a second, or asks the first to end.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <iterator>

#include "support/crash_scene.h"
#include "support/paths.h"

namespace forebay::test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr auto kStopLimit = 2s;

std::string bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

class TwoLoaders : public testing::Test {
 protected:
  TwoLoaders() {
    deliver_first(feed_);
    const LoadPlace place(faulty_binary(), feed_.source());
    points_ = fault_count(place.load("count")).points;
    EXPECT_GT(points_, 10);
  }

  TempFolder folder_;
  SmallFeed feed_{folder_.path()};
  long points_ = 0;
};

// CONC-2, CONC-4: one that was stopped, at whatever step, goes on afterwards.
TEST_F(TwoLoaders, TheSecondNamesTheFirstAndTouchesNothing) {
  for (long k = 1; k <= points_; ++k) {
    SCOPED_TRACE(fmt::format("stop:{}", k));
    const LoadPlace place(faulty_binary(), feed_.source());
    ChildProcess first(faulty_binary(), place.words(), place.options(fmt::format("stop:{}", k)));
    ASSERT_TRUE(first.wait_until_stopped());
    const std::string before = bytes(place.database()) + bytes(place.database() + ".wal");
    const ProgramResult second = place.load();
    EXPECT_EQ(second.code, 2) << second.err;
    EXPECT_THAT(second.err, HasSubstr(fmt::format("PID {}", first.pid())));
    EXPECT_THAT(second.err, HasSubstr(place.database()));
    const auto report = pipeline_report(second);
    EXPECT_EQ(report["error"]["code"], "busy");
    EXPECT_NE(report["error"]["hint"], "");
    EXPECT_EQ(report["units"]["applied"], 0);
    EXPECT_TRUE(before == bytes(place.database()) + bytes(place.database() + ".wal"));
    first.signal(SIGCONT);
    const ProgramResult ended = first.wait();
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_EQ(pipeline_report(ended)["units"]["applied"], feed_.markers().size());
    EXPECT_EQ(problems(place.database(), feed_, Applied::all), "");
  }
}

// CONC-5: at once.
TEST_F(TwoLoaders, TheNextOneStartsAfterTheFirstWasKilled) {
  const LoadPlace place(faulty_binary(), feed_.source());
  ChildProcess first(faulty_binary(), place.words(),
                     place.options(fmt::format("stop:{}", points_ / 2)));
  ASSERT_TRUE(first.wait_until_stopped());
  EXPECT_EQ(place.load().code, 2);
  first.signal(SIGKILL);
  EXPECT_EQ(first.wait().code, 128 + SIGKILL);
  EXPECT_EQ(place.load().code, 0);
  EXPECT_EQ(problems(place.database(), feed_, Applied::all), "");
}

// SIGTERM: crash_matrix_test.cc.
TEST_F(TwoLoaders, AnInterruptIsObeyedAtEveryStep) {
  for (long k = 1; k <= points_; ++k) {
    SCOPED_TRACE(fmt::format("stop:{}", k));
    const LoadPlace place(faulty_binary(), feed_.source());
    ChildProcess child(faulty_binary(), place.words(), place.options(fmt::format("stop:{}", k)));
    ASSERT_TRUE(child.wait_until_stopped());
    child.signal(SIGINT);
    child.signal(SIGCONT);
    const auto ended = child.wait_for(kStopLimit);
    ASSERT_TRUE(ended.has_value());
    EXPECT_TRUE(ended->code == 0 || ended->code == 2) << ended->code << "\n" << ended->err;
    const bool done = problems(place.database(), feed_, Applied::all).empty();
    if (ended->code == 0) {
      EXPECT_TRUE(done) << ended->err;
    }
    EXPECT_EQ(problems(place.database(), feed_, Applied::some), "");
    EXPECT_EQ(place.load().code, 0);
    EXPECT_EQ(problems(place.database(), feed_, Applied::all), "");
  }
}

}  // namespace
}  // namespace forebay::test
