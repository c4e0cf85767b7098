// Aim: whatever step the loader dies or fails at, rows and ledger agree, and the next run brings
// the tables to what the feed says, each unit once. Method: the program counts the fault points
// that a load reaches, N; then for each k in 1..N a fresh copy of the same state is loaded by a
// program that dies, or fails, at the k-th. Twice: for the first load ever, and for a load into
// tables that stand.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <random>

#include "support/crash_scene.h"
#include "support/paths.h"
#include "support/soak.h"

namespace forebay::test {
namespace {

// Where a matrix starts: a feed, and the database before the load.
struct Scene {
  TempFolder folder;
  SmallFeed feed{folder.path()};
  LoadPlace before{faulty_binary(), feed.source()};
  FaultCount count;

  LoadPlace fresh() const {
    LoadPlace place(faulty_binary(), feed.source());
    place.copy_database(before);
    return place;
  }
};

class CrashMatrix : public testing::TestWithParam<bool> {
 protected:
  static Scene& scene(bool later) {
    static const std::unique_ptr<Scene> kScenes[2] = {make(false), make(true)};
    return *kScenes[later ? 1 : 0];
  }
  Scene& scene() const { return scene(GetParam()); }

  // After any fault: nothing is half there. Then a run without faults must bring everything.
  static void expect_recovery(const Scene& scene, const LoadPlace& place) {
    EXPECT_EQ(problems(place.database(), scene.feed, Applied::some), "");
    EXPECT_TRUE(place.staging_is_empty());
    const ProgramResult recovery = place.load();
    EXPECT_EQ(recovery.code, 0) << recovery.err;
    EXPECT_EQ(problems(place.database(), scene.feed, Applied::all), "");
    EXPECT_TRUE(place.staging_is_empty());
  }

