#include "load/rewrite.h"

#include <algorithm>
#include <set>

#include "load/object_columns.h"

namespace forebay {

Result<Rewrite> compare_rewrite(const Pipeline& pipeline, const LoadedUnit& unit,
                                Progress& progress) {
  if (!unit.planned.known) return Rewrite::different;
  if (pipeline.feed.windowed()) {
    return unit.files.front().checksum == unit.planned.known->digest ? Rewrite::same
                                                                     : Rewrite::different;
  }
  if (unit.content.digest != unit.planned.known->digest) return Rewrite::different;
  ASSIGN_OR_RETURN(const auto applied,
                   pipeline.target->files_of(pipeline.name, unit.planned.name.name));
  for (const UnitFile& file : unit.content.files) {
    const std::string key = pipeline.store->ledger_key(file.key);
    const auto entry = std::ranges::find_if(applied, [&](const FileEntry& known) {
      return known.store_key == key && known.table.name == file.table;
    });
    if (entry == applied.end()) return Rewrite::different;
    const auto info = pipeline.store->stat(file.key);
    if (info && info->version == entry->etag && info->size == entry->size) continue;
    auto staged = fetch_file(pipeline, file, {}, progress);
    if (!staged) return fail(std::move(staged).error());
    if (staged->checksum != entry->checksum) return Rewrite::different;
  }
  return Rewrite::same;
}

Result<StandingFiles> comparable_files(const Pipeline& pipeline, const LoadedUnit& unit) {
  if (pipeline.feed.windowed() || !pipeline.feed.rows.key.empty()) return StandingFiles();
  ASSIGN_OR_RETURN(const auto applied,
                   pipeline.target->files_of(pipeline.name, unit.planned.name.name));
  StandingFiles standing;
  std::map<std::string, std::uint64_t> before;
  std::map<std::string, std::uint64_t> now;
  for (const FileEntry& file : applied) {
    standing[file.table.name].push_back(file.file_id);
    before[file.table.name] += file.rows;
  }
  for (const StagedFile& file : unit.files) now[file.file.table] += file.footer.rows;
  return before == now ? standing : StandingFiles();
}

Result<bool> stand_already(const Pipeline& pipeline, const StandingFiles& standing,
                           const std::vector<TableChange>& changes) {
  std::set<std::string> of_object;
  for (const Column& column : object_columns(pipeline.feed)) of_object.insert(column.name);
  for (const TableChange& change : changes) {
    if (change.create || !change.added.empty() || !change.retyped.empty()) return false;
    const auto files = standing.find(change.table.name);
    if (files == standing.end()) return false;
    if (change.delta.rows.empty()) continue;
    std::vector<std::string> columns;
    for (const Column& column : change.columns) {
      if (!of_object.contains(column.name)) columns.push_back(column.name);
    }
    ASSIGN_OR_RETURN(const bool same, pipeline.target->has_rows(change.table, files->second,
                                                                change.delta.rows, columns));
    if (!same) return false;
  }
  return true;
}

}  // namespace forebay
