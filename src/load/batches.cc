#include "load/batches.h"

#include <algorithm>
#include <utility>

#include "base/limits.h"

namespace forebay {

bool concerns_unit(ErrorCode code) {
  switch (code) {
    case ErrorCode::damaged:
    case ErrorCode::drift:
    case ErrorCode::refused: return true;
    case ErrorCode::not_found:
    case ErrorCode::changed:
    case ErrorCode::denied:
    case ErrorCode::throttled:
    case ErrorCode::unavailable:
    case ErrorCode::busy:
    case ErrorCode::interrupted:
    case ErrorCode::commit_unknown:
    case ErrorCode::invalid_config:
    case ErrorCode::internal: return false;
  }
  std::unreachable();
}

BatchSource::BatchSource(const Pipeline& pipeline, std::vector<PlannedUnit> due,
                         const CycleOptions& options, Executor& executor, Progress& progress)
    : pipeline_(pipeline),
      options_(options),
      executor_(executor),
      progress_(progress),
      due_(std::move(due)) {
  if (options_.max_units && due_.size() > *options_.max_units) due_.resize(*options_.max_units);
}

bool BatchSource::later_than_asked(const LoadedUnit& unit) const {
  return options_.until && time_of(unit.planned, unit.content) > *options_.until;
}

void BatchSource::read_ahead() {
  ahead_.clear();
  next_ahead_ = 0;
  const std::size_t end = std::min(due_.size(), next_due_ + kDocumentsAhead);
  std::vector<const PlannedUnit*> units;
  for (std::size_t i = next_due_; i < end; ++i) units.push_back(&due_[i]);
  auto contents = read_contents(pipeline_, units, executor_);
  for (std::size_t i = 0; i < contents.size(); ++i) {
    Read read{.unit = {.planned = std::move(due_[next_due_ + i])}};
    if (contents[i]) {
      read.unit.content = std::move(*contents[i]);
      if (later_than_asked(read.unit)) {
        if (!pipeline_.feed.ordered()) continue;
        next_due_ = due_.size();
        return;
      }
    } else {
      read.error = std::move(contents[i]).error();
    }
    ahead_.push_back(std::move(read));
  }
  next_due_ = end;
}

// Takes units until a limit is reached, or a large snapshot wants to go straight into its table, or
// a unit comes whose document could not be read.
std::vector<LoadedUnit> BatchSource::cut() {
  std::vector<LoadedUnit> units;
  std::size_t files = 0;
  std::uint64_t bytes = 0;
  const std::uint64_t byte_limit =
      pipeline_.staging_limit == 0 ? kMaxBatchBytes : pipeline_.staging_limit;
  while (true) {
    if (next_ahead_ == ahead_.size()) {
      if (next_due_ == due_.size()) return units;
      read_ahead();
      continue;
    }
    Read& read = ahead_[next_ahead_];
    if (is_within(read.unit.planned, stopped_)) {
      ++next_ahead_;
      continue;
    }
    if (read.error) return units;
    std::uint64_t unit_bytes = 0;
    std::uint64_t unit_rows = 0;
    bool clears = false;
    for (const UnitFile& file : read.unit.content.files) {
      unit_bytes += file.size.value_or(0);
      unit_rows += file.rows.value_or(0);
      clears = clears || file.effect.clear_table;
    }
    const std::size_t unit_files = read.unit.content.files.size();
    const bool full = units.size() >= kMaxBatchUnits || files + unit_files > kMaxBatchFiles ||
                      bytes + unit_bytes > byte_limit;
    const bool large_snapshot = clears && unit_rows >= kLargeSnapshotRows;
    if (!units.empty() && full) return units;
    progress_.expect(unit_files, unit_rows);
    files += unit_files;
    bytes += unit_bytes;
    units.push_back(std::move(read.unit));
    ++next_ahead_;
    if (large_snapshot) return units;
  }
}

// An ordered feed goes on only where the unit that failed is not.
void BatchSource::stop(const PlannedUnit& unit) {
  if (!pipeline_.feed.ordered()) return;
  stopped_.insert(unit.scope);
  ended_ = pipeline_.feed.unit.stop == StopScope::feed;
}

FetchedBatch BatchSource::next() {
  FetchedBatch batch;
  if (ended_) return batch;
  std::vector<LoadedUnit> units = cut();
  if (units.empty() && next_ahead_ < ahead_.size()) {
    Read& read = ahead_[next_ahead_++];
    stop(read.unit.planned);
    batch.failed.push_back({std::move(read.unit.planned), {}, std::move(*read.error)});
  }
  auto outcomes = fetch_units(pipeline_, units, executor_, progress_);
  for (std::size_t i = 0; i < units.size() && !ended_; ++i) {
    if (is_within(units[i].planned, stopped_)) continue;
    if (outcomes[i]) {
      batch.units.push_back(std::move(units[i]));
      continue;
    }
    stop(units[i].planned);
    batch.failed.push_back(
        {std::move(units[i].planned), std::move(units[i].content), std::move(outcomes[i]).error()});
  }
  batch.left = (due_.size() - next_due_) + (ahead_.size() - next_ahead_);
  return batch;
}

}  // namespace forebay
