#include "app/serve/daemon.h"

#include <algorithm>
#include <utility>

#include "base/fault.h"
#include "base/log.h"

namespace forebay {
namespace {

// How long the loop sleeps at most: a signal to read the configuration again, and a clock that was
// set back, are noticed so soon.
constexpr Duration kLongestNap = std::chrono::seconds(1);

Schedule::End end_of(const CycleReport& report) {
  if (report.exit == ExitCode::done) return Schedule::End::well;
  const bool busy = report.error && report.error->code == ErrorCode::busy;
  return busy ? Schedule::End::held_up : Schedule::End::failed;
}

}  // namespace

ExitCode run_daemon(DaemonWork& work, Schedule schedule, ServeState& state, Clock& clock) {
  bool cut_short = false;
  while (!work.stop()) {
    if (auto entries = work.reloaded()) {
      schedule.replace(*entries, clock.now());
      for (const Schedule::Entry& entry : *entries)
        state.plan_next(entry.pipeline, schedule.next_run(entry.pipeline));
    }
    const Time now = clock.now();
    const auto due = schedule.due(now);
    if (!due) {
      (void)clock.sleep(std::clamp<Duration>(schedule.next() - now, Duration(1), kLongestNap));
      continue;
    }
    state.begin(*due, now);
    const CycleReport report = work.run(*due);
    const Time ended = clock.now();
    state.finish(report, ended);
    schedule.ran(*due, now, ended, end_of(report));
    state.plan_next(*due, schedule.next_run(*due));
    cut_short = report.error && report.error->code == ErrorCode::interrupted;
    if (const Status point = fault_point("daemon.between_cycles"); !point) log_error(point.error());
  }
  if (const Status point = fault_point("daemon.stopping"); !point) log_error(point.error());
  return cut_short ? ExitCode::try_again : ExitCode::done;
}

}  // namespace forebay
