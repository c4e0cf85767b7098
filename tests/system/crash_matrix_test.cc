// Aim: whatever step the loader dies or fails at, rows and ledger agree, and the next run brings
// the tables to what the feed says, each unit once; also when the run after it dies too.
// Method: a load is stopped at each fault point it reaches, and what the database and the feed are
// at that moment is kept: the very bytes that a kill there would leave. From each of these states a
// load is started, and stopped and kept in the same way; from each of those one that runs to its
// end. Most points leave what the one before left, so all pairs of crashes are a few dozen loads.
// Errors are tried one by one: once at the first and the last point of each name and some drawn
// between (`make soak`: at each), and at each name for as long as they like.
// The scenes of each feed stand beside this file.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>

#include "support/crash_matrix.h"
#include "support/paths.h"
#include "support/soak.h"

namespace forebay::test {
namespace {

TEST_P(CrashMatrix, EveryStepCanBeTheLastOneAndOfTheRecoveryToo) {
  crash_everywhere(prepared().fresh(), soaking() ? 3 : 2);
  RecordProperty("points", static_cast<int>(prepared().count().points));
  RecordProperty("crashes", crashes_);
  EXPECT_GE(crashes_, 4);
}

TEST_P(CrashMatrix, EveryStepMayFailOnce) {
  for (const long k : prepared().points_to_try()) {
    SCOPED_TRACE(fmt::format("error:{}", k));
    const LoadPlace place = prepared().fresh();
    expect_right_or_try_again(place, place.load(fmt::format("error:{}", k)));
  }
}

TEST_P(CrashMatrix, EveryStepMayFailForAsLongAsItLikes) {
  for (const std::string& name : prepared().count().names) {
    SCOPED_TRACE("errors:" + name);
    const LoadPlace place = prepared().fresh();
    const ProgramResult failed = place.load("errors:" + name);
    expect_right_or_try_again(place, failed);
  }
}

// A unit may not be forgotten because it failed for long.
TEST_P(CommitMatrix, EveryStepMayFailInEveryRunUntilItHeals) {
  for (const std::string& name : prepared().count().names) {
    SCOPED_TRACE("errors:" + name);
    const LoadPlace place = prepared().fresh();
    for (int run = 0; run < 3; ++run) {
      const ProgramResult failed = place.load("errors:" + name);
      EXPECT_TRUE(ends_well(failed) || failed.code == 2) << failed.code << "\n" << failed.err;
      expect_sound(place);
    }
    expect_recovery(place);
  }
}

TEST_P(CommitMatrix, ARequestToStopIsObeyedAtEveryStep) {
  for (const long k : prepared().points_to_try()) {
    SCOPED_TRACE(fmt::format("SIGTERM at stop:{}", k));
    const LoadPlace place = prepared().fresh();
    ChildProcess child = place.start(fmt::format("stop:{}", k));
    ASSERT_TRUE(child.wait_until_stopped());
    child.signal(SIGTERM);
    child.signal(SIGCONT);
    const auto ended = child.wait_for(std::chrono::seconds(2));
    ASSERT_TRUE(ended.has_value());
    expect_right_or_try_again(place, *ended);
  }
}

// CONC-1: a COMMIT that reports an error although it is durable must not be loaded again, and the
// units that it brought are counted, as found.
TEST_P(CommitMatrix, CountsWhatACommitBroughtAlthoughItReportedAnError) {
  const LoadPlace place = prepared().fresh();
  const ProgramResult result = place.load("errors:apply.committed");
  EXPECT_EQ(result.code, 0) << result.err;
  const auto report = pipeline_report(result);
  EXPECT_EQ(report["units"]["applied"], 0);
  EXPECT_GE(report["units"]["already_applied"], 1);
  EXPECT_GE(report["warnings"].size(), 1U) << report["warnings"];
  EXPECT_EQ(scene().problems(place.database(), Applied::all), "");
}

TEST_P(CommitMatrix, SaysTryAgainWhenACommitFailedAndNothingIsThere) {
  const LoadPlace place = prepared().fresh();
  const std::string before = scene().standing(place.database());
  const ProgramResult result = place.load("errors:apply.commit");
  EXPECT_EQ(result.code, 2) << result.err;
  EXPECT_EQ(pipeline_report(result)["units"]["applied"], 0);
  EXPECT_EQ(scene().standing(place.database()), before);
  expect_recovery(place);
}

TEST_P(CommitMatrix, EndsWithTryAgainWhenTheLedgerCannotBeAskedAfterAnUnknownCommit) {
  for (const char* commit : {"apply.commit", "apply.committed"}) {
    SCOPED_TRACE(commit);
    const LoadPlace place = prepared().fresh();
    const ProgramResult result = place.load(fmt::format("errors:{},errors:target.reopen", commit));
    EXPECT_EQ(result.code, 2) << result.err;
    expect_recovery(place);
  }
}

// CKPT-2: when a commit makes a checkpoint and that fails, DuckDB reports a fatal error for a
// transaction that may be durable, and refuses all further work.
TEST_P(CommitMatrix, SurvivesEachWayInWhichACheckpointInsideCommitFails) {
  for (const char* mode :
       {"before_truncate", "before_header", "after_free_list_write", "before_header_non_fatal",
        "before_wal_finish", "before_moving_recovery", "before_deleting_checkpoint_wal"}) {
    SCOPED_TRACE(mode);
    const LoadPlace place = prepared().fresh();
    const ProgramResult result = place.load(fmt::format("checkpoint:{}", mode));
    RecordProperty(mode, result.code);
    expect_right_or_try_again(place, result);
  }
}

// RollerUp: the first load ever, and one into tables that stand.
class RollerupScene final : public CrashScene {
 public:
  explicit RollerupScene(bool later) : later_(later) {}

