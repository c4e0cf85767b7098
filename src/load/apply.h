#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "load/batches.h"
#include "load/collapse.h"
#include "load/mark.h"
#include "load/pipeline.h"
#include "load/progress.h"
#include "load/report.h"
#include "target/target.h"

namespace forebay {

// Applies fetched batches, one transaction each, and writes what became of them into the report.
//
// A unit whose fault shows only while its rows are read is found by halving: the units before it
// are applied. An ordered feed then stops; a feed without order quarantines the unit and goes on.
// After a COMMIT that reported an error the ledger decides: what it has is counted, what it lacks
// is applied again, once.
class Applier {
 public:
  // `births`: of the whole cycle, which may apply in several passes. `limits`: what holds the mark
  // from the beginning.
  Applier(const Pipeline& pipeline, LedgerHead& head, Births& births, MarkLimits limits, Time now,
          Clock& clock, Progress& progress, CycleReport& report)
      : pipeline_(pipeline),
        head_(head),
        births_(births),
        limits_(std::move(limits)),
        now_(now),
        clock_(clock),
        progress_(progress),
        report_(report) {}

  // False: the cycle ends here, and the report says why.
  bool apply(FetchedBatch batch);

  // Units that were applied or decided on otherwise, the one that failed among them: all others
  // wait.
  std::size_t decided() const { return decided_; }

 private:
  using Units = std::vector<const LoadedUnit*>;

  bool apply_units(const Units& units);
  Status apply_once(const Units& units);
  Result<Collapsed> collapse_units(const Units& units, const Retake& retake);
  bool replaces(const LoadedUnit& unit) const;
  Status settle_rewrites(const Units& units, Units& due, std::vector<UnitEntry>& entries);
  // `settled`: the units that are decided on with this batch, applied or not.
  Status write(const Units& units, const Units& settled, Collapsed collapsed,
               std::vector<UnitEntry> entries);
  Status look_after_unknown(const Units& units, const Error& error);
  bool handle(const LoadedUnit& unit, const Error& error);
  bool quarantine(const LoadedUnit& unit, const Error& error);
  void count(const Units& units, const Applied& applied);
  void warn(std::string text);

  const Pipeline& pipeline_;
  LedgerHead& head_;
  Births& births_;
  MarkLimits limits_;
  const Time now_;
  Clock& clock_;
  Progress& progress_;
  CycleReport& report_;
  std::size_t decided_ = 0;
  bool cycle_error_ = false;  // the last error is about the pipeline, not about one unit
  bool foreign_ = false;      // the last error is about data of somebody else: the feed stops there
};

// Puts an error into the report; the most serious one stays.
void add_error(CycleReport& report, const Error& error);

}  // namespace forebay
