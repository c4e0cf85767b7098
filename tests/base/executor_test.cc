// Aim: every task runs exactly once, whatever the number of threads, and run() returns after all.
// Method: counters per task, for thread counts around the number of tasks.
#include "base/executor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

namespace forebay {
namespace {

TEST(Executor, RunsEveryTaskOnce) {
  for (const std::size_t threads : {0, 1, 2, 7, 50}) {
    for (const std::size_t count : {0, 1, 7, 40}) {
      std::vector<std::atomic<int>> ran(count);
      ThreadExecutor(threads).run(count, [&](std::size_t i) { ++ran[i]; });
      for (const auto& times : ran) EXPECT_EQ(times.load(), 1);
    }
  }
}

}  // namespace
}  // namespace forebay
