#include "sim/model_target.h"

#include <algorithm>
#include <set>
#include <utility>

namespace forebay::sim {
namespace {

std::unexpected<Error> lacks(const char* what) {
  return fail({.code = ErrorCode::internal,
               .operation = what,
               .cause = "the model target does not do this"});
}

template <class Wanted>
std::vector<FileEntry> files_where(const ModelDatabase& database, const Wanted& wanted) {
  std::vector<FileEntry> files;
  for (const auto& [file, commit_no] : database.files) {
    if (wanted(file, commit_no)) files.push_back(file);
  }
  return files;
}

// The primary key of the commits.
Status take_number(const ModelDatabase& database, const Batch& batch) {
  if (database.commit_no() < batch.commit_no) return {};
  return fail({.code = ErrorCode::busy,
               .operation = "record the commit",
               .object = "model",
               .cause = "another loader made this commit in the meantime"});
}

}  // namespace

Result<LedgerHead> ModelTarget::head(const std::string& /*pipeline*/) { return head_of(durable_); }

Result<std::vector<KnownUnit>> ModelTarget::known(const std::string& /*pipeline*/,
                                                  const std::vector<std::string>& names) {
  return known_in(durable_, names);
}

Result<std::vector<KnownFile>> ModelTarget::known_files(
    const std::string& /*pipeline*/, const TableName& /*table*/,
    const std::vector<std::string>& /*store_keys*/) {
  return lacks("known_files");
}

Result<std::vector<DocumentEntry>> ModelTarget::known_documents(
    const std::string& /*pipeline*/, const std::vector<std::string>& keys) {
  std::map<std::string, DocumentEntry> newest;
  for (const DocumentEntry& entry : durable_.documents) {
    if (std::ranges::binary_search(keys, entry.key)) newest[entry.key] = entry;
  }
  std::vector<DocumentEntry> entries;
  for (auto& [key, entry] : newest) entries.push_back(std::move(entry));
  return entries;
}

Result<std::vector<AppliedPart>> ModelTarget::newest_of_parts(const std::string& /*pipeline*/) {
  return lacks("newest_of_parts");
}
Result<std::vector<FileEntry>> ModelTarget::files_of_part(const std::string& /*pipeline*/,
                                                          const TableName& /*table*/,
                                                          const std::string& /*part*/) {
  return lacks("files_of_part");
}

Result<std::vector<FileEntry>> ModelTarget::live_files_of(const std::string& /*pipeline*/,
                                                          const std::string& unit) {
  return files_where(durable_, [&](const FileEntry& file, std::int64_t /*commit_no*/) {
    return file.unit == unit && durable_.is_live(file);
  });
}

Result<std::vector<TableState>> ModelTarget::describe(const std::string& pipeline,
                                                      const std::vector<TableName>& tables) {
  std::vector<TableState> states;
  for (const TableName& name : tables) {
    TableState& state = states.emplace_back();
    const auto table = durable_.tables.find(name);
    if (table != durable_.tables.end()) {
      state.exists = true;
      state.columns = table->second.columns;
      state.rows = table->second.rows.size();
    }
    for (const Fact& fact : durable_.facts) {
      if (fact.name == "table" && fact.subject == name.display()) state.owner = pipeline;
    }
    state.cleared_place = durable_.cleared_place(name);
  }
  return states;
}

Result<std::vector<PlacedFile>> ModelTarget::files_from(const std::string& /*pipeline*/,
                                                        const TableName& table,
                                                        const std::string& place) {
  std::vector<PlacedFile> files;
  for (const auto& [file, commit_no] : durable_.files) {
    if (file.table == table && file.place >= place) files.push_back({file.file_id, file.place});
  }
  return files;
}

Result<std::vector<FileEntry>> ModelTarget::live_files(const std::string& /*pipeline*/,
                                                       const TableName& table,
                                                       const std::string& from,
                                                       const std::string& before) {
  auto files = files_where(durable_, [&](const FileEntry& file, std::int64_t /*commit_no*/) {
    return file.table == table && durable_.is_live(file) && file.place >= from &&
           (before.empty() || file.place < before);
  });
  std::ranges::stable_sort(
      files, {}, [](const FileEntry& file) { return std::pair(file.place, file.file_id); });
  return files;
}

Result<std::string> ModelTarget::keys_decided_by(const TableName& table,
                                                 const std::vector<std::string>& key,
                                                 const std::vector<std::int64_t>& files) {
  std::set<std::string> keys;
  const auto found = durable_.tables.find(table);
  if (found == durable_.tables.end()) return engine_.keep_keys(std::move(keys));
  const auto is_one = [&](std::int64_t file) {
    return std::ranges::find(files, file) != files.end();
  };
  for (const ModelRow& row : found->second.rows) {
    if (is_one(row.file)) keys.insert(key_text(found->second.columns, key, row.cells));
  }
  for (const auto& [gone, file] : found->second.gone) {
    if (is_one(file)) keys.insert(gone);
  }
  return engine_.keep_keys(std::move(keys));
}

Result<std::vector<StandingFile>> ModelTarget::standing_files(
    const std::string& /*pipeline*/, const TableName& /*table*/,
    const std::optional<TimeRange>& /*range*/) {
  return lacks("standing_files");
}
Result<bool> ModelTarget::any_expired(const std::string& /*pipeline*/, const TableName& /*table*/,
                                      const Expiry& /*expiry*/) {
  return lacks("any_expired");
}

Result<std::vector<FileEntry>> ModelTarget::files_of(const std::string& /*pipeline*/,
                                                     const std::string& unit) {
  std::int64_t newest = 0;
  for (const auto& [file, commit_no] : durable_.files) {
    if (file.unit == unit) newest = std::max(newest, commit_no);
  }
  return files_where(durable_, [&](const FileEntry& file, std::int64_t commit_no) {
    return file.unit == unit && commit_no == newest;
  });
}

Result<std::map<std::string, std::string>> ModelTarget::units_with(
    const std::string& /*pipeline*/, const std::vector<std::string>& checksums) {
  std::map<std::string, std::string> units;
  for (const auto& [file, commit_no] : durable_.files) {
    if (durable_.is_live(file) && std::ranges::find(checksums, file.checksum) != checksums.end())
      units.try_emplace(file.checksum, file.unit);
  }
  return units;
}

Result<bool> ModelTarget::column_is_all_null(const TableName& table, const std::string& column) {
  const ModelTable& found = durable_.tables.at(table);
  const auto position = std::ranges::find(found.columns, column, &Column::name);
  const auto at = static_cast<std::size_t>(position - found.columns.begin());
  return std::ranges::none_of(found.rows,
                              [&](const ModelRow& row) { return row.cells[at].has_value(); });
}

// No simulated feed has columns of the object, so all of them are compared.
Result<bool> ModelTarget::has_rows(const TableName& table, const std::vector<std::int64_t>& files,
                                   const std::string& relation,
                                   const std::vector<std::string>& /*columns*/) {
  std::multiset<Cells> standing;
  for (const ModelRow& row : durable_.tables.at(table).rows) {
    if (std::ranges::find(files, row.file) != files.end()) standing.insert(row.cells);
  }
  std::multiset<Cells> given;
  for (const DeltaRow& row : engine_.rows(relation)) given.insert(row.cells);
  return given == standing;
}

Result<Applied> ModelTarget::apply(const Batch& batch) {
  if (hooks_.wrong == Wrong::records_first) return apply_in_two(batch);
  if (hooks_.wrong == Wrong::no_fence) return apply_without_fence(batch);
  ModelDatabase next = durable_;
  RETURN_IF_ERROR(take_number(next, batch));
  step("apply.begun");
  Applied applied;
  for (const TableChange& change : batch.tables) {
    ASSIGN_OR_RETURN(applied.tables[change.table.display()], change_table(next, engine_, change));
  }
  write_ledger(next, batch);
  step("apply.written");
  RETURN_IF_ERROR(commit(std::move(next), batch));
  return applied;
}

// COMMIT looks at the number again: of two transactions that took it, the second one fails.
Status ModelTarget::commit(ModelDatabase next, const Batch& batch) {
  RETURN_IF_ERROR(take_number(durable_, batch));
  next.cycles = durable_.cycles;  // notes are transactions of their own
  durable_ = std::move(next);
  if (hooks_.committed) hooks_.committed(batch);
  return {};
}

Result<Applied> ModelTarget::apply_in_two(const Batch& batch) {
  ModelDatabase next = durable_;
  write_ledger(next, batch);
  for (const TableChange& change : batch.tables) {
    if (change.create) next.tables[change.table] = {change.columns, change.key, {}, {}};
  }
  RETURN_IF_ERROR(commit(std::move(next), batch));
  step("apply.recorded");
  Applied applied;
  for (TableChange change : batch.tables) {
    change.create = false;
    ASSIGN_OR_RETURN(applied.tables[change.table.display()],
                     change_table(durable_, engine_, change));
  }
  return applied;
}

Result<Applied> ModelTarget::apply_without_fence(Batch batch) {
  step("apply.written");
  batch.commit_no = durable_.commit_no() + 1;
  ModelDatabase next = durable_;
  Applied applied;
  for (TableChange change : batch.tables) {
    change.create = !durable_.tables.contains(change.table);
    ASSIGN_OR_RETURN(applied.tables[change.table.display()], change_table(next, engine_, change));
  }
  write_ledger(next, batch);
  RETURN_IF_ERROR(commit(std::move(next), batch));
  return applied;
}

Status ModelTarget::note_cycle(const std::string& /*pipeline*/, const CycleNote& note) {
  durable_.cycles.push_back(note);
  return {};
}

Result<std::vector<Target::HistoryRow>> ModelTarget::history(const std::string& /*pipeline*/,
                                                             const HistoryQuery& /*query*/) {
  return lacks("history");
}
Status ModelTarget::begin_listing() { return lacks("begin_listing"); }
Status ModelTarget::add_listing(const std::vector<ListedKey>& /*keys*/) {
  return lacks("add_listing");
}
Result<std::vector<FileDifference>> ModelTarget::compare_listing(const std::string& /*pipeline*/,
                                                                 std::size_t /*most*/) {
  return lacks("compare_listing");
}
Result<TableAudit> ModelTarget::audit(const std::string& /*pipeline*/, const TableName& /*table*/,
                                      bool /*per_file*/, std::size_t /*most*/) {
  return lacks("audit");
}
Result<TableFingerprint> ModelTarget::fingerprint(const TableName& /*table*/,
                                                  const std::vector<Column>& /*columns*/) {
  return lacks("fingerprint");
}
Status ModelTarget::reset(const Reset& /*reset*/) { return lacks("reset"); }

}  // namespace forebay::sim
