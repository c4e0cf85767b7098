// Aim: whatever the order of two loaders' steps on one shared database, exactly one of them brings
// a unit, the other says so, and tables and ledger are right after every commit. Method: small
// buckets that stand still, two cycles of the product, and every order of the steps in which one
// can see what the other does (every_order.h). DuckDB lets nobody else in:
// system/two_loaders_test.cc.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "sim/every_order.h"
#include "sim/simulation.h"
#include "support/soak.h"
#include "support/temp_folder.h"

namespace forebay::sim {
namespace {

constexpr std::size_t kNever = ~std::size_t{0};

// When a loader took a step for the last time.
std::size_t when(const std::vector<EveryOrder::Taken>& taken, std::size_t loader,
                 std::string_view what) {
  std::size_t at = kNever;
  for (std::size_t i = 0; i < taken.size(); ++i)
    if (taken[i].loader == loader && taken[i].what == what) at = i;
  return at;
}

std::string story(const std::vector<EveryOrder::Taken>& taken) {
  std::string text;
  for (const auto& [loader, what] : taken) text += fmt::format("\n  loader {}: {}", loader, what);
  return text;
}

class TwoLoadersInEveryOrder : public ::testing::Test {
 protected:
  struct Scene {
    FeedKind kind;
    std::uint64_t seed;
    std::vector<CycleOptions> cycles = std::vector<CycleOptions>(2);
  };

  using Check = std::function<void(const SimResult& result)>;
  std::size_t explore(const Scene& scene, WrongLoader wrong, const Check& check) {
    const Script script{.kind = scene.kind,
                        .cycles = scene.cycles,
                        .next = [this](std::size_t loader, const char* what, const auto& ready) {
                          return order_.next(loader, what, ready);
                        }};
    const SimOptions options{
        .seed = scene.seed, .script = &script, .wrong = wrong, .folder = folder_.path()};
    return order_.explore([&] {
      const SimResult result = simulate(options);
      if (order_.cut()) return true;
      check(result);
      return !HasFailure() && !result.violation;
    });
  }

  std::size_t explore(const Scene& scene, const Check& check) {
    return explore(scene, WrongLoader::none, [&](const SimResult& result) {
      EXPECT_FALSE(result.violation) << *result.violation << story(order_.taken());
      EXPECT_EQ(result.reports.size(), 2U) << story(order_.taken());
      if (!HasFailure()) check(result);
      if (HasFailure()) ADD_FAILURE() << story(order_.taken());
    });
  }

  // Whether the other one committed between the moment at which this loader read the commit number
  // and its own commit.
  bool planned_on_an_older_state(std::size_t loader, const SimResult& result) const {
    if (lost(result.reports[1 - loader])) return false;
    const std::size_t other = when(order_.taken(), 1 - loader, "apply.written");
    return other != kNever && when(order_.taken(), loader, "head") < other &&
           when(order_.taken(), loader, "apply.written") > other;
  }

  static bool lost(const CycleReport& report) {
    return report.exit == ExitCode::try_again && report.error &&
           report.error->code == ErrorCode::busy && report.units.applied == 0;
  }

