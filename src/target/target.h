#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "engine/engine.h"
#include "target/audit.h"
#include "target/batch.h"
#include "target/ledger.h"

namespace forebay {

enum class TargetMode {
  read,  // looks only: creates nothing, and a database that is not there reads as empty
  write,
};

// What a target can promise; `check` prints it, and a pipeline that needs more is refused.
struct TargetPromises {
  std::string name;                 // "DuckDB v2.0.0"
  bool atomic = true;               // rows and ledger are one transaction
  bool many_units = true;           // several units may share one transaction
  bool concurrent_readers = false;  // others may read while a load runs
  // What it does not do yet: a pipeline that needs it is refused before it loads.
  bool fingerprints = true;  // `verify --deep`
  // Columns that a table can have, our own among them; nothing: no limit is known.
  std::optional<std::size_t> max_columns = {};
};

// A table as it stands.
struct TableState {
  bool exists = false;
  std::vector<Column> columns;  // without our own
  std::vector<Column> version;  // the fields of `_forebay_version`, where it has that column
  bool has_history = false;     // `<table>__history` exists
  std::vector<Column> history_columns;  // without our own
  // column → its exact name in files, where they differ; filled in from the ledger's facts
  std::map<std::string, std::string> names;
  std::string owner;          // the pipeline that made it; empty: nobody we know
  std::string cleared_place;  // greatest place at which a snapshot cleared it; empty: never
  std::vector<std::string> snapshots;  // with a history: all places at which one cleared it
  std::uint64_t rows = 0;
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

  // The same for files by their store_key, where units are not named after files.
  virtual Result<std::vector<KnownFile>> known_files(
      const std::string& pipeline, const TableName& table,
      const std::vector<std::string>& store_keys) = 0;

  // The newest entry of each document whose key is among `keys` (sorted, as above).
  virtual Result<std::vector<DocumentEntry>> known_documents(
      const std::string& pipeline, const std::vector<std::string>& keys) = 0;

  // Of each part that units named, and each of their kinds, the newest unit that was applied.
  virtual Result<std::vector<AppliedPart>> newest_of_parts(const std::string& pipeline) = 0;

  // The live files of a table that came with units which cleared this part.
  virtual Result<std::vector<FileEntry>> files_of_part(const std::string& pipeline,
                                                       const TableName& table,
                                                       const std::string& part) = 0;

  // The live files of a unit, whenever they came.
  virtual Result<std::vector<FileEntry>> live_files_of(const std::string& pipeline,
                                                       const std::string& unit) = 0;

  virtual Result<std::vector<TableState>> describe(const std::string& pipeline,
                                                   const std::vector<TableName>& tables) = 0;

  // Files of a table, ever applied, whose unit's place is `place` or greater.
  virtual Result<std::vector<PlacedFile>> files_from(const std::string& pipeline,
                                                     const TableName& table,
                                                     const std::string& place) = 0;

  // The entries of a table's live files whose unit's place is at least `from` and below `before`
  // (empty: all above), in the order in which they act.
  virtual Result<std::vector<FileEntry>> live_files(const std::string& pipeline,
                                                    const TableName& table, const std::string& from,
                                                    const std::string& before) = 0;

  // A relation of the engine with the keys that these files decided last, in table and tombstones,
  // and those of which a history has their rows. It stands until the engine's release().
  virtual Result<std::string> keys_decided_by(const TableName& table,
                                              const std::vector<std::string>& key,
                                              const std::vector<std::int64_t>& files) = 0;

  // The files of which rows stand in a table, as far as their time lies in `range`.
  virtual Result<std::vector<StandingFile>> standing_files(
      const std::string& pipeline, const TableName& table,
      const std::optional<TimeRange>& range) = 0;

  // Whether any row of a table has expired.
  virtual Result<bool> any_expired(const std::string& pipeline, const TableName& table,
                                   const Expiry& expiry) = 0;

  // The ledger entries of a unit's files, newest version of the unit only.
  virtual Result<std::vector<FileEntry>> files_of(const std::string& pipeline,
                                                  const std::string& unit) = 0;

  // For each of these checksums that a live file has: the unit that brought it first.
  virtual Result<std::map<std::string, std::string>> units_with(
      const std::string& pipeline, const std::vector<std::string>& checksums) = 0;

  // Whether a column holds any value: one that does not may still change its type.
  virtual Result<bool> column_is_all_null(const TableName& table, const std::string& column) = 0;

  // Whether a relation of the engine has exactly the rows that stand of these files, each as often,
  // in these columns.
  virtual Result<bool> has_rows(const TableName& table, const std::vector<std::int64_t>& files,
                                const std::string& relation,
                                const std::vector<std::string>& columns) = 0;

  // Writes all of the batch or nothing. busy: another loader took the commit number;
  // commit_unknown: COMMIT reported an error; the target refuses all further work until reopen(),
  // after which the ledger tells. Every other error: nothing was written.
  virtual Result<Applied> apply(const Batch& batch) = 0;
  virtual Status reopen() = 0;

  // Adds a row to `cycles`: after a full listing, or when the outcome changed. Nothing else.
  virtual Status note_cycle(const std::string& pipeline, const CycleNote& note) = 0;

  // Units newest first, for status and history; `states` empty: all decisions. Of a state that is
  // not `applied` only units whose newest decision it is.
  struct HistoryQuery {
    std::vector<UnitState> states = {};
    std::size_t limit = 0;  // 0: all
    std::optional<Time> since = {};
  };
  struct HistoryRow {
    KnownUnit unit;
    double seconds = 0;  // of the commit that it was part of
  };
  virtual Result<std::vector<HistoryRow>> history(const std::string& pipeline,
                                                  const HistoryQuery& query) = 0;

  // What a full listing shows is handed over in parts; then the pipeline's live files are compared
  // with it, at most `most` differences. The parts stand until the next begin_listing().
  virtual Status begin_listing() = 0;
  virtual Status add_listing(const std::vector<ListedKey>& keys) = 0;
  virtual Result<std::vector<FileDifference>> compare_listing(const std::string& pipeline,
                                                              std::size_t most) = 0;

  // A table against the ledger; `per_file` where rows only append, at most `most` differences.
  virtual Result<TableAudit> audit(const std::string& pipeline, const TableName& table,
                                   bool per_file, std::size_t most) = 0;
  // What a table holds in these columns; one that it lacks counts as null. Comparable between
  // targets of one kind and version only.
  virtual Result<TableFingerprint> fingerprint(const TableName& table,
                                               const std::vector<Column>& columns) = 0;

  // Errors as of apply(); commit_unknown: run it again.
  virtual Status reset(const Reset& reset) = 0;
};

}  // namespace forebay
