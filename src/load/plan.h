#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "feed/unit.h"
#include "load/pipeline.h"
#include "load/window.h"
#include "store/object_store.h"
#include "target/target.h"

namespace forebay {

// Why a unit is or is not due.
enum class Standing {
  fresh,        // never seen, after everything applied
  late,         // never seen, but its place is below the mark
  changed,      // known, with other content under the same name
  retry,        // quarantined or failed before, and asked for again
  waiting,      // not yet: a gate, or a name in the future
  applied,      // in the ledger as it is
  quarantined,  // refused before, same version
  settled,      // dropped or ignored before, same version
};
std::string_view to_string(Standing standing);

// Where a name stands among those of a feed without order (load/mark.h).
struct MarkPoint {
  std::optional<Time> time;
  std::string name;

  auto operator<=>(const MarkPoint&) const = default;
};

struct PlannedUnit {
  UnitName name;
  ObjectInfo object;  // the one that stands for the unit: of several documents the newest
  Standing standing = Standing::fresh;
  std::string why;  // one clause for people: "below the mark 2026…, its place decides"
  std::optional<KnownUnit> known;
  std::vector<std::string> only_tables;  // not empty: its other tables have its rows already
  // Waits only until the object is old enough: so long from now.
  std::optional<Duration> settles_in;
  std::string passed_over;  // why its content is not needed: it is recorded and not read

  // Of units that are known by what their documents say (load/identify.h).
  std::string version;                         // of the unit; empty: the object's
  std::shared_ptr<const UnitContent> content;  // as it was read; null: not read yet
  std::vector<DocumentEntry> documents;        // that speak of it, recorded with it
  std::optional<Error> error;                  // it cannot be read
  std::string scope;                           // what stops when it fails
  std::vector<std::string> within;             // it stops when one of these does
  bool holds = true;                           // waiting, it holds back what comes after it
  std::vector<UnitEntry> superseded;           // older units, recorded with it
  std::vector<UnitEntry> joined;               // other pieces of it (load/pieces.h)
  std::vector<FileEntry> taken_back;           // files that it no longer has

  bool due() const {
    return standing == Standing::fresh || standing == Standing::late ||
           standing == Standing::changed || standing == Standing::retry;
  }
};

// Whether one of the scopes in which a unit lies is among these.
bool is_within(const PlannedUnit& unit, const std::set<std::string>& scopes);

// What discover found: the units that are due or wait, in the order in which they act, and how it
// looked. Units that are applied are only counted.
struct Discovery {
  std::vector<ListRange> scopes;
  bool full = false;  // everything the feed could name was listed
  std::uint64_t keys_listed = 0;
  std::uint64_t already_applied = 0;
  std::uint64_t quarantined_before = 0;
  std::uint64_t not_data = 0;  // keys that are no unit of this feed
  std::vector<std::string> not_data_examples;
  std::uint64_t before_start = 0;  // units dated before `start`
  std::vector<PlannedUnit> units;
  std::vector<std::string> warnings;
  std::optional<MarkPoint> settled_before;  // the greatest unit that was settled already
  ListedFiles listed;                       // feeds whose unit is a window
  // What the ledger should know although nothing is loaded: units that are decided on without
  // reading their files, and documents that say nothing new.
  std::vector<UnitEntry> decided;
  std::vector<DocumentEntry> documents;
  std::vector<DocumentEntry> listed_documents;  // all as they are now, their units not told
};

// One statement that load would run, and the table it is for.
struct PlannedStatement {
  std::string table;
  std::string sql;
};

// The answer to `forebay plan`: writes nothing anywhere.
struct Plan {
  std::string pipeline;
  Discovery discovery;
  struct Unit {
    PlannedUnit unit;
    std::string kind;
    std::uint64_t files = 0;
    // Nothing: only the files themselves tell.
    std::optional<std::uint64_t> rows;
    std::optional<std::uint64_t> bytes;
  };
  std::vector<Unit> units;
  std::vector<PlannedStatement> statements;  // in the order in which they would run
  RequestCounts made;                        // by planning itself
  // By the load that would follow, as far as it repeats nothing and reads nothing of old again; and
  // the bytes of the files that say how many they have.
  RequestCounts expected;
  std::uint64_t expected_bytes = 0;
  std::vector<std::string> warnings;
};

}  // namespace forebay
