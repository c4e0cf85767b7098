#include "load/retake.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "load/parts.h"

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

// Files whose unit's place is below `before` and that are not taken back themselves.
Status find_earlier(const Pipeline& pipeline, bool versioned, const std::string& before,
                    const TableName& table, TableRetake& retake, Progress& progress) {
  ASSIGN_OR_RETURN(const auto states, pipeline.target->describe(pipeline.name, {table}));
  // Where versions decide, a file of any place may hold the next newest row.
  ASSIGN_OR_RETURN(retake.entries,
                   pipeline.target->live_files(pipeline.name, table, states[0].cleared_place,
                                               versioned ? "" : before));
  std::erase_if(retake.entries, [&](const FileEntry& entry) {
    return std::ranges::find(retake.files, entry.file_id) != retake.files.end();
  });
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
    RETURN_IF_ERROR(find_earlier(pipeline, pipeline.feed.rows.versioned(), unit.planned.name.place,
                                 table, part, progress));
  return retake;
}

Result<Retake> plan_part_retake(const Pipeline& pipeline, const LoadedUnit& unit,
                                Progress& progress) {
  Retake retake;
  for (const FileEntry& entry : unit.planned.taken_back)
    retake[entry.table].files.push_back(entry.file_id);
  const Feed& feed = pipeline.feed.of(unit.content.table.value_or(""), unit.content.guess);
  if (!clears_part(pipeline.feed, unit.content)) {
    if (feed.rows.key.empty() || retake.empty()) return retake;
    // Versions say which rows of a history are one; without them a row would stand there twice.
    if (feed.keeps_history() && !feed.rows.versioned())
      return fail(refuse(unit,
                         "some of its files are no longer part of it, and a history whose rows "
                         "have no versions is not taken back"));
    // What it keeps of its own may decide those keys as well.
    const std::string after_it = unit.planned.name.place + '\0';
    for (auto& [table, part] : retake)
      RETURN_IF_ERROR(
          find_earlier(pipeline, feed.rows.versioned(), after_it, table, part, progress));
    return retake;
  }
  const TableName table{pipeline.schema, unit.content.table.value_or("")};
  ASSIGN_OR_RETURN(const auto old,
                   pipeline.target->files_of_part(pipeline.name, table, unit.content.part));
  for (const FileEntry& entry : old) retake[table].files.push_back(entry.file_id);
  return retake;
}

}  // namespace forebay
