#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/pipeline_status.h"
#include "base/clock.h"
#include "base/error.h"
#include "load/progress.h"
#include "load/report.h"

namespace forebay {

// A cycle that shows no sign of life for so long hangs. Long first loads do show some: every page
// listed, file read and statement begun is one, and a single statement stays below this.
inline constexpr Duration kHungAfter = std::chrono::hours(1);

// Cycles of a pipeline that pages show.
inline constexpr std::size_t kCyclesKept = 60;

// A finished cycle, as a chart and a table need it.
struct CycleSummary {
  Time begun{};
  Time ended{};
  Outcome outcome = Outcome::nothing_new;
  int exit_code = 0;
  std::uint64_t units = 0;
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;
};

// What one pipeline did since this process started, and what the ledger said when it was last read.
struct PipelineState {
  std::string name;
  std::string feed;
  std::string source;  // as people see it; empty: its configuration cannot be read
  Duration every{};
  std::optional<PipelineStatus> status;
  std::optional<Error> error;         // why there is no status, or none that is newer
  std::optional<Time> ready_since;    // the end of its first complete cycle
  std::optional<Time> running_since;  // a cycle is under way
  std::string step;                   // of that cycle
  std::uint64_t rows_so_far = 0;      // applied by that cycle
  std::optional<Time> next_run;
  std::optional<Time> last_success;
  std::optional<CycleReport> last_report;
  std::deque<CycleSummary> cycles;  // newest first, at most kCyclesKept

  // Sums over all cycles.
  std::map<int, std::uint64_t> cycles_by_exit_code;
  std::uint64_t units_applied = 0;
  std::uint64_t units_quarantined = 0;
  std::uint64_t files = 0;
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;
  double seconds = 0;
  RequestCounts requests;
};

// What the loop tells and the pages show. Thread-safe; every call is short, so that a page never
// waits for a cycle, nor a cycle for a page.
class ServeState {
 public:
  explicit ServeState(Time started) : started_(started) {}

  // Which pipelines there are, in the order of the configuration. Those that stay keep what is
  // known of them.
  struct Known {
    std::string name;
    std::string feed;
    std::string source;
    Duration every{};
  };
  void set_pipelines(const std::vector<Known>& pipelines);

  void read(const std::string& pipeline, Result<PipelineStatus> status);
  void begin(const std::string& pipeline, Time now);
  void alive(Time now, const std::string& step, std::uint64_t rows);  // empty step: as it was
  void finish(const CycleReport& report, Time now);
  void plan_next(const std::string& pipeline, std::optional<Time> next);

  struct Snapshot {
    Time started{};
    bool alive = true;  // no cycle hangs
    std::vector<PipelineState> pipelines;
  };
  Snapshot snapshot(Time now) const;

 private:
  PipelineState* find(const std::string& pipeline);

  mutable std::mutex mutex_;
  Time started_;
  std::optional<std::string> running_;
  Time last_sign_{};
  std::vector<PipelineState> pipelines_;
};

// The signs of life of one cycle.
class StateProgress final : public Progress {
 public:
  StateProgress(ServeState& state, Clock& clock) : state_(state), clock_(clock) {}

  void listed(std::uint64_t keys) override;
  void due(std::uint64_t units) override;
  void expect(std::uint64_t files, std::uint64_t rows) override;
  void fetched(std::uint64_t bytes) override;
  void step(const std::string& what) override;
  void applied(std::uint64_t units, std::uint64_t files, std::uint64_t rows) override;

 private:
  ServeState& state_;
  Clock& clock_;
};

}  // namespace forebay
