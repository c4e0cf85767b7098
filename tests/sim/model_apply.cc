// What apply() does to the model's tables and ledger.

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "sim/model_target.h"

namespace forebay::sim {
namespace {

std::unexpected<Error> wrong(const TableChange& change, const char* cause) {
  return fail({.code = ErrorCode::internal,
               .operation = "apply",
               .object = change.table.display(),
               .cause = cause});
}

class TableModel {
 public:
  TableModel(ModelTable& table, const ModelEngine& engine, const TableChange& change)
      : table_(table), engine_(engine), change_(change) {
    for (const auto& [file, rank] : change.newer) newer_[file] = rank;
  }

  Result<TableCounts> run();

 private:
  bool is_newer(std::int64_t file, std::int64_t rank) const {
    const auto found = newer_.find(file);
    return found != newer_.end() && found->second > rank;
  }
  template <class Goes>
  void erase(const Goes& goes) {
    counts_.deleted +=
        std::erase_if(table_.rows, [&](const ModelRow& row) { return goes(row.file); });
    std::erase_if(table_.gone, [&](const auto& gone) { return goes(gone.second); });
  }
  void add_columns();
  void put(const DeltaRow& row);
  Status count_rows() const;

  ModelTable& table_;
  const ModelEngine& engine_;
  const TableChange& change_;
  std::map<std::int64_t, std::int64_t> newer_;
  TableCounts counts_;
};

void TableModel::add_columns() {
  for (const Column& column : change_.added) {
    table_.columns.push_back(column);
    for (ModelRow& row : table_.rows) row.cells.emplace_back();
  }
}

void TableModel::put(const DeltaRow& row) {
  const std::string key = key_text(change_.columns, change_.key, row.cells);
  const auto stands = std::ranges::find_if(table_.rows, [&](const ModelRow& old) {
    return key_text(table_.columns, change_.key, old.cells) == key;
  });
  const auto gone = table_.gone.find(key);
  const bool decided = (stands != table_.rows.end() && is_newer(stands->file, row.rank)) ||
                       (gone != table_.gone.end() && is_newer(gone->second, row.rank));
  if (decided) {
    ++counts_.ignored["older"];
    return;
  }
  if (gone != table_.gone.end()) table_.gone.erase(gone);
  if (stands == table_.rows.end()) {
    if (row.removes) ++counts_.ignored["unknown_key"];
    if (!row.removes) ++counts_.inserted;
  } else {
    ++(row.removes ? counts_.deleted : counts_.updated);
    table_.rows.erase(stands);
  }
  if (row.removes) {
    table_.gone[key] = row.file;
  } else {
    table_.rows.push_back({row.cells, row.file});
  }
}

Status TableModel::count_rows() const {
  for (const auto& [file, rows] : change_.counts) {
    if (static_cast<std::uint64_t>(std::ranges::count(table_.rows, file, &ModelRow::file)) != rows)
      return wrong(change_, "a file has not the rows that it should have");
  }
  return {};
}

Result<TableCounts> TableModel::run() {
  if (change_.history || !change_.order.empty() || change_.first_stays || change_.expiry ||
      !change_.once.files.empty() || change_.delta.kind == Delta::Kind::add_missing)
    return wrong(change_, "the model target does not do this");
  if (!change_.create) add_columns();
  if (table_.columns != change_.columns) return wrong(change_, "columns that do not add up");
  if (!change_.retract.empty()) {
    erase([&](std::int64_t file) {
      return std::ranges::find(change_.retract, file) != change_.retract.end();
    });
  }
  if (change_.clear) erase([&](std::int64_t file) { return !is_newer(file, change_.clear_rank); });
  if (!change_.delta.rows.empty()) {
    for (const DeltaRow& row : engine_.rows(change_.delta.rows)) {
      if (!change_.key.empty()) {
        put(row);
        continue;
      }
      table_.rows.push_back({row.cells, row.file});
      ++counts_.inserted;
    }
  }
  RETURN_IF_ERROR(count_rows());
  counts_.rows_after = table_.rows.size();
  return std::move(counts_);
}

}  // namespace

Result<TableCounts> change_table(ModelDatabase& database, const ModelEngine& engine,
                                 const TableChange& change) {
  if (change.create == database.tables.contains(change.table))
    return wrong(change, "created although it stands, or changed although it does not");
  ModelTable& table = database.tables[change.table];
  if (change.create) table = {.columns = change.columns, .key = change.key};
  return TableModel(table, engine, change).run();
}

void write_ledger(ModelDatabase& database, const Batch& batch) {
  std::int64_t last_file = batch.last_file_id;
  for (const FileEntry& file : batch.files) last_file = std::max(last_file, file.file_id);
  database.commits.push_back({.commit_no = batch.commit_no,
                              .decided_at = batch.decided_at,
                              .mark = batch.mark,
                              .mark_name = batch.mark_name,
                              .mark_place = batch.mark_place,
                              .mark_time = batch.mark_time,
                              .last_file_id = last_file});
  for (const UnitEntry& unit : batch.units) database.units.push_back({unit, batch.commit_no});
  for (const FileEntry& file : batch.files) database.files.push_back({file, batch.commit_no});
  for (const TableChange& change : batch.tables) {
    if (change.clear)
      database.clears.push_back({change.table, change.clear_place, change.clear_below_file});
    database.retracted.insert(change.retract.begin(), change.retract.end());
  }
  database.facts.insert(database.facts.end(), batch.facts.begin(), batch.facts.end());
  database.documents.insert(database.documents.end(), batch.documents.begin(),
                            batch.documents.end());
}

}  // namespace forebay::sim