  const test::TempFolder folder_;
  EveryOrder order_;
};

TEST_F(TwoLoadersInEveryOrder, OneBringsTheUnitsAndTheOtherSaysSo) {
  std::size_t orders = 0;
  const std::uint64_t scenes = test::soaking() ? 40 : 2;
  for (const FeedKind kind : {FeedKind::files, FeedKind::documents}) {
    for (std::uint64_t seed = 1; seed <= scenes; ++seed) {
      orders += explore({.kind = kind, .seed = seed}, [&](const SimResult& result) {
        const bool first = result.reports[0].units.applied > 0;
        const CycleReport& winner = result.reports[first ? 0 : 1];
        const CycleReport& other = result.reports[first ? 1 : 0];
        EXPECT_EQ(winner.exit, ExitCode::done);
        EXPECT_GT(winner.units.applied, 0U);
        const bool found = other.exit == ExitCode::done && other.outcome == Outcome::nothing_new &&
                           other.units.applied == 0;
        EXPECT_EQ(winner.units.applied, result.ledger.units.size());
        EXPECT_TRUE(found || lost(other)) << std::to_underlying(other.exit);
      });
      ASSERT_FALSE(HasFailure()) << "seed " << seed;
    }
  }
  RecordProperty("orders", static_cast<int>(orders));
  fmt::print("{} orders\n", orders);
  EXPECT_GT(orders, 100U);
}

// Each loader is asked for other files, so that no unit, row or table's key tells them apart: the
// number of the commit alone does, inside of the transaction of whoever wakes too late.
TEST_F(TwoLoadersInEveryOrder, AZombieLosesByItsCommitNumberEvenIfTheyShareNoUnit) {
  Scene scene{.kind = FeedKind::files, .seed = 3};
  for (std::size_t i = 0; i < 2; ++i) {
    scene.cycles[i].selection =
        UnitSelection{.scopes = {ListRange{}}, .wants = [i](const PlannedUnit& unit) {
                        return (unit.name.name[1] - '0') % 2 == static_cast<int>(i);
                      }};
  }
  std::size_t zombies = 0;
  const std::size_t orders = explore(scene, [&](const SimResult& result) {
    for (std::size_t i = 0; i < 2; ++i) {
      const bool late = planned_on_an_older_state(i, result);
      zombies += late ? 1 : 0;
      EXPECT_EQ(lost(result.reports[i]), late) << "loader " << i;
      if (late) continue;
      EXPECT_EQ(result.reports[i].exit, ExitCode::done) << "loader " << i;
      EXPECT_GT(result.reports[i].units.applied, 0U) << "loader " << i;
    }
  });
  EXPECT_GT(zombies, orders / 4);
  EXPECT_LT(zombies, orders);
}

// The test's own test.
TEST_F(TwoLoadersInEveryOrder, ALoaderThatDoesNotMindOtherCommitsIsCaught) {
  bool caught = false;
  explore({.kind = FeedKind::files, .seed = 1}, WrongLoader::no_fence,
          [&](const SimResult& result) { caught = caught || result.violation; });
  EXPECT_TRUE(caught);
}

constexpr std::array<const char*, 3> kSteps{"head", "apply.written", "known"};

// Which of two steps came first, wherever one of them writes: "0", the first loader's.
std::string signature(const std::string& order) {
  std::array<std::vector<std::size_t>, 2> places;
  for (std::size_t i = 0; i < order.size(); ++i)
    places[static_cast<std::size_t>(order[i] - '0')].push_back(i);
  std::string text;
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = 0; b < 3; ++b) {
      if (a == 1 || b == 1) text += places[0][a] < places[1][b] ? '0' : '1';
    }
  }
  return text;
}

TEST(EveryOrder, IsOneOfEachThatDiffersInMoreThanReads) {
  std::set<std::string> expected;
  for (std::string order = "000111";;) {
    expected.insert(signature(order));
    if (!std::ranges::next_permutation(order).found) break;
  }
  EveryOrder every;
  std::vector<std::string> found;
  every.explore([&] {
    std::array<std::size_t, 2> done{};
    std::array<bool, 2> stands{};  // in front of a step
    std::vector<std::size_t> ready{0, 1};
    std::string order;
    for (std::size_t running = 0;;) {
      if (stands[running]) {
        order += static_cast<char>('0' + running);
        ++done[running];
      }
      stands[running] = done[running] < kSteps.size();
      if (!stands[running]) {
        if (!every.next(running, "now", ready)) return true;
        std::erase(ready, running);
        if (ready.empty()) break;
        running = ready.front();
        continue;
      }
      const auto next = every.next(running, kSteps[done[running]], ready);
      if (!next) return true;
      running = *next;
    }
    found.push_back(signature(order));
    return true;
  });
  EXPECT_EQ(std::set<std::string>(found.begin(), found.end()), expected);
  EXPECT_EQ(found.size(), expected.size());
}

}  // namespace
}  // namespace forebay::sim
