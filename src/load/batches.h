#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/executor.h"
#include "load/cycle.h"
#include "load/fetch.h"
#include "load/pipeline.h"
#include "load/progress.h"

namespace forebay {

// A unit that could not be read or verified.
struct FailedUnit {
  PlannedUnit planned;
  UnitContent content;  // as far as it was read
  Error error;
};

// Units that may share a transaction, whole and verified, in their order.
struct FetchedBatch {
  std::vector<LoadedUnit> units;
  std::vector<FailedUnit> failed;  // an ordered feed: nothing of their scopes comes after them
  std::size_t left = 0;            // units of the cycle that come after this batch
  bool empty() const { return units.empty() && failed.empty(); }
};

// Cuts the due units of a cycle into batches and fetches them. Touches the store only, never the
// target, so that the next batch can be fetched while one is applied. One thread at a time.
class BatchSource {
 public:
  BatchSource(const Pipeline& pipeline, std::vector<PlannedUnit> due, const CycleOptions& options,
              Executor& executor, Progress& progress);

  // The next batch; empty when none is left, or when an ordered feed has met a unit that failed.
  FetchedBatch next();

 private:
  void read_ahead();
  std::vector<LoadedUnit> cut();
  bool later_than_asked(const LoadedUnit& unit) const;

  const Pipeline& pipeline_;
  const CycleOptions& options_;
  Executor& executor_;
  Progress& progress_;
  std::vector<PlannedUnit> due_;
  std::size_t next_due_ = 0;

  struct Read {
    LoadedUnit unit;
    std::optional<Error> error;
  };
  std::vector<Read> ahead_;  // documents read, files not yet fetched
  std::size_t next_ahead_ = 0;
  bool ended_ = false;
  std::set<std::string> stopped_;  // scopes of an ordered feed in which a unit has failed

  void stop(const PlannedUnit& unit);
};

// Whether an error is about this unit alone, so that a feed without order may go on without it.
bool concerns_unit(ErrorCode code);

}  // namespace forebay
