// Which hashes are equal decides whether a snapshot goes into its table unsorted: every pair must
// be found, wherever it stands, and no other.

#include "engine/repeats.h"

#include <gtest/gtest.h>

#include <limits>

namespace forebay {
namespace {

constexpr std::uint64_t kGreatest = std::numeric_limits<std::uint64_t>::max();

// Numbers that differ, spread over all parts.
std::uint64_t spread(std::uint64_t i) { return i * 0x9E3779B97F4A7C15; }

Repeats of(std::uint64_t count, std::size_t expected) {
  Repeats repeats(expected);
  for (std::uint64_t i = 1; i <= count; ++i) repeats.add(spread(i));
  return repeats;
}

TEST(Repeats, FindsNoneInNothing) { EXPECT_FALSE(Repeats(0).found()); }

TEST(Repeats, FindsNoneAmongDistinctHashes) {
  EXPECT_FALSE(of(100'000, 100'000).found());
  EXPECT_FALSE(of(100'000, 0).found()) << "more than expected";
}

TEST(Repeats, FindsAnyHashThatComesAgain) {
  for (const std::uint64_t again : {1, 2, 777, 99'999, 100'000}) {
    Repeats repeats = of(100'000, 100'000);
    repeats.add(spread(again));
    EXPECT_TRUE(repeats.found()) << again;
  }
}

TEST(Repeats, TellsZeroAndTheGreatestFromWhatIsFree) {
  Repeats once(2);
  once.add(0);
  once.add(kGreatest);
  EXPECT_FALSE(once.found());
  Repeats zeros(2);
  zeros.add(0);
  zeros.add(0);
  EXPECT_TRUE(zeros.found());
  Repeats greatest(2);
  greatest.add(kGreatest);
  greatest.add(kGreatest);
  EXPECT_TRUE(greatest.found());
}

// All of them in one part and at one slot to begin with.
TEST(Repeats, TellsHashesApartThatDifferInFewBits) {
  Repeats repeats(1'000);
  for (std::uint64_t i = 1; i <= 1'000; ++i) repeats.add(i << 32);
  EXPECT_FALSE(repeats.found());
  repeats.add(std::uint64_t{500} << 32);
  EXPECT_TRUE(repeats.found());
}

}  // namespace
}  // namespace forebay
