#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "load/batches.h"
#include "load/collapse.h"
#include "load/mark.h"
#include "load/pipeline.h"
#include "load/progress.h"
#include "load/report.h"
#include "load/suspects.h"
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
  struct Work {
    Time now;               // the cycle's one clock reading
    MarkLimits limits;      // what holds the mark from the beginning
    std::size_t total = 0;  // units that are due
    bool whole = true;      // nothing else is waiting that belongs to the same window
    WindowState window;
  };
  // `births`: of the whole cycle, which may apply in several passes.
  Applier(const Pipeline& pipeline, LedgerHead& head, Births& births, Work work, Clock& clock,
          Progress& progress, CycleReport& report)
      : pipeline_(pipeline),
        head_(head),
        births_(births),
        work_(std::move(work)),
        now_(work_.now),
        clock_(clock),
        progress_(progress),
        report_(report),
        suspects_(pipeline) {}

  // False: the cycle ends here, and the report says why.
  bool apply(FetchedBatch batch);

  // Deletes the rows that the pipeline no longer keeps, if there are any.
  Status expire();
  // Writes decisions on units that are not read, and what documents speak of, if there are any.
  bool record(std::vector<UnitEntry> entries, std::vector<DocumentEntry> documents);

  // Units that were applied or decided on otherwise, the one that failed among them: all others
  // wait.
  std::size_t decided() const { return decided_; }

 private:
  using Units = std::vector<const LoadedUnit*>;

  bool apply_units(const Units& units);
  bool apply_halves(const Units& units);
  Status apply_once(const Units& units);
  Result<Collapsed> collapse_units(const Units& units, const Retake& retake);
  void release();
  bool replaces(const LoadedUnit& unit) const;
  Status settle_copies(Units& due, std::vector<UnitEntry>& entries) const;
  bool goes_alone(const LoadedUnit& unit) const;
  Result<Retake> retake_for(const Units& due);
  Status settle_rewrites(const Units& units, Units& due, std::vector<UnitEntry>& entries);
  Result<bool> brings_the_same_rows(const LoadedUnit& unit);
  void pass_over(const LoadedUnit& unit, std::vector<UnitEntry>& entries);
  // `settled`: the units that are decided on with this batch, applied or not.
  Status write(const Units& units, const Units& settled, Collapsed collapsed,
               std::vector<UnitEntry> entries, std::vector<DocumentEntry> documents = {});
  Result<bool> ledger_has(const Units& units, std::int64_t after) const;
  Status look_after_unknown(const Units& units, const Error& error);
  bool handle(const LoadedUnit& unit, const Error& error);
  bool quarantine(const LoadedUnit& unit, const Error& error);
  void count(const Units& units, const Applied& applied);
  void warn(std::string text);

  const Pipeline& pipeline_;
  LedgerHead& head_;
  Births& births_;
  Work work_;
  const Time now_;
  Clock& clock_;
  Progress& progress_;
  CycleReport& report_;
  Suspects suspects_;
  std::size_t decided_ = 0;
  std::size_t deciding_ = 0;       // units of the transaction that is being written
  std::set<std::string> stopped_;  // scopes of an ordered feed in which a unit has failed
  bool cycle_error_ = false;       // the last error is about the pipeline, not about one unit
  bool foreign_ = false;  // the last error is about data of somebody else: the feed stops there
};

// Puts an error into the report; the most serious one stays.
void add_error(CycleReport& report, const Error& error);

}  // namespace forebay