  bool deliver_before() override {
    if (later_) deliver_first(feed_);
    return later_;
  }
  void deliver() override { later_ ? deliver_second(feed_) : deliver_first(feed_); }
  LoadPlace place() const override { return {faulty_binary(), feed_.source()}; }
  std::string problems(const std::string& database, Applied applied) const override {
    return test::problems(database, feed_, applied);
  }
  std::string standing(const std::string& database) const override {
    return fmt::format("{}", fmt::join(applied_markers(database), " "));
  }

 private:
  bool later_;
  TempFolder folder_;
  SmallFeed feed_{folder_.path()};
};

SceneMaker rollerup(bool later) {
  return {later ? "IntoTablesThatStand" : "FirstEver",
          [later] { return std::make_unique<RollerupScene>(later); }};
}

// That what is kept at a stop is what a process leaves that ends there without cleaning up.
TEST(CrashMatrixItself, AProcessThatDiesLeavesAStateThatTheMatrixTries) {
  const PreparedScene scene(rollerup(true));
  for (long k = 1; k <= scene.count().points; ++k) {
    SCOPED_TRACE(fmt::format("crash:{}", k));
    const LoadPlace place = scene.fresh();
    ASSERT_EQ(place.load(fmt::format("crash:{}", k)).code, 137);
    EXPECT_EQ(scene.scene().problems(place.database(), Applied::some), "");
    EXPECT_TRUE(place.staging_is_empty());
    EXPECT_EQ(place.load().code, 0);
    EXPECT_EQ(scene.scene().problems(place.database(), Applied::all), "");
  }
}

INSTANTIATE_TEST_SUITE_P(Rollerup, CrashMatrix, testing::Values(rollerup(false), rollerup(true)),
                         scene_name);
INSTANTIATE_TEST_SUITE_P(Rollerup, CommitMatrix, testing::Values(rollerup(false), rollerup(true)),
                         scene_name);

}  // namespace
}  // namespace forebay::test
