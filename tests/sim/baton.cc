#include "sim/baton.h"

#include <algorithm>
#include <thread>

namespace forebay::sim {

void Baton::run(const std::vector<std::function<void()>>& bodies, const Next& next) {
  turns_.clear();
  ready_.clear();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    turns_.push_back(std::make_unique<Turn>());
    ready_.push_back(i);
  }
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    threads.emplace_back([this, &bodies, &next, i] {
      turns_[i]->mine.acquire();
      bodies[i]();
      std::erase(ready_, i);
      if (!ready_.empty()) turns_[next(ready_)]->mine.release();
    });
  }
  if (!ready_.empty()) turns_[next(ready_)]->mine.release();
}

void Baton::hand_over(std::size_t from, std::size_t to) {
  if (from == to) return;
  turns_[to]->mine.release();
  turns_[from]->mine.acquire();
}

}  // namespace forebay::sim
