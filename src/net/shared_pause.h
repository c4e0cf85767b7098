#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "base/clock.h"

namespace forebay {

// What requests to one server share when it asks for patience: a pause, and how many of them are
// under way at once. That number adapts as TCP's window does (additive increase, multiplicative
// decrease): it halves when the server throttles, and grows by one after as many successes as it
// is. Thread-safe.
class SharedPause {
 public:
  // `most`: how many requests may ever be under way at once. By default nothing waits until the
  // server has throttled for the first time: the callers' threads are the bound.
  explicit SharedPause(int most = kUnbounded) : most_(most), limit_(most) {}

  // A request under way. Gives its place back when it goes.
  class Place {
   public:
    Place(Place&& other) noexcept : pause_(other.pause_), era_(other.era_) {
      other.pause_ = nullptr;
    }
    Place& operator=(Place&&) = delete;
    ~Place();

   private:
    friend class SharedPause;
    Place(SharedPause* pause, std::uint64_t era) : pause_(pause), era_(era) {}
    SharedPause* pause_;
    std::uint64_t era_;  // how often the number had been halved when the request began
  };

  // Waits until there is a place, but no longer than kLongestWait: a request whose bytes are waited
  // for by those that hold the places must not wait for ever. Comes back at once when the process
  // was asked to stop.
  Place enter();

  // Tells how the request went. Of requests that were under way together one alone halves.
  void throttled(const Place& place);
  void succeeded();

  // Nobody begins before that time; never makes a pause shorter.
  void until(Time time);
  Time end() const;

  // How many may be under way now.
  int limit() const;

  static constexpr int kUnbounded = 1 << 20;
  static constexpr std::chrono::seconds kLongestWait{30};

 private:
  void leave();

  const int most_;
  mutable std::mutex mutex_;
  std::condition_variable freed_;
  // All guarded by mutex_.
  int limit_;
  int under_way_ = 0;
  int successes_ = 0;  // since the limit last changed
  std::uint64_t era_ = 0;
  Time end_{};
};

}  // namespace forebay
