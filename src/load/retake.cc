#include "load/retake.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace forebay {
namespace {

Error refuse(const LoadedUnit& unit, std::string cause) {
  return {.code = ErrorCode::refused,
          .operation = "replace",
          .object = unit.planned.name.name,
          .cause = std::move(cause),
          .hint =
              "what its old snapshot removed cannot be brought back from here: restore the "
              "object, or load the tables anew"};
}

// The files that can be taken for a cleared table's former self are gone with the clear.
Status check_snapshot(const LoadedUnit& unit, const std::vector<FileEntry>& old) {
  if (unit.planned.known->kind != unit.content.kind)
    return fail(refuse(unit, fmt::format("it was applied as '{}' and is '{}' now",
                                         unit.planned.known->kind, unit.content.kind)));
  std::set<std::string> listed;
  bool clears = false;
  for (const UnitFile& file : unit.content.files) {
    listed.insert(file.table);
    clears = clears || file.effect.clear_table;
  }
  for (const FileEntry& entry : old) {
    if (clears && !listed.contains(entry.table.name))
      return fail(refuse(unit, fmt::format("it no longer lists table {}", entry.table.name)));
  }
  return {};
}

Result<StagedFile> fetch_again(const Pipeline& pipeline, const FileEntry& entry,
                               Progress& progress) {
  const std::string key = pipeline.store->source_key(entry.store_key);
  UnitFile file{.table = entry.table.name,
                .key = key,
                .rows = entry.rows,
                .size = entry.size,
                .effect = {.put = true}};
  auto staged = fetch_file(pipeline, file, {}, progress);
  if (staged && staged->checksum == entry.checksum) return staged;
  if (!staged && staged.error().code != ErrorCode::damaged) return staged;
  return fail({.code = ErrorCode::damaged,
               .operation = "replace",
               .object = pipeline.store->display(key),
               .cause = "this earlier file decides keys anew, and it is gone or changed",
               .hint = "bring it back as it was; until then nothing is replaced"});
}

Status find_earlier(const Pipeline& pipeline, const LoadedUnit& unit, const TableName& table,
                    TableRetake& retake, Progress& progress) {
  ASSIGN_OR_RETURN(const auto states, pipeline.target->describe(pipeline.name, {table}));
  // Where versions decide, a file of any place may hold the next newest row.
  const bool versioned = pipeline.feed.rows.versioned();
  ASSIGN_OR_RETURN(retake.entries,
                   pipeline.target->live_files(pipeline.name, table, states[0].cleared_place,
                                               versioned ? "" : unit.planned.name.place));
  std::erase_if(retake.entries,
                [&](const FileEntry& entry) { return entry.unit == unit.planned.name.name; });
  for (const FileEntry& entry : retake.entries) {
    ASSIGN_OR_RETURN(StagedFile file, fetch_again(pipeline, entry, progress));
    // A snapshot's rows put; one that it flagged as deleted was never in the table.
    file.file.effect.put = entry.place != states[0].cleared_place;
    retake.earlier.push_back(std::move(file));
  }
  return {};
}

}  // namespace

Result<Retake> plan_retake(const Pipeline& pipeline, const LoadedUnit& unit, Progress& progress) {
  ASSIGN_OR_RETURN(const auto old,
                   pipeline.target->files_of(pipeline.name, unit.planned.name.name));
  RETURN_IF_ERROR(check_snapshot(unit, old));
  Retake retake;
  for (const FileEntry& entry : old) retake[entry.table].files.push_back(entry.file_id);
  const bool clears = std::ranges::any_of(
      unit.content.files, [](const UnitFile& file) { return file.effect.clear_table; });
  if (pipeline.feed.rows.key.empty() || clears) return retake;
  for (auto& [table, part] : retake)
    RETURN_IF_ERROR(find_earlier(pipeline, unit, table, part, progress));
  return retake;
}

}  // namespace forebay
