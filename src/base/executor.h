#pragma once

#include <cstddef>
#include <functional>

namespace forebay {

// The seam to parallel work: runs independent tasks and returns when all are done. The simulator
// brings one that runs them in an order of its own.
class Executor {
 public:
  virtual ~Executor() = default;
  // Calls task(0) … task(count - 1), each once, in any order and on any thread.
  virtual void run(std::size_t count, const std::function<void(std::size_t)>& task) = 0;
};

// Runs up to `threads` tasks at a time, on threads that end with the call.
class ThreadExecutor final : public Executor {
 public:
  explicit ThreadExecutor(std::size_t threads) : threads_(threads == 0 ? 1 : threads) {}
  void run(std::size_t count, const std::function<void(std::size_t)>& task) override;

 private:
  std::size_t threads_;
};

}  // namespace forebay
