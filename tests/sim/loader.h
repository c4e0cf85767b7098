#pragma once

#include <memory>
#include <optional>
#include <string>

#include "load/cycle.h"
#include "sim/sim_store.h"
#include "sim/sim_target.h"

namespace forebay::sim {

// The product's cycle over fakes: one process after another, each from nothing but the database.
class Simulation::Loader {
 public:
  Loader(Simulation& sim, std::size_t number, OnRewrite on_rewrite);

  // A process that runs one cycle. Nothing: it was killed.
  std::optional<CycleReport> run(const CycleOptions& options);

  std::uint64_t reads() const { return reads_; }

  bool dying = false;
  bool paused = false;
  Duration clock_error{};

 private:
  void check(const CycleReport& report, const SimTarget& target);

  Simulation& sim_;
  const std::size_t number_;
  const OnRewrite on_rewrite_;
  std::uint64_t reads_ = 0;  // of the last cycle that ended
};

}  // namespace forebay::sim
