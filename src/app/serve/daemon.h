#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/serve/schedule.h"
#include "app/serve/state.h"
#include "base/clock.h"
#include "base/error.h"
#include "load/report.h"

namespace forebay {

// What the loop asks of its surroundings; tests bring their own. One thread.
class DaemonWork {
 public:
  virtual ~DaemonWork() = default;
  // One cycle from opening to closing, all that is to be said about it included.
  virtual CycleReport run(const std::string& pipeline) = 0;
  // The pipelines anew, when somebody asked for the configuration to be read again.
  virtual std::optional<std::vector<Schedule::Entry>> reloaded() = 0;
  virtual bool stop() = 0;
};

// Runs pipelines when they are due, one cycle at a time, until it is asked to stop. What a cycle
// meets never ends it. `done`: nothing was under way, or it came to its end; `try_again`: a cycle
// was cut short, as with `load`.
ExitCode run_daemon(DaemonWork& work, Schedule schedule, ServeState& state, Clock& clock);

}  // namespace forebay
