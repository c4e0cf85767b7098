#include "net/shared_pause.h"

#include <algorithm>

#include "base/stop.h"

namespace forebay {

SharedPause::Place::~Place() {
  if (pause_ != nullptr) pause_->leave();
}

SharedPause::Place SharedPause::enter() {
  // Short waits, so that SIGTERM is noticed.
  constexpr std::chrono::milliseconds kNap{50};
  std::unique_lock lock(mutex_);
  for (auto left = std::chrono::milliseconds(kLongestWait);
       under_way_ >= limit_ && left > left.zero() && !stop_requested();) {
    if (freed_.wait_for(lock, kNap) == std::cv_status::timeout) left -= kNap;
  }
  ++under_way_;
  return {this, era_};
}

void SharedPause::leave() {
  {
    const std::lock_guard lock(mutex_);
    --under_way_;
  }
  freed_.notify_one();
}

void SharedPause::throttled(const Place& place) {
  const std::lock_guard lock(mutex_);
  if (place.era_ != era_) return;
  ++era_;
  successes_ = 0;
  limit_ = std::max(1, std::min(limit_, under_way_) / 2);
}

void SharedPause::succeeded() {
  {
    const std::lock_guard lock(mutex_);
    if (limit_ >= most_ || ++successes_ < limit_) return;
    successes_ = 0;
    ++limit_;
  }
  freed_.notify_one();
}

void SharedPause::until(Time time) {
  const std::lock_guard lock(mutex_);
  end_ = std::max(end_, time);
}

Time SharedPause::end() const {
  const std::lock_guard lock(mutex_);
  return end_;
}

int SharedPause::limit() const {
  const std::lock_guard lock(mutex_);
  return limit_;
}

}  // namespace forebay
