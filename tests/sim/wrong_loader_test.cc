// Aim: the simulator finds what it is for. Method: loaders that are wrong on purpose, each in a way
// that loaders of others have been; each must be caught within so many seeds.
#include <gtest/gtest.h>

#include "sim/simulation.h"
#include "support/temp_folder.h"

namespace forebay::sim {
namespace {

constexpr std::uint64_t kSeeds = 60;

// The first seed that catches it, or none of them.
std::optional<std::uint64_t> caught_by(WrongLoader wrong) {
  const test::TempFolder folder;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    if (simulate({.seed = seed, .wrong = wrong, .folder = folder.path()}).violation) return seed;
  }
  return std::nullopt;
}

TEST(WrongLoader, OneThatRecordsBeforeItAppliesIsCaught) {
  EXPECT_TRUE(caught_by(WrongLoader::records_first));
}

TEST(WrongLoader, OneThatTakesAFailedCommitForNothingIsCaught) {
  EXPECT_TRUE(caught_by(WrongLoader::repeats_unknown));
}

TEST(WrongLoader, OneThatTakesAFailedCommitForDoneIsCaught) {
  EXPECT_TRUE(caught_by(WrongLoader::believes_unknown));
}

TEST(WrongLoader, OneThatKeepsOnlyAHighWaterMarkIsCaught) {
  EXPECT_TRUE(caught_by(WrongLoader::high_water_mark));
}

TEST(WrongLoader, OneThatDoesNotMindOtherCommitsIsCaught) {
  EXPECT_TRUE(caught_by(WrongLoader::no_fence));
}

}  // namespace
}  // namespace forebay::sim
