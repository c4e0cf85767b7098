#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace forebay::sim {

// Every order in which the steps of two loaders can follow each other, one order after another.
//
// Only steps that touch what both can see are told apart: what a loader does between two such steps
// changes nothing for the other one. Of two orders that differ by swapping steps of which neither
// writes, one stands for both (Mazurkiewicz traces, enumerated with sleep sets: Godefroid,
// "Partial-Order Methods for the Verification of Concurrent Systems", 1996).
class EveryOrder {
 public:
  static constexpr std::size_t kLoaders = 2;

  // A step that was taken: by whom, and what it was.
  struct Taken {
    std::size_t loader;
    std::string what;
  };

  // Runs `life` once for each order until it returns false. A life asks next() at every step.
  // Gives the number of orders.
  std::size_t explore(const std::function<bool()>& life);

  // A loader stands in front of a step. Who makes the next one; nothing: an order that leads where
  // another one led was begun, and the life should end. A loader asks once more after its last step
  // that touches anything.
  std::optional<std::size_t> next(std::size_t loader, std::string_view what,
                                  const std::vector<std::size_t>& ready);

  // Whether the life that is running, or has just ended, was cut short in that way.
  bool cut() const { return cut_; }
  const std::vector<Taken>& taken() const { return taken_; }

 private:
  using Set = std::array<bool, kLoaders>;
  struct Choice {
    Set ready{};
    Set asleep{};  // what they would do leads where an earlier order led
    std::size_t chosen = 0;
  };

  static bool touches(std::string_view what);
  static bool writes(std::string_view what);
  std::optional<std::size_t> decide();
  void take(std::size_t loader, Set asleep);
  bool step_back();

  std::vector<Choice> path_;
  std::size_t depth_ = 0;                                     // of the running life
  std::array<std::optional<std::string>, kLoaders> waiting_;  // the steps that they stand before
  Set ready_{};
  Set asleep_{};
  std::vector<Taken> taken_;
  bool cut_ = false;
};

}  // namespace forebay::sim
