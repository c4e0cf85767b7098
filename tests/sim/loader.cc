#include "sim/loader.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/check.h"
#include "feed/description.h"
#include "load/progress.h"

namespace forebay::sim {
namespace {

class SimClock final : public Clock {
 public:
  SimClock(Simulation& sim, std::size_t loader) : sim_(sim), loader_(loader) {}
  Time now() override {
    sim_.step(loader_, "now");
    return sim_.now(loader_);
  }
  bool sleep(Duration duration) override {
    sim_.step(loader_, "sleep");
    sim_.world().now += duration;
    return true;
  }

 private:
  Simulation& sim_;
  const std::size_t loader_;
};

Feed bind(FeedKind kind, const char* on_rewrite) {
  const char* name = kind == FeedKind::files ? "files" : "rollerup";
  Options options{{"on_rewrite", {.values = {on_rewrite}, .where = "sim:1"}}};
  if (kind == FeedKind::files) options["table"] = {.values = {"events"}, .where = "sim:2"};
  auto feed = bind_feed(name, *find_builtin_feed(name), "built in", options);
  CHECK(feed.has_value());
  return std::move(*feed);
}

// Bound once: reading a description costs more than a cycle.
const Feed& feed_of(FeedKind kind, OnRewrite on_rewrite) {
  static const std::array feeds{bind(FeedKind::files, "warn"), bind(FeedKind::files, "replace"),
                                bind(FeedKind::files, "append"), bind(FeedKind::documents, "warn")};
  if (kind == FeedKind::documents) return feeds[3];
  return on_rewrite == OnRewrite::warn ? feeds[0] : feeds[on_rewrite == OnRewrite::replace ? 1 : 2];
}

}  // namespace

Simulation::Loader::Loader(Simulation& sim, std::size_t number, OnRewrite on_rewrite)
    : sim_(sim), number_(number), on_rewrite_(on_rewrite) {}

std::optional<CycleReport> Simulation::Loader::run(const CycleOptions& options) {
  SimStore store(sim_, number_);
  const bool shared = !sim_.options().exclusive;
  ModelTarget::Hooks hooks{.committed = [this](const Batch& batch) { sim_.committed(batch); }};
  if (shared) hooks.step = [this](const char* what) { sim_.step(number_, what); };
  if (sim_.options().wrong == WrongLoader::records_first)
    hooks.wrong = ModelTarget::Wrong::records_first;
  if (sim_.options().wrong == WrongLoader::no_fence) hooks.wrong = ModelTarget::Wrong::no_fence;
  ModelTarget model(sim_.database(), std::move(hooks));
  Target& inner = sim_.options().real == nullptr ? model : *sim_.options().real;
  SimTarget target(sim_, number_, inner, store);
  SimClock clock(sim_, number_);
  const Pipeline pipeline{.name = "sim",
                          .feed = feed_of(sim_.feed_kind(), on_rewrite_),
                          .root = {.folder = false, .root = World::kPrefix, .bucket = "bucket"},
                          .source = "sim://bucket/lake/",
                          .schema = "raw",
                          .staging_folder = sim_.options().folder,
                          .fetch_threads = 1,
                          .store = &store,
                          .target = &target};
  Progress silent;
  try {
    sim_.step(number_, "start");
    CycleReport report = run_cycle(pipeline, options, clock, silent);
    reads_ = store.requests().get;
    check(report, target);
    return report;
  } catch (const Killed&) {
    dying = false;
    if (sim_.options().real != nullptr)
      ignore_error(inner.engine().release(), "what a dead process leaves in memory is gone");
    return std::nullopt;
  }
}

// What it says is what was committed.
void Simulation::Loader::check(const CycleReport& report, const SimTarget& target) {
  sim_.note(number_, fmt::format("ends with {}{}", std::to_underlying(report.exit),
                                 report.error ? ": " + describe(*report.error) : ""));
  if (report.exit == ExitCode::bug) sim_.violate("a bug is reported: " + describe(*report.error));
  const auto& seen = target.acknowledged();
  if (report.units.applied != seen.units || report.files != seen.files || report.rows != seen.rows)
    sim_.violate(fmt::format(
        "the report says {} units, {} files, {} rows; committed are {}, {}, {}",
        report.units.applied, report.files, report.rows, seen.units, seen.files, seen.rows));
}

}  // namespace forebay::sim
