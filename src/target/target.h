#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "engine/engine.h"

namespace forebay {

struct TableName {
  std::string schema;
  std::string name;

  std::string display() const { return schema + "." + name; }
  auto operator<=>(const TableName&) const = default;
};

// What a target can promise; `check` prints it, and a pipeline that needs more is refused.
struct TargetPromises {
  std::string name;             // "DuckDB v2.0.0"
  bool atomic = true;           // rows and ledger are one transaction
  bool many_units = true;       // several units may share one transaction
  bool concurrent_readers = false;  // others may read while a load runs
};

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
};

// A pipeline's state at the beginning of a cycle. `commit_no` is the fence: apply() inserts the next
// one first, so whoever planned on an older state fails there.
struct LedgerHead {
  std::int64_t commit_no = 0;      // 0: this pipeline never committed
  std::string mark;                // as text with type: "name 20261020T141502Z.json"
  std::string mark_name;           // the unit the mark stands at
  std::string mark_place;          // greatest place ever applied
  std::optional<Time> mark_time;   // the time in the mark's name: where a listing may start
  std::int64_t next_file_id = 1;
  std::optional<Time> last_full_listing;
  std::optional<CycleNote> last_cycle;
  std::vector<Fact> facts;         // the newest value of each

  const std::string* fact(std::string_view name, std::string_view subject = {}) const;
};

// A table as it stands.
struct TableState {
  bool exists = false;
  std::vector<Column> columns;  // without `_forebay_file`
  std::string owner;            // the pipeline that made it; empty: nobody we know
  std::string cleared_place;    // greatest place at which a snapshot cleared it; empty: never
  std::uint64_t rows = 0;
};

// Files of a table whose unit comes after a place: what a late row has to be compared with.
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
  std::string place;  // of its unit in the order; empty in feeds without order
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
};

// What a batch does to one table, in this order: create or alter, clear, delete, insert.
struct TableChange {
  TableName table;
  bool create = false;
  std::vector<Column> columns;                // the table's columns afterwards
  std::vector<Column> added;                  // of an existing table
  std::vector<Column> retyped;                // of an existing table, with the new type
  std::vector<std::string> key;

  // A clear at `clear_place`: rows and tombstones decided before it go.
  bool clear = false;
  std::string clear_place;
  std::int64_t clear_rank = 0;
  std::int64_t clear_below_file = 0;  // in feeds without places: files with smaller ids are cleared

  Delta delta;
  std::vector<std::pair<std::int64_t, std::int64_t>> newer;  // file id, rank: decided after some of
                                                             // this batch; empty: nothing to compare
  std::vector<std::int64_t> retract;  // files whose rows and tombstones go first
};

struct Batch {
  std::string pipeline;
  std::int64_t commit_no = 0;  // the fence: the head's plus one
  Time decided_at{};
  std::string mark;
  std::string mark_name;
  std::string mark_place;
  std::optional<Time> mark_time;
  std::int64_t last_file_id = 0;  // the greatest ever given out, this batch included
  double seconds = 0;          // since the batch was begun
  std::vector<TableChange> tables;
  std::vector<UnitEntry> units;
  std::vector<FileEntry> files;
  std::vector<Fact> facts;     // those that are new or changed
};

struct TableCounts {
  std::uint64_t inserted = 0;
  std::uint64_t updated = 0;
  std::uint64_t deleted = 0;
  std::map<std::string, std::uint64_t> ignored;  // by reason: "older", "unknown_key", …
  std::uint64_t rows_after = 0;
};

struct Applied {
  std::map<std::string, TableCounts> tables;  // by display name
};

// One table's part of the ledger, for verify.
struct LedgerTable {
  TableName table;
  std::uint64_t rows_now = 0;
  std::optional<std::uint64_t> rows_after_last_commit;
};

// The seam to the database that receives tables and ledger. There is no "insert rows" and no "mark
// as done": apply() alone writes, and what it writes carries its ledger entries.
//
// Thread rule: one thread, one cycle; close() (or destruction) ends it, so that others can query in
// between. Errors: busy (another loader holds it), denied, damaged (not a database), unavailable
// (disk full, connection lost), internal.
class Target {
 public:
  virtual ~Target() = default;

  virtual TargetPromises promises() const = 0;
  virtual std::string display() const = 0;
  virtual std::string default_schema() const = 0;
  virtual Engine& engine() = 0;

  virtual Result<LedgerHead> head(const std::string& pipeline) = 0;

  // The newest row of each unit whose name is among `names` (sorted, at most
  // limits::kKnownBatch). Units that the ledger does not know are simply absent.
  virtual Result<std::vector<KnownUnit>> known(const std::string& pipeline,
                                               const std::vector<std::string>& names) = 0;

  virtual Result<std::vector<TableState>> describe(const std::string& pipeline,
                                                   const std::vector<TableName>& tables) = 0;

  // Files of a table, ever applied and not taken back, whose unit's place is greater than `place`.
  virtual Result<std::vector<PlacedFile>> files_after(const std::string& pipeline,
                                                      const TableName& table,
                                                      const std::string& place) = 0;

  // The entries of a table's live files whose unit's place is at least `from` and below `before`, in
  // the order in which they act.
  virtual Result<std::vector<FileEntry>> live_files(const std::string& pipeline,
                                                    const TableName& table, const std::string& from,
                                                    const std::string& before) = 0;

  // A relation of the engine with the keys, of table and tombstones, that these files decided last.
  // It stands until the engine's release().
  virtual Result<std::string> keys_decided_by(const TableName& table,
                                              const std::vector<std::string>& key,
                                              const std::vector<std::int64_t>& files) = 0;

  // The ledger entries of a unit's files, newest version of the unit only.
  virtual Result<std::vector<FileEntry>> files_of(const std::string& pipeline,
                                                  const std::string& unit) = 0;

  // Whether a column holds any value: one that does not may still change its type.
  virtual Result<bool> column_is_all_null(const TableName& table, const std::string& column) = 0;

  // Writes all of the batch or nothing. busy: another loader took the commit number;
  // commit_unknown: COMMIT reported an error; the target refuses all further work until reopen(),
  // after which the ledger tells. Every other error: nothing was written.
  virtual Result<Applied> apply(const Batch& batch) = 0;
  virtual Status reopen() = 0;

  // Adds a row to `cycles`: after a full listing, or when the outcome changed. Nothing else.
  virtual Status note_cycle(const std::string& pipeline, const CycleNote& note) = 0;

  // Units newest first, for status and history; `states` empty: all.
  struct HistoryQuery {
    std::vector<UnitState> states;
    std::size_t limit = 0;  // 0: all
    std::optional<Time> since;
  };
  struct HistoryRow {
    KnownUnit unit;
    double seconds = 0;  // of the commit that it was part of
  };
  virtual Result<std::vector<HistoryRow>> history(const std::string& pipeline,
                                                  const HistoryQuery& query) = 0;
};

}  // namespace forebay
