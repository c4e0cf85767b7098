#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "engine/engine.h"
#include "target/ledger.h"

namespace forebay {

// What apply() takes and tells: rows and ledger entries together, since there is no other way to
// write.

// A snapshot of a table that has a history: which keys it removed is decided anew when something
// below it changes.
struct SnapshotPlace {
  std::string place;
  std::int64_t rank = 0;     // among the places that are compared
  std::int64_t file_id = 0;  // its first file of the table
  bool fresh = false;        // it comes with this batch
};

// What a batch does to a table's history, before anything else.
struct HistoryChange {
  bool create = false;
  std::vector<Column> columns;  // afterwards, without our own
  std::vector<Column> added;
  std::vector<Column> retyped;
  std::string consecutive;  // version column whose gaps are counted; empty: none

  // In feeds with an order: the snapshots to decide anew, lowest first, the rank of the one before
  // them (or less), and all files from there on with the ranks of their places.
  std::vector<SnapshotPlace> snapshots;
  std::int64_t since_rank = -1;
  std::vector<std::pair<std::int64_t, std::int64_t>> places;
};

// What rows that may have been read before are compared with (Delta::Kind::add_missing). Rows of
// other files are other rows, however equal.
struct StoredMatch {
  std::optional<TimeRange> range;                              // of the rows read; absent: any
  std::vector<std::pair<std::int64_t, std::int64_t>> earlier;  // file id of an earlier version, of
                                                               // the version that is read
  std::vector<std::int64_t> gone;  // files that are no longer there: rows found again move
  // Columns that say something of the file and not of the row: they are not compared, and a row
  // that moves takes those of its new file.
  std::vector<std::string> of_file;
};

// Rows that are older than a table keeps, by their own time or by the time of their file.
struct Expiry {
  std::optional<TimeAxis> axis;  // absent: by the file's time
  std::int64_t before = 0;       // ticks of the axis, else microseconds since 1970
};

// What a batch does to one table, in this order: create or alter, clear, delete, insert.
struct TableChange {
  TableName table;
  bool create = false;
  std::vector<Column> columns;               // the table's columns afterwards
  std::vector<Column> added;                 // of an existing table
  std::vector<Column> retyped;               // of an existing table, with the new type
  std::map<std::string, std::string> names;  // column → its exact name in files, where they differ
  std::vector<std::string> key;
  RowOrder order;                // of the delta's rows; empty: places decide
  bool first_stays = false;      // a key that has a row keeps it, unless its place is later
  bool version_widened = false;  // the type of a term of the order changed
  std::optional<HistoryChange> history;

  // A clear at `clear_place`: rows and tombstones decided before it go.
  bool clear = false;
  std::string clear_place;
  std::int64_t clear_rank = 0;
  std::int64_t clear_below_file = 0;  // in feeds without places: files with smaller ids are cleared

  Delta delta;
  std::vector<std::pair<std::int64_t, std::int64_t>>
      newer;                          // file id, rank: decided after some of
                                      // this batch; empty: nothing to compare
  std::vector<std::int64_t> retract;  // files whose rows and tombstones go first
  StoredMatch match;                  // of a delta that adds what is missing
  std::optional<Expiry> expiry;       // without a delta: only that
  std::string generation;             // at the end rows with a lesser value in this column go
  // Of these files, rows that have the values of a standing row in these columns are that row again
  // and do not come in; one that lacks a value there is always new.
  struct Once {
    std::vector<std::string> columns;
    std::vector<std::int64_t> files;
  };
  Once once;
  // Files without a key, with their rows: exactly so many must stand in the table afterwards.
  std::vector<std::pair<std::int64_t, std::uint64_t>> counts;
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
  double seconds = 0;             // since the batch was begun
  std::vector<TableChange> tables;
  std::vector<UnitEntry> units;
  std::vector<FileEntry> files;
  std::vector<Fact> facts;  // those that are new or changed
  std::vector<DocumentEntry> documents;
};

struct TableCounts {
  std::uint64_t inserted = 0;
  std::uint64_t updated = 0;
  std::uint64_t deleted = 0;
  std::map<std::string, std::uint64_t> ignored;  // by reason: "older", "unknown_key", …
  std::uint64_t rows_after = 0;
  std::uint64_t holes = 0;  // rows replaced or deleted since the table was last compacted
  // Versions of its keys that are missing between others, where that is checked, and by how much
  // this batch changed that.
  std::optional<std::uint64_t> gaps;
  std::int64_t gaps_change = 0;
};

struct Applied {
  std::map<std::string, TableCounts> tables;  // by display name
};

}  // namespace forebay
