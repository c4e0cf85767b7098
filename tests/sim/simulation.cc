#include "sim/simulation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "sim/loader.h"

namespace forebay::sim {
namespace {

constexpr std::size_t kMostLoaders = 3;
// Cycles after which everything must be loaded once faults have stopped.
constexpr int kCyclesToConverge = 3;

void mix(std::uint64_t& digest, std::uint64_t value) { digest = (digest ^ value) * 0x100000001b3; }

std::string difference(const Tables& expected, const Tables& found) {
  std::string text;
  for (const auto& [name, rows] : expected)
    text += fmt::format("\n  {} should be [{}]", name, fmt::join(rows, "; "));
  for (const auto& [name, rows] : found)
    text += fmt::format("\n  {} is        [{}]", name, fmt::join(rows, "; "));
  return text;
}

}  // namespace

SimResult simulate(const SimOptions& options) { return Simulation(options).run(); }

// Which kinds first, and how often each; when comes later.
void Simulation::draw_faults() {
  for (std::size_t& rate : rates_) {
    static constexpr std::array<std::size_t, 3> kRates{8, 40, 160};
    rate = draw_.one_in(3) ? kRates[draw_.below(kRates.size())] : 0;
  }
  const auto rate = [this](Fault fault) -> std::size_t& {
    return rates_[static_cast<std::size_t>(fault)];
  };
  rate(Fault::crash) /= 4;  // at each step
  rate(Fault::target_fails) /= 2;
  rate(Fault::pause) /= 4;
  rate(Fault::clock_jumps) /= 8;
  rate(Fault::commit_unknown) *= 3;  // at each commit
}

Simulation::Simulation(const SimOptions& options)
    : options_(options),
      draw_(options.seed),
      kind_(draw_.one_in(2) ? FeedKind::files : FeedKind::documents) {
  std::size_t loaders = 0;
  if (options_.script == nullptr) {
    draw_life();
    loaders = 1 + draw_.below(kMostLoaders);
  } else {
    kind_ = options_.script->kind;
    world_ = std::make_unique<World>(kind_, World::Habits(), draw_);
    world_->settle();
    loaders = options_.script->cycles.size();
  }
  for (std::size_t i = 0; i < loaders; ++i)
    loaders_.push_back(std::make_unique<Loader>(*this, i, on_rewrite_));
}

void Simulation::draw_life() {
  draw_faults();
  static constexpr std::array<std::size_t, 4> kPages{1, 2, 3, 1000};
  page_size_ = kPages[draw_.below(kPages.size())];
  unordered_ = draw_.one_in(5);
  static constexpr std::array<std::size_t, 3> kStays{1, 3, 12};
  stays_ = kStays[draw_.below(kStays.size())];
  if (kind_ == FeedKind::files) {
    static constexpr std::array kRewrites{OnRewrite::warn, OnRewrite::replace, OnRewrite::append};
    on_rewrite_ = kRewrites[draw_.below(kRewrites.size())];
  }
  const World::Habits habits{
      .overwrites = draw_.one_in(2), .removes = draw_.one_in(3), .damages = draw_.one_in(3)};
  world_ = std::make_unique<World>(kind_, habits, draw_);
}

Simulation::~Simulation() = default;

SimResult Simulation::run() {
  if (options_.script == nullptr) {
    run_loaders();
  } else {
    run_script();
  }
  if (!ended_) converge();
  result_.tables = tables_of(database_);
  result_.ledger = std::move(database_);
  return std::move(result_);
}

void Simulation::run_script() {
  std::vector<std::optional<CycleReport>> reports(loaders_.size());
  std::vector<std::function<void()>> bodies;
  for (std::size_t i = 0; i < loaders_.size(); ++i)
    bodies.emplace_back([this, i, &reports] {
      if (!ended_) reports[i] = loaders_[i]->run(options_.script->cycles[i]);
    });
  baton_.run(bodies, [](const std::vector<std::size_t>& ready) { return ready.front(); });
  for (auto& report : reports)
    if (report) result_.reports.push_back(std::move(*report));
}

void Simulation::run_loaders() {
  std::vector<std::function<void()>> bodies;
  for (std::size_t i = 0; i < loaders_.size(); ++i) {
    const std::size_t cycles = 1 + draw_.below(4);
    bodies.emplace_back([this, i, cycles] {
      for (std::size_t n = 0; n < cycles && !ended_; ++n) {
        if (options_.exclusive && holder_) {
          note(i, "finds the database held");
          baton_.hand_over(i, choose(i));
          continue;
        }
        holder_ = i;
        CycleOptions options;
        if (draw_.one_in(4)) options.max_units = 1 + draw_.below(2);
        ++result_.cycles;
        loaders_[i]->run(options);
        if (holder_ == i) holder_.reset();
      }
    });
  }
  baton_.run(bodies, [this](const std::vector<std::size_t>& ready) {
    for (const auto& loader : loaders_) loader->paused = false;
    return ready[draw_.below(ready.size())];
  });
}

// Faults stop: everything valid comes, everything else is named, and then nothing happens any more.
void Simulation::converge() {
  alone_ = true;
  world_->settle();
  for (const auto& loader : loaders_) loader->clock_error = {};
  world_->now += std::chrono::hours(60);  // all that is older than the look-back is listed again
  note(0, "faults stop");
  Loader& loader = *loaders_.front();
  for (int i = 0; i < kCyclesToConverge && !ended_; ++i) {
    ++result_.cycles;
    loader.run({});
  }
  if (ended_) return;
  const bool model = options_.real == nullptr;
  if (model) {
    const auto left = unsettled(kind_, database_, *world_);
    if (!left.empty()) violate(fmt::format("never loaded: {}", fmt::join(left, ", ")));
  }
  const auto commits = database_.commits.size();
  const auto notes = database_.cycles.size();
  const auto report = loader.run({});
  if (ended_ || !report) return;
  if (report->outcome != Outcome::nothing_new || report->exit != ExitCode::done)
    violate("the last cycle does not end with nothing new");
  if (loader.reads() != 0) violate("an idle cycle reads");
  if (!model) return;
  if (database_.commits.size() != commits) violate("an idle cycle commits");
  const bool noted = database_.cycles.size() != notes;
  if (noted && !database_.cycles.back().full_listing) violate("an idle cycle writes a note");
}

void Simulation::step(std::size_t loader, const char* what) {
  if (!step_quietly(loader, what)) throw Killed{};
}

bool Simulation::step_quietly(std::size_t loader, const char* what) {
  ++result_.steps;
  mix(result_.digest, loader + 1);
  for (const char* c = what; *c != 0; ++c) mix(result_.digest, static_cast<unsigned char>(*c));
  note(loader, what);
  if (ended_) return false;
  if (alone_) return true;
  if (options_.script != nullptr) {
    const auto next = options_.script->next(loader, what, baton_.ready());
    ended_ = ended_ || !next;
    if (next) baton_.hand_over(loader, *next);
    return !ended_;
  }
  Loader& me = *loaders_[loader];
  if (me.dying) return false;
  move_world();
  if (strikes(Fault::clock_jumps))
    me.clock_error = std::chrono::hours(24) * (static_cast<int>(draw_.below(3)) - 1);
  if (strikes(Fault::crash)) {
    ++result_.kills;
    note(loader, "is killed");
    me.dying = true;
    return false;
  }
  baton_.hand_over(loader, choose(loader));
  return !ended_;
}

void Simulation::move_world() {
  world_->now += std::chrono::seconds(draw_.below(90));
  if (world_->done() || !draw_.one_in(12)) return;
  const std::string words = world_->act();
  mix(result_.digest, words.size());
  if (options_.log) result_.log.push_back("           the world: " + words);
}

// Who goes on: mostly the same loader, a paused one only when no other can.
std::size_t Simulation::choose(std::size_t loader) {
  if (baton_.ready().size() == 1) return loader;
  if (strikes(Fault::pause)) loaders_[loader]->paused = true;
  std::vector<std::size_t> others;
  for (const std::size_t i : baton_.ready()) {
    if (!loaders_[i]->paused) others.push_back(i);
  }
  if (others.empty()) return loader;
  if (!loaders_[loader]->paused && !draw_.one_in(stays_)) return loader;
  return others[draw_.below(others.size())];
}

bool Simulation::strikes(Fault fault) {
  return !alone_ && draw_.per_mille(rates_[static_cast<std::size_t>(fault)]);
}

Time Simulation::now(std::size_t loader) { return world_->now + loaders_[loader]->clock_error; }

void Simulation::violate(std::string what) {
  note(0, "VIOLATION: " + what);
  if (!result_.violation) result_.violation = std::move(what);
  ended_ = true;
}

void Simulation::note(std::size_t loader, const std::string& what) {
  if (options_.log)
    result_.log.push_back(fmt::format("{:6} loader {}: {}", result_.steps, loader, what));
}

// Checked whenever something has become durable.
void Simulation::committed(const Batch& batch) {
  ++result_.commits;
  if (options_.log) {
    std::string units;
    for (const UnitEntry& unit : batch.units)
      units += fmt::format(" {} {} ({})", unit.unit, to_string(unit.state), unit.version);
    result_.log.push_back(fmt::format("           commit {}:{}", batch.commit_no, units));
  }
  const std::size_t commits = database_.commits.size();
  if (database_.commit_no() != static_cast<std::int64_t>(commits))
    violate(fmt::format("commit {} is the {}th", database_.commit_no(), commits));
  std::set<std::pair<std::string, std::string>> applied;
  for (const auto& [unit, commit_no] : database_.units) {
    const std::string version = on_rewrite_ == OnRewrite::warn ? "" : unit.version;
    if (unit.state == UnitState::applied && !applied.emplace(unit.unit, version).second)
      violate(unit.unit + " was applied twice");
  }
  const Tables expected = expected_tables(kind_, on_rewrite_, database_, *world_);
  const Tables found = tables_of(database_);
  if (expected != found) violate("the tables are wrong:" + difference(expected, found));
}

}  // namespace forebay::sim
