#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "target/ledger.h"

namespace forebay {

// What `verify` asks a target and what `reset` tells it.

// A key as a full listing of the source shows it.
struct ListedKey {
  std::string store_key;  // as the ledger keeps it
  std::string version;
};

// A live file that is not in the store as it was loaded.
struct FileDifference {
  FileEntry file;
  bool gone = false;  // else: there, with another version
};

// The rows of one file, as the ledger has them and as they stand.
struct FileRows {
  std::int64_t file_id = 0;  // 0: rows without a file
  std::string unit;
  std::string store_key;
  std::uint64_t recorded = 0;
  std::uint64_t found = 0;
};

// A table against the ledger.
struct TableAudit {
  bool exists = false;
  std::uint64_t rows = 0;
  std::optional<std::uint64_t> recorded;  // that stood after the last commit that touched it
  std::vector<FileRows> wrong;            // asked for per file: those that differ
};

// What a table holds, whatever the order of its rows: equal tables have equal fingerprints.
struct TableFingerprint {
  std::uint64_t rows = 0;
  std::string hash;

  bool operator==(const TableFingerprint&) const = default;
};

// Forgetting what the ledger says, of a whole pipeline or of some of its tables. Entries stay; what
// they say counts no longer.
struct Reset {
  std::string pipeline;
  std::int64_t commit_no = 0;  // the fence: the head's plus one
  Time decided_at{};
  bool whole = true;              // else only `tables`
  std::vector<TableName> tables;  // all that the pipeline has, when whole
  bool drop_tables = false;
};

}  // namespace forebay
