#pragma once

#include <mutex>
#include <vector>

#include "base/clock.h"

namespace forebay::test {

// Time that passes only while someone sleeps, so that an hour of retries takes no time.
class FakeClock final : public Clock {
 public:
  explicit FakeClock(Time start = Time(std::chrono::seconds(1'800'000'000))) : now_(start) {}

  Time now() override {
    const std::lock_guard lock(mutex_);
    return now_;
  }

  bool sleep(Duration duration) override {
    const std::lock_guard lock(mutex_);
    now_ += duration;
    naps_.push_back(duration);
    return true;
  }

  void advance(Duration duration) {
    const std::lock_guard lock(mutex_);
    now_ += duration;
  }

  std::vector<Duration> naps() const {
    const std::lock_guard lock(mutex_);
    return naps_;
  }

 private:
  mutable std::mutex mutex_;
  Time now_;
  std::vector<Duration> naps_;
};

}  // namespace forebay::test
