#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <semaphore>
#include <vector>

namespace forebay::sim {

// Lets one of several threads run at a time. Whoever has the baton says who gets it next, so that
// the order of all that happens is a choice, and the same choice gives the same order.
class Baton {
 public:
  // Runs each body on a thread of its own and returns when all are done. `next` says which of those
  // that are not done goes first, and goes on when one is done.
  using Next = std::function<std::size_t(const std::vector<std::size_t>& ready)>;
  void run(const std::vector<std::function<void()>>& bodies, const Next& next);

  // By whoever has the baton: hands it to another one that is ready, and returns when it is back.
  void hand_over(std::size_t from, std::size_t to);

  // Those that are not done.
  const std::vector<std::size_t>& ready() const { return ready_; }

 private:
  struct Turn {
    std::binary_semaphore mine{0};
  };
  std::vector<std::unique_ptr<Turn>> turns_;
  std::vector<std::size_t> ready_;
};

}  // namespace forebay::sim
