#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/error_text.h"
#include "base/clock.h"
#include "base/result.h"
#include "target/ledger.h"
#include "target/target.h"

namespace forebay {

// Where a pipeline stands by its ledger, as it was read at one moment.
struct PipelineStatus {
  std::optional<KnownUnit> newest;  // the unit that the mark stands at, else the one applied last
  std::vector<KnownUnit> quarantined;
  std::optional<CycleNote> last_cycle;
  std::int64_t waiting = 0;         // as the last noted cycle found, or as listed since
  std::optional<std::int64_t> due;  // when the store was asked too
  std::optional<Duration> stale_after;

  // A unit cannot be newer than the moment at which it was loaded, whatever its document says.
  std::optional<Time> newest_time() const;
  std::optional<Duration> age(Time now) const;
  bool stale(Time now) const;
};

// Errors: those of Target. Writes nothing, and asks no store.
Result<PipelineStatus> read_status(Target& target, const std::string& pipeline,
                                   std::optional<Duration> stale_after);

// One pipeline's part of the document that `status --json` prints, as of `now`. The keys are
// public.
Json status_json(const std::string& pipeline, const std::string& feed, const PipelineStatus& status,
                 Time now);

}  // namespace forebay
