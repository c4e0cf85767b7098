#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "store/object_store.h"
#include "target/target.h"

namespace forebay {

enum class Outcome { applied, nothing_new, failed };
std::string_view to_string(Outcome outcome);

struct UnitCounts {
  std::uint64_t applied = 0;
  std::uint64_t already_applied =
      0;  // seen in the listing and known; or found after an unknown commit
  std::uint64_t waiting = 0;
  std::uint64_t quarantined = 0;  // by this cycle
};

// A unit that is not loaded yet, and what it waits for.
struct WaitingUnit {
  std::string unit;
  std::string reason;
};

// A report names the first of them: what thousands wait for is nearly always one thing.
inline constexpr std::size_t kMostWaitingNamed = 100;

// What one cycle of one pipeline did, built from what was committed. `load --json` prints it.
struct CycleReport {
  std::string pipeline;
  std::string feed;
  Outcome outcome = Outcome::nothing_new;
  UnitCounts units;
  std::vector<WaitingUnit> waiting;  // at most kMostWaitingNamed of units.waiting
  std::uint64_t changed_since_applied = 0;
  std::uint64_t files = 0;
  std::uint64_t rows = 0;   // delivered by the units applied
  std::uint64_t bytes = 0;  // of the files that were read
  std::map<std::string, TableCounts> tables;
  RequestCounts requests;
  double seconds = 0;
  std::vector<std::string> warnings;
  std::string stopped_at;      // the unit at which an ordered feed stopped
  std::optional<Error> error;  // the most serious one
  ExitCode exit = ExitCode::done;
};

}  // namespace forebay
