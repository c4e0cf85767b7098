#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim/ready_files.h"
#include "target/batch.h"
#include "target/ledger.h"

namespace forebay::sim {

struct ModelRow {
  Cells cells;  // of the table's columns, in their order
  std::int64_t file = 0;
};

// A key's columns as one text, which no other key has.
std::string key_text(const std::vector<Column>& columns, const std::vector<std::string>& key,
                     const Cells& cells);

struct ModelTable {
  std::vector<Column> columns;
  std::vector<std::string> key;
  std::vector<ModelRow> rows;
  std::map<std::string, std::int64_t> gone;  // key → the file that deleted it
};

// All that is durable: tables and ledger, as plain data. One pipeline.
struct ModelDatabase {
  template <class Entry>
  struct Logged {
    Entry entry;
    std::int64_t commit_no = 0;
  };
  struct Commit {
    std::int64_t commit_no = 0;
    Time decided_at{};
    std::string mark, mark_name, mark_place;
    std::optional<Time> mark_time;
    std::int64_t last_file_id = 0;
  };
  struct Clear {
    TableName table;
    std::string place;
    std::int64_t below_file = 0;
  };

  std::map<TableName, ModelTable> tables;
  std::vector<Commit> commits;
  std::vector<Logged<UnitEntry>> units;
  std::vector<Logged<FileEntry>> files;
  std::vector<Clear> clears;
  std::set<std::int64_t> retracted;
  std::vector<Fact> facts;
  std::vector<DocumentEntry> documents;
  std::vector<CycleNote> cycles;

  std::int64_t commit_no() const { return commits.empty() ? 0 : commits.back().commit_no; }
  bool is_live(const FileEntry& file) const;
  std::string cleared_place(const TableName& table) const;
};

// What the ledger says, as Target's methods of these names do.
LedgerHead head_of(const ModelDatabase& database);
std::vector<KnownUnit> known_in(const ModelDatabase& database,
                                const std::vector<std::string>& names);

}  // namespace forebay::sim
