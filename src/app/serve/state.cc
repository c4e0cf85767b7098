#include "app/serve/state.h"

#include <utility>

namespace forebay {

void ServeState::set_pipelines(const std::vector<Known>& pipelines) {
  const std::lock_guard lock(mutex_);
  std::vector<PipelineState> next;
  for (const Known& known : pipelines) {
    PipelineState* old = find(known.name);
    PipelineState state = old == nullptr ? PipelineState{} : std::move(*old);
    state.name = known.name;
    state.feed = known.feed;
    state.source = known.source;
    state.every = known.every;
    next.push_back(std::move(state));
  }
  pipelines_ = std::move(next);
}

void ServeState::read(const std::string& pipeline, Result<PipelineStatus> status) {
  const std::lock_guard lock(mutex_);
  PipelineState* state = find(pipeline);
  if (state == nullptr) return;
  if (status) {
    state->status = std::move(*status);
    state->error.reset();
  } else {
    state->error = std::move(status).error();
  }
}

void ServeState::begin(const std::string& pipeline, Time now) {
  const std::lock_guard lock(mutex_);
  running_ = pipeline;
  last_sign_ = now;
  PipelineState* state = find(pipeline);
  if (state == nullptr) return;
  state->running_since = now;
  state->step.clear();
  state->rows_so_far = 0;
}

void ServeState::alive(Time now, const std::string& step, std::uint64_t rows) {
  const std::lock_guard lock(mutex_);
  last_sign_ = now;
  PipelineState* state = running_ ? find(*running_) : nullptr;
  if (state == nullptr) return;
  if (!step.empty()) state->step = step;
  state->rows_so_far += rows;
}

void ServeState::finish(const CycleReport& report, Time now) {
  const std::lock_guard lock(mutex_);
  running_.reset();
  PipelineState* state = find(report.pipeline);
  if (state == nullptr) return;
  const int code = std::to_underlying(report.exit);
  state->cycles.push_front({.begun = state->running_since.value_or(now),
                            .ended = now,
                            .outcome = report.outcome,
                            .exit_code = code,
                            .units = report.units.applied,
                            .rows = report.rows,
                            .bytes = report.bytes});
  if (state->cycles.size() > kCyclesKept) state->cycles.pop_back();
  state->running_since.reset();
  state->step.clear();
  state->last_report = report;
  ++state->cycles_by_exit_code[code];
  state->units_applied += report.units.applied;
  state->units_quarantined += report.units.quarantined;
  state->files += report.files;
  state->rows += report.rows;
  state->bytes += report.bytes;
  state->seconds += report.seconds;
  state->requests.list += report.requests.list;
  state->requests.get += report.requests.get;
  state->requests.head += report.requests.head;
  state->requests.other += report.requests.other;
  if (report.exit != ExitCode::done) return;
  state->last_success = now;
  if (!state->ready_since) state->ready_since = now;
}

void ServeState::plan_next(const std::string& pipeline, std::optional<Time> next) {
  const std::lock_guard lock(mutex_);
  if (PipelineState* state = find(pipeline)) state->next_run = next;
}

ServeState::Snapshot ServeState::snapshot(Time now) const {
  const std::lock_guard lock(mutex_);
  return {.started = started_,
          .alive = !running_ || now - last_sign_ < kHungAfter,
          .pipelines = pipelines_};
}

PipelineState* ServeState::find(const std::string& pipeline) {
  for (PipelineState& state : pipelines_) {
    if (state.name == pipeline) return &state;
  }
  return nullptr;
}

void StateProgress::listed(std::uint64_t /*keys*/) { state_.alive(clock_.now(), "listing", 0); }
void StateProgress::due(std::uint64_t /*units*/) { state_.alive(clock_.now(), "", 0); }
void StateProgress::expect(std::uint64_t /*files*/, std::uint64_t /*rows*/) {
  state_.alive(clock_.now(), "", 0);
}
void StateProgress::fetched(std::uint64_t /*bytes*/) { state_.alive(clock_.now(), "", 0); }
void StateProgress::step(const std::string& what) { state_.alive(clock_.now(), what, 0); }
void StateProgress::applied(std::uint64_t /*units*/, std::uint64_t /*files*/, std::uint64_t rows) {
  state_.alive(clock_.now(), "", rows);
}

}  // namespace forebay
