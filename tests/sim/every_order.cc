#include "sim/every_order.h"

#include <algorithm>

namespace forebay::sim {

// What happens in a loader alone, or in a bucket that nobody changes meanwhile.
bool EveryOrder::touches(std::string_view what) {
  static constexpr std::array<std::string_view, 9> kAlone{
      "start", "now", "sleep", "list", "stat", "read", "read on", "apply.begun", "committed"};
  return std::ranges::find(kAlone, what) == kAlone.end();
}

bool EveryOrder::writes(std::string_view what) {
  return what == "apply.written" || what == "note_cycle";
}

std::size_t EveryOrder::explore(const std::function<bool()>& life) {
  std::size_t orders = 0;
  path_.clear();
  do {
    depth_ = 0;
    waiting_ = {};
    asleep_ = {};
    taken_.clear();
    cut_ = false;
    const bool go_on = life();
    if (!cut_) ++orders;
    if (!go_on) break;
  } while (step_back());
  return orders;
}

std::optional<std::size_t> EveryOrder::next(std::size_t loader, std::string_view what,
                                            const std::vector<std::size_t>& ready) {
  // The other one has ended meanwhile, and so this one went on.
  if (waiting_[loader]) {
    cut_ = cut_ || asleep_[loader];
    take(loader, asleep_);
  }
  if (cut_) return std::nullopt;
  if (!touches(what)) return loader;
  waiting_[loader] = what;
  ready_ = {};
  for (const std::size_t one : ready) {
    ready_[one] = true;
    if (!waiting_[one]) return one;  // has not come to such a step yet
  }
  return decide();
}

std::optional<std::size_t> EveryOrder::decide() {
  if (depth_ == path_.size()) {
    Choice choice{.ready = ready_, .asleep = asleep_};
    choice.chosen = kLoaders;
    for (std::size_t i = kLoaders; i-- > 0;)
      if (ready_[i] && !asleep_[i]) choice.chosen = i;
    if (choice.chosen == kLoaders) {
      cut_ = true;
      return std::nullopt;
    }
    path_.push_back(choice);
  }
  const Choice& choice = path_[depth_++];
  take(choice.chosen, choice.asleep);
  return choice.chosen;
}

void EveryOrder::take(std::size_t loader, Set asleep) {
  const std::string what = *waiting_[loader];
  for (std::size_t i = 0; i < kLoaders; ++i) {
    const bool apart = waiting_[i] && !writes(*waiting_[i]) && !writes(what);
    asleep_[i] = i != loader && asleep[i] && apart;
  }
  taken_.push_back({loader, what});
  waiting_[loader].reset();
}

// To the last choice that has another way; false: there is none.
bool EveryOrder::step_back() {
  for (; !path_.empty(); path_.pop_back()) {
    Choice& last = path_.back();
    last.asleep[last.chosen] = true;
    for (std::size_t i = 0; i < kLoaders; ++i) {
      if (!last.ready[i] || last.asleep[i]) continue;
      last.chosen = i;
      return true;
    }
  }
  return false;
}

}  // namespace forebay::sim
