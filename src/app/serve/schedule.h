#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"

namespace forebay {

// After failures a pipeline is asked less often, down to this or to its own interval if that is
// longer: what is broken for hours is tried four times an hour, and found mended soon.
inline constexpr Duration kLongestBackoff = std::chrono::minutes(15);

// When which pipeline runs. Plain arithmetic on times that are passed in. One cycle runs at a time,
// so a pipeline never overlaps itself, and no two ever want the same database.
class Schedule {
 public:
  struct Entry {
    std::string pipeline;
    Duration every;
  };

  // All are due at once, in this order.
  Schedule(std::vector<Entry> entries, Time now);

  // Other entries: those that stay keep their times, as far as the new interval allows; new ones
  // are due at once.
  void replace(std::vector<Entry> entries, Time now);

  // The pipeline that has been due for longest; nothing: none is. One whose cycles take longer than
  // its interval is always due, and still lets the others pass.
  std::optional<std::string> due(Time now) const;

  // How a cycle ended, as far as the next one depends on it. `held_up`: by somebody else, who may
  // be done any moment (a locked database): tried again after a part of the usual time.
  enum class End { well, held_up, failed };
  void ran(const std::string& pipeline, Time begun, Time ended, End end);

  // When it runs next (in the past: it is due). Empty for a pipeline that is not here.
  std::optional<Time> next_run(const std::string& pipeline) const;
  // The earliest of these.
  Time next() const;

 private:
  struct Slot {
    Entry entry;
    Time next;
    std::optional<Time> ended;  // of its last cycle
    int failures = 0;           // since one ended well
  };
  static Duration wait_of(const Slot& slot);
  Slot* find(const std::string& pipeline);

  std::vector<Slot> slots_;
};

}  // namespace forebay
