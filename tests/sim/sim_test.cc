// Aim: whatever stores, targets, clocks and other loaders do, in whatever order, tables and ledger
// agree after every commit, and when faults stop everything is loaded (docs/TESTING.md,
// "Simulation"). Method: the product's cycle over fakes; one seed decides all that happens and
// when.
//
// FOREBAY_SEED=17 replays one seed with its log; FOREBAY_SEEDS=100000 runs more.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <array>

#include "sim/simulation.h"
#include "support/random_lives.h"
#include "support/temp_folder.h"

namespace forebay::sim {
namespace {

// Seeds that found something once: they run first. None has yet.
constexpr std::array<std::uint64_t, 0> kFailedOnce{};

std::string story_of(SimOptions options) {
  options.log = true;
  const SimResult result = simulate(options);
  return fmt::format("seed {}: {}\n{}", options.seed, result.violation.value_or("nothing wrong"),
                     fmt::join(result.log, "\n"));
}

TEST(Simulation, NothingIsLostOrDoubledWhateverHappensInWhateverOrder) {
  const test::TempFolder folder;
  SimResult all;
  test::Seeds seeds = test::seeds_of(1, 1'000);
  if (seeds.size() > 1) seeds.insert(seeds.begin(), kFailedOnce.begin(), kFailedOnce.end());
  for (const std::uint64_t seed : seeds) {
    const SimOptions options{.seed = seed, .folder = folder.path()};
    const SimResult result = simulate(options);
    ASSERT_FALSE(result.violation) << story_of(options);
    if (seeds.size() == 1) fmt::print("{}\n", story_of(options));
    all.steps += result.steps;
    all.commits += result.commits;
    all.cycles += result.cycles;
    all.kills += result.kills;
  }
  RecordProperty("steps", static_cast<int>(all.steps));
  fmt::print("{} seeds: {} cycles, {} steps, {} commits, {} kills\n", seeds.size(), all.cycles,
             all.steps, all.commits, all.kills);
  EXPECT_GT(all.commits, seeds.size() / 2);
}

TEST(Simulation, OneSeedIsOneLife) {
  const test::TempFolder folder;
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    const SimOptions options{.seed = seed, .folder = folder.path()};
    const SimResult first = simulate(options);
    const SimResult again = simulate(options);
    ASSERT_EQ(first.digest, again.digest) << seed;
    ASSERT_EQ(first.steps, again.steps) << seed;
    EXPECT_EQ(first.tables, again.tables) << seed;
  }
}

}  // namespace
}  // namespace forebay::sim
