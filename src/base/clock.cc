#include "base/clock.h"

#include <algorithm>
#include <thread>

#include "base/stop.h"

namespace forebay {
namespace {

class SystemClock final : public Clock {
 public:
  Time now() override {
    return std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now());
  }

  bool sleep(Duration duration) override {
    // Short naps, so that SIGTERM ends a long back-off within a fraction of a second.
    constexpr Duration kNap = std::chrono::milliseconds(50);
    const auto end = std::chrono::steady_clock::now() + duration;
    while (!stop_requested()) {
      const auto left = end - std::chrono::steady_clock::now();
      if (left <= std::chrono::steady_clock::duration::zero()) return true;
      std::this_thread::sleep_for(std::min<std::chrono::steady_clock::duration>(
          left, std::chrono::steady_clock::duration(kNap)));
    }
    return false;
  }
};

}  // namespace

Clock& system_clock() {
  static SystemClock clock;
  return clock;
}

}  // namespace forebay
