#include "base/executor.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace forebay {

void ThreadExecutor::run(std::size_t count, const std::function<void(std::size_t)>& task) {
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) task(i);
  };
  std::vector<std::jthread> helpers;
  const std::size_t wanted = std::min(threads_, count);
  for (std::size_t i = 1; i < wanted; ++i) helpers.emplace_back(work);
  work();
}

}  // namespace forebay
