#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace forebay {

// What the ledger says and is told, as plain data; docs/LEDGER.md explains the tables behind it.

struct TableName {
  std::string schema;
  std::string name;

  std::string display() const { return schema + "." + name; }
  auto operator<=>(const TableName&) const = default;
};

// Where `keep: both` has what happened to each key: a table beside its table.
inline TableName history_table(const TableName& table) {
  return {table.schema, table.name + "__history"};
}

// A fact of a pipeline or of one of its tables, as the ledger has it: "source", "feed", "key", …
struct Fact {
  std::string name;
  std::string subject;  // a table's display name; empty: the pipeline itself
  std::string value;

  bool operator==(const Fact&) const = default;
};

enum class UnitState { applied, quarantined, dropped, superseded, ignored };
std::string_view to_string(UnitState state);
// The state that is written so, or nothing.
std::optional<UnitState> unit_state(std::string_view text);

// The reason of an `ignored` unit whose files were found to hold the same bytes as before.
inline constexpr const char* kSameAgain = "the same files again";

// What the ledger knows of one unit: its newest row.
struct KnownUnit {
  std::string unit;
  std::string version;
  UnitState state = UnitState::applied;
  std::string place;
  std::string digest;
  std::string reason;
  std::string kind;
  std::int64_t commit_no = 0;
  std::int64_t files = 0;
  std::int64_t rows = 0;
  std::optional<Time> unit_time;
  Time decided_at{};
  // What known() alone tells: whether some version of it was applied, and which of its tables were
  // reset since, so that their files are due again.
  bool applied = false;
  std::vector<std::string> reset_tables = {};
};

// The last thing the ledger says about a pipeline's cycles.
struct CycleNote {
  Time finished_at{};
  std::string outcome;  // applied, nothing_new, failed
  int exit_code = 0;
  std::string message;
  bool full_listing = false;
  std::int64_t waiting = 0;
  std::int64_t list_requests = 0;
  std::string stopped_at;  // the unit at which an ordered feed stopped; else empty
};

// A pipeline's state at the beginning of a cycle. `commit_no` is the fence: apply() inserts the
// next one first, so whoever planned on an older state fails there.
struct LedgerHead {
  std::int64_t commit_no = 0;     // 0: this pipeline never committed
  std::string mark;               // as text with type: "name 20261020T141502Z.json"
  std::string mark_name;          // the unit the mark stands at
  std::string mark_place;         // greatest place ever applied
  std::optional<Time> mark_time;  // the time in the mark's name: where a listing may start
  std::int64_t next_file_id = 1;
  std::optional<Time> first_seen;            // when the ledger first says anything of this pipeline
  std::optional<CycleNote> last_full_cycle;  // the last one that listed all
  std::optional<CycleNote> last_cycle;
  std::vector<Fact> facts;  // the newest value of each

  const std::string* fact(std::string_view name, std::string_view subject = {}) const;
};

// A file of a table with the place of its unit: what a late row has to be compared with.
struct PlacedFile {
  std::int64_t file_id = 0;
  std::string place;
};

struct FileEntry {
  std::int64_t file_id = 0;
  std::string unit;
  std::string store_key;
  std::uint64_t size = 0;
  std::string etag;
  Time last_modified{};
  std::string checksum;
  TableName table;
  std::uint64_t rows = 0;
  std::string place;        // of its unit in the order; empty in feeds without order
  std::string fingerprint;  // what its document says about its bytes; empty: nothing
};

// The newest applied version of a file.
struct KnownFile {
  std::string store_key;
  std::string version;
  std::string checksum;
  std::int64_t file_id = 0;
  std::int64_t commit_no = 0;
};

// A file that rows of a table are of, and the newest version that the ledger has of it.
struct StandingFile {
  std::int64_t file_id = 0;
  std::string store_key;
  std::int64_t newest_id = 0;
};

struct UnitEntry {
  std::string unit;
  std::string version;
  std::string kind;
  UnitState state = UnitState::applied;
  std::int64_t files = 0;
  std::int64_t rows = 0;
  std::string reason;
  std::optional<Time> unit_time;
  std::string place;
  std::string digest;
  std::string part;  // the part of a table that it cleared; empty: none
};

// The newest applied unit of one kind in one part of a table.
struct AppliedPart {
  std::string part;
  std::string kind;
  std::string place;
  std::string unit;
};

// Which unit a version of a document spoke of, for units that are known by what documents say.
struct DocumentEntry {
  std::string key;  // of the document, below the source
  std::string version;
  std::string unit;
};

}  // namespace forebay
