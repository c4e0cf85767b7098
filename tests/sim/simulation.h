#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "load/cycle.h"
#include "load/report.h"
#include "sim/baton.h"
#include "sim/draw.h"
#include "sim/model_database.h"
#include "sim/model_target.h"
#include "sim/oracle.h"
#include "sim/world.h"

namespace forebay::sim {

// What can go wrong. A run draws which kinds it has, and how often, before it draws when.
enum class Fault : std::size_t {
  list_fails,
  list_lags,  // shows an earlier moment of the bucket, each page another one
  read_fails,
  read_damaged,
  target_fails,
  commit_unknown,  // written or not
  crash,
  pause,  // a loader stands still until others have finished
  clock_jumps,
  kinds,
};

// Loaders that are wrong on purpose: the simulator's own test.
enum class WrongLoader {
  none,
  records_first,     // writes the ledger, then the rows
  repeats_unknown,   // takes a failed COMMIT for one that did nothing, and does it again
  believes_unknown,  // takes a failed COMMIT for one that worked
  high_water_mark,   // takes all below its mark for loaded
  no_fence,          // does not mind that somebody else has committed
};

// A life in which nothing goes wrong and the bucket stands still; only the order of the loaders'
// steps is open. The seed says what is in the bucket.
struct Script {
  FeedKind kind = FeedKind::files;
  std::vector<CycleOptions> cycles;  // of loaders that run one each
  // Who makes the next step, asked by the one that stands before it; nothing: the life ends.
  std::function<std::optional<std::size_t>(std::size_t loader, const char* what,
                                           const std::vector<std::size_t>& ready)>
      next;
};

struct SimOptions {
  std::uint64_t seed = 0;
  const Script* script = nullptr;
  WrongLoader wrong = WrongLoader::none;
  std::string folder;      // for staging
  Target* real = nullptr;  // instead of the model
  bool exclusive = false;  // one loader at a time has the database, as with DuckDB
  bool log = false;
};

struct SimResult {
  std::optional<std::string> violation;
  std::uint64_t steps = 0;
  std::uint64_t commits = 0;
  std::uint64_t cycles = 0;
  std::uint64_t kills = 0;
  std::uint64_t digest = 0;          // of all that happened, in order
  std::vector<CycleReport> reports;  // of a script's loaders, in their order; those that were
                                     // killed have none
  Tables tables;                     // at the end, of the model
  ModelDatabase ledger;
  std::vector<std::string> log;
};

// One life of a pipeline: a bucket that changes, loaders that run, fail, die and start again, in an
// order drawn from the seed. After each commit the tables are compared with the oracle; at the end
// faults stop and everything must be loaded.
SimResult simulate(const SimOptions& options);

// Thrown through a loader that is killed.
struct Killed {};

// What the fakes of one run share. Whoever has the baton may use it.
class Simulation {
 public:
  explicit Simulation(const SimOptions& options);
  ~Simulation();
  SimResult run();

  // A call into a seam: the world moves, the loader may die (Killed), others may go on first.
  void step(std::size_t loader, const char* what);
  // The same on a thread that cannot be unwound: false, and the loader dies at its next step.
  bool step_quietly(std::size_t loader, const char* what);
  bool strikes(Fault fault);
  // Something that must hold does not: the run ends.
  void violate(std::string what);
  void note(std::size_t loader, const std::string& what);
  void committed(const Batch& batch);
  Time now(std::size_t loader);

  const SimOptions& options() const { return options_; }
  World& world() { return *world_; }
  Draw& draw() { return draw_; }
  ModelDatabase& database() { return database_; }
  FeedKind feed_kind() const { return kind_; }
  std::size_t page_size() const { return page_size_; }
  bool unordered() const { return unordered_; }

 private:
  class Loader;
  void draw_life();
  void draw_faults();
  void run_loaders();
  void run_script();
  void move_world();
  std::size_t choose(std::size_t loader);
  void converge();

  const SimOptions options_;
  Draw draw_;
  FeedKind kind_;
  OnRewrite on_rewrite_ = OnRewrite::warn;
  std::array<std::size_t, static_cast<std::size_t>(Fault::kinds)> rates_{};
  std::size_t page_size_ = 1000;
  bool unordered_ = false;
  std::size_t stays_ = 2;  // how many steps a loader makes before another one does, about
  std::unique_ptr<World> world_;
  ModelDatabase database_;
  Baton baton_;
  std::vector<std::unique_ptr<Loader>> loaders_;
  std::optional<std::size_t> holder_;  // of an exclusive database
  bool alone_ = false;                 // at the end: no baton, no faults
  bool ended_ = false;
  SimResult result_;
};

}  // namespace forebay::sim
