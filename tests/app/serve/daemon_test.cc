// The loop with cycles that are scripts and a clock that stands until somebody sleeps.
#include "app/serve/daemon.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <utility>

#include "support/fake_clock.h"

namespace forebay {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using testing::ElementsAre;

class DaemonTest : public ::testing::Test, public DaemonWork {
 protected:
  DaemonTest() { state_.set_pipelines({{.name = "a"}, {.name = "b"}}); }

  // Runs until so many cycles have run.
  ExitCode run(std::vector<Schedule::Entry> entries, std::size_t cycles) {
    most_ = cycles;
    return run_daemon(*this, Schedule(std::move(entries), clock_.now()), state_, clock_);
  }

  CycleReport run(const std::string& pipeline) override {
    ran_.push_back(pipeline);
    times_.push_back(std::chrono::duration_cast<minutes>(clock_.now() - begun_).count());
    CycleReport report;
    report.pipeline = pipeline;
    if (script_) report.error = script_(pipeline);
    if (report.error) {
      report.exit = exit_code(report.error->code);
      report.outcome = Outcome::failed;
    }
    return report;
  }
  std::optional<std::vector<Schedule::Entry>> reloaded() override {
    return std::exchange(reload_, std::nullopt);
  }
  bool stop() override { return ran_.size() >= most_; }

  test::FakeClock clock_;
  Time begun_ = clock_.now();
  ServeState state_{clock_.now()};
  std::function<std::optional<Error>(const std::string&)> script_;
  std::optional<std::vector<Schedule::Entry>> reload_;
  std::size_t most_ = 0;
  std::vector<std::string> ran_;
  std::vector<std::int64_t> times_;  // minutes since the beginning
};

std::optional<Error> error(ErrorCode code) {
  return Error{code, "load", "", "so the test says", ""};
}

TEST_F(DaemonTest, RunsEachPipelineAsOftenAsItSays) {
  EXPECT_EQ(run({{"a", minutes(1)}, {"b", minutes(3)}}, 6), ExitCode::done);
  EXPECT_THAT(ran_, ElementsAre("a", "b", "a", "a", "a", "b"));
  EXPECT_THAT(times_, ElementsAre(0, 0, 1, 2, 3, 3));
}

TEST_F(DaemonTest, KeepsRunningTheOthersWhenOneIsBroken) {
  script_ = [](const std::string& name) {
    return name == "a" ? error(ErrorCode::damaged) : std::nullopt;
  };
  EXPECT_EQ(run({{"a", minutes(1)}, {"b", minutes(1)}}, 12), ExitCode::done);
  EXPECT_EQ(std::ranges::count(ran_, "a"), 4);  // at 0, 1, 3 and 7 minutes
  EXPECT_EQ(std::ranges::count(ran_, "b"), 8);
  const auto pipelines = state_.snapshot(clock_.now()).pipelines;
  EXPECT_FALSE(pipelines[0].ready_since);
  EXPECT_TRUE(pipelines[1].ready_since);
}

TEST_F(DaemonTest, LeavesWithTwoWhenACycleWasCutShort) {
  script_ = [](const std::string&) { return error(ErrorCode::interrupted); };
  EXPECT_EQ(run({{"a", minutes(1)}}, 1), ExitCode::try_again);
}

TEST_F(DaemonTest, LeavesWithZeroWhateverTheLastCycleMet) {
  script_ = [](const std::string&) { return error(ErrorCode::drift); };
  EXPECT_EQ(run({{"a", minutes(1)}}, 1), ExitCode::done);
}

TEST_F(DaemonTest, SleepsInShortNapsSoThatSignalsAreSeen) {
  run({{"a", minutes(5)}}, 2);
  EXPECT_EQ(clock_.naps().size(), 300U);
  for (const Duration nap : clock_.naps()) EXPECT_LE(nap, seconds(1));
}

TEST_F(DaemonTest, TakesOtherPipelinesWhenTheConfigurationWasReadAgain) {
  script_ = [this](const std::string& name) {
    if (name == "a") reload_ = std::vector<Schedule::Entry>{{"b", minutes(1)}};
    return std::nullopt;
  };
  run({{"a", minutes(1)}}, 4);
  EXPECT_THAT(ran_, ElementsAre("a", "b", "b", "b"));
}

TEST_F(DaemonTest, TellsWhenEachRunsNext) {
  run({{"a", minutes(1)}, {"b", minutes(3)}}, 2);
  const auto pipelines = state_.snapshot(clock_.now()).pipelines;
  EXPECT_EQ(pipelines[0].next_run, begun_ + minutes(1));
  EXPECT_EQ(pipelines[1].next_run, begun_ + minutes(3));
}

}  // namespace
}  // namespace forebay