 private:
  static std::unique_ptr<Scene> make(bool later) {
    auto scene = std::make_unique<Scene>();
    deliver_first(scene->feed);
    if (later) {
      EXPECT_EQ(scene->before.load().code, 0);
      deliver_second(scene->feed);
    }
    const LoadPlace place = scene->fresh();
    const ProgramResult result = place.load("count");
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(problems(place.database(), scene->feed, Applied::all), "");
    scene->count = fault_count(result);
    EXPECT_GT(scene->count.points, 10);
    return scene;
  }
};

TEST_P(CrashMatrix, EveryStepCanBeTheLastOne) {
  RecordProperty("points", static_cast<int>(scene().count.points));
  for (long k = 1; k <= scene().count.points; ++k) {
    SCOPED_TRACE(fmt::format("crash:{}", k));
    const LoadPlace place = scene().fresh();
    const ProgramResult crashed = place.load(fmt::format("crash:{}", k));
    ASSERT_EQ(crashed.code, 137) << crashed.err;
    expect_recovery(scene(), place);
  }
}

TEST_P(CrashMatrix, EveryStepMayFailOnce) {
  for (long k = 1; k <= scene().count.points; ++k) {
    SCOPED_TRACE(fmt::format("error:{}", k));
    const LoadPlace place = scene().fresh();
    const ProgramResult failed = place.load(fmt::format("error:{}", k));
    EXPECT_TRUE(failed.code == 0 || failed.code == 2) << failed.code << "\n" << failed.err;
    if (failed.code == 0) {
      EXPECT_EQ(problems(place.database(), scene().feed, Applied::all), "");
    }
    expect_recovery(scene(), place);
  }
}

TEST_P(CrashMatrix, EveryStepMayFailForAsLongAsItLikes) {
  for (const std::string& name : scene().count.names) {
    SCOPED_TRACE("errors:" + name);
    const LoadPlace place = scene().fresh();
    for (int run = 0; run < 2; ++run) {
      const ProgramResult failed = place.load("errors:" + name);
      EXPECT_TRUE(failed.code == 0 || failed.code == 2) << failed.code << "\n" << failed.err;
      EXPECT_EQ(problems(place.database(), scene().feed, Applied::some), "");
    }
    expect_recovery(scene(), place);
  }
}

TEST_P(CrashMatrix, TheRecoveryMayDieToo) {
  const int pairs = soaking() ? 2'000 : 100;
  std::mt19937 random(20'261'020U + (GetParam() ? 1U : 0U));
  std::uniform_int_distribution<long> draw(1, scene().count.points);
  for (int i = 0; i < pairs; ++i) {
    const long first = draw(random);
    const long second = draw(random);
    SCOPED_TRACE(fmt::format("crash:{} then crash:{}", first, second));
    const LoadPlace place = scene().fresh();
    ASSERT_EQ(place.load(fmt::format("crash:{}", first)).code, 137);
    const ProgramResult again = place.load(fmt::format("crash:{}", second));
    EXPECT_TRUE(again.code == 137 || again.code == 0) << again.code << "\n" << again.err;
    expect_recovery(scene(), place);
  }
}

// CONC-1: a COMMIT that reports an error although it is durable must not be loaded again, and the
// units that it brought are counted, as found.
TEST_P(CrashMatrix, CountsWhatACommitBroughtAlthoughItReportedAnError) {
  const LoadPlace place = scene().fresh();
  const std::set<std::string> before = applied_markers(place.database());
  const ProgramResult result = place.load("errors:apply.committed");
  EXPECT_EQ(result.code, 0) << result.err;
  const auto report = pipeline_report(result);
  EXPECT_EQ(report["units"]["applied"], 0);
  EXPECT_GE(report["units"]["already_applied"], scene().feed.markers().size() - before.size());
  EXPECT_EQ(report["warnings"].size(), 1U) << report["warnings"];
  EXPECT_EQ(problems(place.database(), scene().feed, Applied::all), "");
}

TEST_P(CrashMatrix, SaysTryAgainWhenACommitFailedAndNothingIsThere) {
  const LoadPlace place = scene().fresh();
  const std::set<std::string> before = applied_markers(place.database());
  const ProgramResult result = place.load("errors:apply.commit");
  EXPECT_EQ(result.code, 2) << result.err;
  EXPECT_EQ(pipeline_report(result)["units"]["applied"], 0);
  EXPECT_EQ(applied_markers(place.database()), before);
  expect_recovery(scene(), place);
}

TEST_P(CrashMatrix, EndsWithTryAgainWhenTheLedgerCannotBeAskedAfterAnUnknownCommit) {
  for (const char* commit : {"apply.commit", "apply.committed"}) {
    SCOPED_TRACE(commit);
    const LoadPlace place = scene().fresh();
    const ProgramResult result = place.load(fmt::format("errors:{},errors:target.reopen", commit));
    EXPECT_EQ(result.code, 2) << result.err;
    expect_recovery(scene(), place);
  }
}

// CKPT-2: when a commit makes a checkpoint and that fails, DuckDB reports a fatal error for a
// transaction that may be durable, and refuses all further work.
TEST_P(CrashMatrix, SurvivesEachWayInWhichACheckpointInsideCommitFails) {
  for (const char* mode :
       {"before_truncate", "before_header", "after_free_list_write", "before_header_non_fatal",
        "before_wal_finish", "before_moving_recovery", "before_deleting_checkpoint_wal"}) {
    SCOPED_TRACE(mode);
    const LoadPlace place = scene().fresh();
    const ProgramResult result = place.load(fmt::format("checkpoint:{}", mode));
    RecordProperty(mode, result.code);
    EXPECT_TRUE(result.code == 0 || result.code == 2) << result.code << "\n" << result.err;
    if (result.code == 0) {
      EXPECT_EQ(problems(place.database(), scene().feed, Applied::all), "");
    }
    expect_recovery(scene(), place);
  }
}

INSTANTIATE_TEST_SUITE_P(Loads, CrashMatrix, testing::Bool(), [](const auto& param) {
  return param.param ? "IntoTablesThatStand" : "FirstEver";
});

}  // namespace
}  // namespace forebay::test
