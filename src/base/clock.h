#pragma once

#include <chrono>

namespace forebay {

// Points in time are UTC with microseconds everywhere; a cycle reads the clock once (MISS-2).
using Duration = std::chrono::microseconds;
using Time = std::chrono::sys_time<Duration>;

// The seam to time: tests and the simulator bring their own.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual Time now() = 0;
  // Sleeps, but returns early when the process was asked to stop. True: the whole time has passed.
  virtual bool sleep(Duration duration) = 0;
};

// The machine's clock. Thread-safe; lives as long as the process.
Clock& system_clock();

}  // namespace forebay
