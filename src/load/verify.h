#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "load/pipeline.h"
#include "load/progress.h"

namespace forebay {

// Reconciles three things that must agree: what is in the store, what the ledger says, and what
// stands in the tables.

struct Difference {
  enum class Kind {
    never_loaded,  // a unit in the store that the ledger does not know
    gone,          // a file that was loaded and is no longer in the store
    changed,       // one that is there with another version
    missing,       // a table that the ledger knows and the database lacks
    rows,          // a table, or what stands of one file in it, has other rows than the ledger says
    content,       // a table holds something else than its files say (deep)
    unreadable,    // deep: what was loaded cannot be read again
  };
  Kind kind;
  std::string object;  // key or table
  std::string detail;  // one clause for people
};
std::string_view to_string(Difference::Kind kind);

struct Verification {
  std::uint64_t keys_listed = 0;
  std::uint64_t units_waiting = 0;      // seen and not to be loaded yet
  std::uint64_t units_quarantined = 0;  // refused, and known to be
  std::uint64_t tables = 0;
  std::uint64_t rows = 0;
  std::uint64_t gone = 0;  // files that whoever delivers deletes (`kept: false`): no difference
  std::vector<Difference> differences;
  bool more = false;  // there are more differences than are listed
};

// Lists all of the source and counts all rows of the tables. `scratch`, when given, is an empty
// target: all that was loaded is read again and loaded there, and each table compared with its
// twin. Errors are those of store and targets; differences are none.
Result<Verification> verify(const Pipeline& pipeline, Target* scratch, Clock& clock,
                            Progress& progress);

}  // namespace forebay
