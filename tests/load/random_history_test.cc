#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "support/history_run.h"
#include "support/temp_folder.h"

// Aim: whatever a RollerUp feed sends, in whatever order it arrives, after each load every table
// and the ledger are what an oracle computes from the markers' names and content (TESTING, section
// 2, items 1, 2, 3 and 8). Method: histories made from seeds. Several go through one database side
// by side, one load of each at a time; between rounds the database is closed, read and compared.
//
// FOREBAY_SEED=17 runs that history alone; FOREBAY_SEEDS=5000 runs so many.
namespace forebay::test {
namespace {

constexpr std::uint64_t kSideBySide = 50;
constexpr std::uint64_t kFew = 20;

std::uint64_t number_from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// Runs the histories of `count` seeds and returns what was found, one explanation for each that
// failed.
std::vector<std::string> run_histories(std::uint64_t first, std::uint64_t count,
                                       HistoryRun::Mistake mistake = HistoryRun::Mistake::none) {
  std::vector<std::string> found;
  const TempFolder folder;
  const std::string database = folder / "warehouse.duckdb";
  std::vector<std::unique_ptr<HistoryRun>> runs;
  for (std::uint64_t seed = first; seed < first + count; ++seed)
    runs.push_back(
        std::make_unique<HistoryRun>(make_history(seed), folder.path(), database, mistake));
  while (!runs.empty()) {
    {
      const auto target = runs.front()->open_target();
      if (target == nullptr) return found;
      std::erase_if(runs, [&](const auto& run) { return !run->load(*target); });
    }
    if (runs.empty()) break;
    DatabaseReader reader(database);
    std::erase_if(runs, [&](const auto& run) {
      const auto problem = run->check(reader);
      if (problem) found.push_back(*problem);
      return problem.has_value();
    });
  }
  return found;
}

void expect_agreement(std::uint64_t first, std::uint64_t count) {
  if (const std::uint64_t seed = number_from_environment("FOREBAY_SEED", 0); seed != 0) {
    first = seed;
    count = 1;
  }
  for (std::uint64_t seed = first; seed < first + count; seed += kSideBySide) {
    for (const std::string& problem :
         run_histories(seed, std::min(kSideBySide, first + count - seed)))
      ADD_FAILURE() << problem;
  }
}

// Two suites, so that they can run at the same time.
TEST(RandomHistoriesOne, EveryLoadLeavesWhatTheMarkersSay) {
  expect_agreement(1, number_from_environment("FOREBAY_SEEDS", 150));
}

TEST(RandomHistoriesTwo, EveryLoadLeavesWhatTheMarkersSay) {
  expect_agreement(1'000'001, number_from_environment("FOREBAY_SEEDS", 150));
}

// The test of the test.
TEST(RandomHistoriesFind, ALoaderThatLosesAMarker) {
  const auto found = run_histories(1, kFew, HistoryRun::Mistake::lose_a_marker);
  EXPECT_EQ(found.size(), kFew) << "a marker that is not there is missed in the ledger at least";
}

TEST(RandomHistoriesFind, ALoaderThatTakesTwoMarkersInTheWrongOrder) {
  const auto found = run_histories(1, kFew, HistoryRun::Mistake::swap_two_markers);
  EXPECT_GE(found.size(), kFew * 3 / 4) << "a few pairs of markers do not touch each other";
}

TEST(RandomHistoriesFind, NothingWhereNothingIsWrong) {
  EXPECT_EQ(run_histories(1, kFew), std::vector<std::string>{});
}

}  // namespace
}  // namespace forebay::test
