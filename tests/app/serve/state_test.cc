#include "app/serve/state.h"

#include <gtest/gtest.h>

#include "support/fake_clock.h"

namespace forebay {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

CycleReport report(ExitCode exit, std::uint64_t rows = 0) {
  CycleReport report;
  report.pipeline = "a";
  report.exit = exit;
  report.rows = rows;
  report.units.applied = rows > 0 ? 1 : 0;
  report.outcome = exit != ExitCode::done ? Outcome::failed
                   : rows > 0             ? Outcome::applied
                                          : Outcome::nothing_new;
  report.requests = {.list = 1, .get = 2, .head = 3, .other = 4};
  report.seconds = 0.5;
  return report;
}

class StateTest : public ::testing::Test {
 protected:
  StateTest() { state_.set_pipelines({{.name = "a", .every = minutes(1)}, {.name = "b"}}); }

  PipelineState a() { return state_.snapshot(clock_.now()).pipelines.at(0); }
  void cycle(const CycleReport& done) {
    state_.begin("a", clock_.now());
    clock_.advance(seconds(2));
    state_.finish(done, clock_.now());
  }

  test::FakeClock clock_;
  ServeState state_{clock_.now()};
};

TEST_F(StateTest, IsReadyAfterTheFirstCompleteCycleAndStaysSo) {
  cycle(report(ExitCode::integrity));
  EXPECT_FALSE(a().ready_since);
  EXPECT_FALSE(a().last_success);
  cycle(report(ExitCode::done));
  const auto since = a().ready_since;
  EXPECT_EQ(since, clock_.now());
  cycle(report(ExitCode::try_again));
  EXPECT_EQ(a().ready_since, since);
  EXPECT_EQ(a().last_success, since);
  EXPECT_FALSE(state_.snapshot(clock_.now()).pipelines.at(1).ready_since);
}

TEST_F(StateTest, AddsUpWhatCyclesDid) {
  cycle(report(ExitCode::done, 100));
  cycle(report(ExitCode::done, 20));
  cycle(report(ExitCode::integrity));
  EXPECT_EQ(a().rows, 120U);
  EXPECT_EQ(a().units_applied, 2U);
  EXPECT_EQ(a().requests.other, 12U);
  EXPECT_EQ(a().cycles_by_exit_code, (std::map<int, std::uint64_t>{{0, 2}, {3, 1}}));
  EXPECT_EQ(a().seconds, 1.5);
  ASSERT_EQ(a().cycles.size(), 3U);
  EXPECT_EQ(a().cycles[0].exit_code, 3);
  EXPECT_EQ(a().cycles[2].rows, 100U);
  EXPECT_EQ(a().cycles[2].ended - a().cycles[2].begun, seconds(2));
}

TEST_F(StateTest, KeepsSoManyCyclesAndNoMore) {
  for (std::size_t i = 0; i < kCyclesKept + 5; ++i) cycle(report(ExitCode::done, i + 1));
  EXPECT_EQ(a().cycles.size(), kCyclesKept);
  EXPECT_EQ(a().cycles.front().rows, kCyclesKept + 5);
}

TEST_F(StateTest, CallsACycleHungThatShowsNoSignOfLifeForAnHour) {
  state_.begin("a", clock_.now());
  clock_.advance(kHungAfter - seconds(1));
  EXPECT_TRUE(state_.snapshot(clock_.now()).alive);
  clock_.advance(seconds(1));
  EXPECT_FALSE(state_.snapshot(clock_.now()).alive);
  StateProgress progress(state_, clock_);
  progress.fetched(10);
  EXPECT_TRUE(state_.snapshot(clock_.now()).alive);
  clock_.advance(kHungAfter);
  EXPECT_FALSE(state_.snapshot(clock_.now()).alive);
  state_.finish(report(ExitCode::done), clock_.now());
  clock_.advance(kHungAfter * 24);  // nothing runs: nothing hangs
  EXPECT_TRUE(state_.snapshot(clock_.now()).alive);
}

TEST_F(StateTest, TellsWhatACycleIsAt) {
  state_.begin("a", clock_.now());
  StateProgress progress(state_, clock_);
  progress.step("reading 12 files");
  progress.applied(1, 2, 30);
  progress.applied(1, 2, 12);
  progress.due(5);
  EXPECT_EQ(a().step, "reading 12 files");
  EXPECT_EQ(a().rows_so_far, 42U);
  EXPECT_TRUE(a().running_since);
  state_.finish(report(ExitCode::done), clock_.now());
  EXPECT_FALSE(a().running_since);
  state_.begin("a", clock_.now());
  EXPECT_EQ(a().rows_so_far, 0U);
  EXPECT_EQ(a().step, "");
}

TEST_F(StateTest, KeepsWhatItKnowsOfPipelinesThatStay) {
  cycle(report(ExitCode::done, 7));
  state_.set_pipelines({{.name = "c"}, {.name = "a", .every = minutes(9)}});
  const auto pipelines = state_.snapshot(clock_.now()).pipelines;
  ASSERT_EQ(pipelines.size(), 2U);
  EXPECT_EQ(pipelines[0].name, "c");
  EXPECT_EQ(pipelines[0].rows, 0U);
  EXPECT_EQ(pipelines[1].rows, 7U);
  EXPECT_EQ(pipelines[1].every, minutes(9));
}

TEST_F(StateTest, KeepsTheLastStatusWhenTheLedgerCannotBeRead) {
  state_.read("a", PipelineStatus{.waiting = 4});
  state_.read("a", fail(Error{ErrorCode::busy, "open", "w.duckdb", "held", ""}));
  ASSERT_TRUE(a().status && a().error);
  EXPECT_EQ(a().status->waiting, 4);
  state_.read("a", PipelineStatus{});
  EXPECT_FALSE(a().error);
}

}  // namespace
}  // namespace forebay
