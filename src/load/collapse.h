#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "load/evolve.h"
#include "load/fetch.h"
#include "load/pipeline.h"
#include "load/retake.h"
#include "load/splice.h"
#include "load/window.h"
#include "target/target.h"

namespace forebay {

// What the files of many units mean for the tables: the one place where a feed's semantics become
// rows. The rule of conflict: a row acts only if it is newer than what decided its key last; newer
// is (unit in the order, file in the unit, row in the file), after the terms of a version where
// rows have one.
struct Collapsed {
  std::vector<TableChange> tables;  // their deltas live in the target's engine until release()
  SharedFiles shared;               // that the deltas may still be read from
  std::vector<FileEntry> files;
  std::int64_t last_file_id = 0;
  std::vector<CollapseRequest> read;  // of the tables above, to explain an error with
  Births births;                      // of the tables above, once they are written
  std::vector<Fact> facts;            // that these files showed
  // A second value where one is allowed for ever (refused): the feed stops, even one without order,
  // until a person decides.
  std::optional<Error> foreign;
  std::vector<std::string> warnings;
  // Of a window:
  std::optional<TimeMark> reached;  // the greatest time of its rows, unless it lies in the future
  std::uint64_t kept = 0;           // rows of its files that belong to it
};

// Units in their order, whole and verified. `retake`: of a single unit that replaces its former
// self, else empty. `window`: of feeds whose unit is one. `states`: of table_names(units, retake),
// one each. `births`: of this cycle so far. drift, refused, damaged as evolve() and the engine say.
Result<Collapsed> collapse(const Pipeline& pipeline, const LedgerHead& head,
                           const std::vector<const LoadedUnit*>& units, const Retake& retake,
                           const WindowState& window, std::vector<TableState> states,
                           const Births& births);

// The tables that units touch or touched, sorted.
std::vector<TableName> table_names(const Pipeline& pipeline,
                                   const std::vector<const LoadedUnit*>& units,
                                   const Retake& retake);

}  // namespace forebay
