#include "load/cycle.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <set>
#include <utility>

#include "base/executor.h"
#include "base/fault.h"
#include "base/limits.h"
#include "base/stop.h"
#include "load/apply.h"
#include "load/batches.h"
#include "load/clean.h"
#include "load/discover.h"
#include "load/identity.h"
#include "load/mark.h"
#include "load/requests.h"

namespace forebay {
namespace {

class Cycle {
 public:
  Cycle(const Pipeline& pipeline, const CycleOptions& options, Clock& clock, Progress& progress)
      : pipeline_(pipeline), options_(options), clock_(clock), progress_(progress) {
    report_.pipeline = pipeline.name;
    report_.feed = pipeline.feed.name;
  }

  CycleReport run();

 private:
  Status passes();
  // How long to wait before the next pass: until the next object has settled, not at all where this
  // one made units due. Nothing: there is no need of one.
  Result<std::optional<Duration>> pass();
  bool frees_copies(const std::vector<PlannedUnit>& due) const;
  void apply_all(std::vector<PlannedUnit> due, Discovery& found, Applier::Work work);
  void name_waiting(const PlannedUnit& unit);
  void warn_of_future(const std::vector<PlannedUnit>& due, Time now);
  void note(Time now);

  const Pipeline& pipeline_;
  const CycleOptions& options_;
  Clock& clock_;
  Progress& progress_;
  LedgerHead head_;
  std::optional<LedgerHead> head_before_;
  Settling settling_;
  Births births_;
  bool full_listing_ = false;
  CycleReport report_;
};

CycleReport Cycle::run() {
  const Time begun = clock_.now();
  const RequestCounts before = pipeline_.store->requests();
  if (const Status passed = passes(); !passed) add_error(report_, passed.error());
  report_.requests = pipeline_.store->requests() - before;
  note(clock_.now());
  report_.seconds = std::chrono::duration<double>(clock_.now() - begun).count();
  return std::move(report_);
}

// One pass, and more only while objects are still settling, or where one makes units due.
Status Cycle::passes() {
  ASSIGN_OR_RETURN(head_, pipeline_.target->head(pipeline_.name));
  head_before_ = head_;
  RETURN_IF_ERROR(check_identity(pipeline_, head_));
  // Only time spent waiting counts: after an hour of work young objects are worth a second more.
  Duration left = std::chrono::seconds(kMaxSettleSeconds);
  while (true) {
    ASSIGN_OR_RETURN(const std::optional<Duration> wait, pass());
    if (!wait || *wait > left || !clock_.sleep(*wait)) return {};
    left -= *wait;
  }
}

Result<std::optional<Duration>> Cycle::pass() {
  const Time now = clock_.now();
  ASSIGN_OR_RETURN(Discovery found,
                   discover(pipeline_, head_, options_, settling_, now, progress_));
  full_listing_ = full_listing_ || found.full;
  MarkLimits limits{.fixed = options_.selection.has_value(), .seen = found.settled_before};
  std::vector<PlannedUnit> due;
  std::uint64_t waiting = 0;
  std::optional<Duration> wait;
  std::set<std::string> held;
  report_.waiting.clear();
  for (PlannedUnit& unit : found.units) {
    if (unit.settles_in) wait = std::min(wait.value_or(*unit.settles_in), *unit.settles_in);
    // In an ordered feed nothing passes a unit that waits, as far as their scope is the same.
    const bool passes = !pipeline_.feed.ordered() || !is_within(unit, held);
    if (unit.due() && passes) {
      if (!pipeline_.feed.ordered()) limits.due.insert(mark_point(unit.name));
      due.push_back(std::move(unit));
      continue;
    }
    if (!beyond_future(pipeline_.feed, unit.name, now)) limits.hold(unit.name);
    ++waiting;
    name_waiting(unit);
    if (unit.holds) held.insert(unit.scope);
    if (unit.version.empty() || unit.due()) continue;
    report_.warnings.push_back(fmt::format("{} waits: {}", unit.name.name, unit.why));
  }
  for (std::string& warning : found.warnings) report_.warnings.push_back(std::move(warning));
  report_.units.already_applied = found.already_applied;
  report_.units.waiting = waiting;
  progress_.due(due.size());
  const bool never = head_.commit_no == 0 && due.empty() && waiting == 0;
  if (never)
    report_.warnings.push_back("no unit was ever seen at " + pipeline_.source +
                               ": is the source spelled right?");
  if (!pipeline_.feed.ordered()) warn_of_future(due, now);
  // What waits, or is left for another time, belongs to the same window.
  const bool cut = options_.until || options_.selection ||
                   (options_.max_units && *options_.max_units < due.size());
  if (!cut && frees_copies(due)) wait = Duration::zero();
  const std::size_t total = due.size();
  apply_all(
      std::move(due), found,
      {.now = now,
       .limits = std::move(limits),
       .total = total,
       .whole = waiting == 0 && !cut,
       .window = {.listed = std::move(found.listed), .latest = now + pipeline_.feed.max_future}});
  if (pipeline_.feed.cleans_source && !stop_requested()) {
    const Status cleaned = clean_source(pipeline_, std::move(found.listed_documents));
    if (!cleaned)
      report_.warnings.push_back("the source could not be cleaned: " + describe(cleaned.error()));
  }
  if (report_.exit != ExitCode::done) wait.reset();
  return wait;
}

// Copies of what a unit brought were left out; they count once it brings something else.
bool Cycle::frees_copies(const std::vector<PlannedUnit>& due) const {
  return pipeline_.feed.dedup_content && pipeline_.feed.on_rewrite == OnRewrite::replace &&
         std::ranges::any_of(
             due, [](const PlannedUnit& unit) { return unit.standing == Standing::changed; });
}

void Cycle::name_waiting(const PlannedUnit& unit) {
  if (report_.waiting.size() == kMostWaitingNamed) return;
  report_.waiting.push_back({unit.name.name, unit.due() ? "a unit before it waits" : unit.why});
}

// Its rows are wanted, but a listing that started there would miss all that comes before it.
void Cycle::warn_of_future(const std::vector<PlannedUnit>& due, Time now) {
  std::size_t count = 0;
  const PlannedUnit* example = nullptr;
  for (const PlannedUnit& unit : due) {
    if (!beyond_future(pipeline_.feed, unit.name, now)) continue;
    ++count;
    example = &unit;
  }
  if (example == nullptr) return;
  report_.warnings.push_back(
      fmt::format("{} of the units are dated in the future, such as {}: loaded, but listings go on "
                  "from the present (max_future)",
                  count, example->name.name));
}

// Fetches the next batch while one is applied.
void Cycle::apply_all(std::vector<PlannedUnit> due, Discovery& found, Applier::Work work) {
  const std::size_t total = due.size();
  ThreadExecutor executor(static_cast<std::size_t>(pipeline_.fetch_threads));
  BatchSource source(pipeline_, std::move(due), options_, executor, progress_);
  Applier applier(pipeline_, head_, births_, std::move(work), clock_, progress_, report_);
  if (!applier.record(std::move(found.decided), std::move(found.documents))) return;
  FetchedBatch batch = source.next();
  while (!batch.empty()) {
    auto next = std::async(std::launch::async, [&] { return source.next(); });
    const bool go_on = applier.apply(std::move(batch));
    batch = next.get();
    if (!go_on) break;
  }
  report_.units.waiting += total - applier.decided();
  if (report_.error) return;
  if (const Status expired = applier.expire(); !expired) add_error(report_, expired.error());
}

// A row after a full listing or a changed outcome, so that an idle cycle writes nothing.
void Cycle::note(Time now) {
  if (!head_before_) return;
  const auto& last = head_before_->last_cycle;
  CycleNote note{.finished_at = now,
                 .outcome = std::string(to_string(report_.outcome)),
                 .exit_code = std::to_underlying(report_.exit),
                 .message = report_.error ? describe(*report_.error) : "",
                 .full_listing = full_listing_,
                 .waiting = static_cast<std::int64_t>(report_.units.waiting),
                 .list_requests = static_cast<std::int64_t>(report_.requests.list),
                 .stopped_at = report_.stopped_at};
  const bool same = last && last->outcome == note.outcome && last->exit_code == note.exit_code &&
                    last->message == note.message && last->waiting == note.waiting;
  if (same && !full_listing_) return;
  // A process that was asked to stop writes nothing more: its outcome is in its report alone.
  if (stop_requested()) return;
  if (const Status noted = pipeline_.target->note_cycle(pipeline_.name, note); !noted)
    report_.warnings.push_back("the cycle could not be noted in the ledger: " +
                               describe(noted.error()));
}

}  // namespace

CycleReport run_cycle(const Pipeline& pipeline, const CycleOptions& options, Clock& clock,
                      Progress& progress) {
  return Cycle(pipeline, options, clock, progress).run();
}

}  // namespace forebay
