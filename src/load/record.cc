#include "load/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "load/identity.h"

namespace forebay {

const std::string& unit_of(const StagedFile& file, const LoadedUnit& unit) {
  return file.file.unit.empty() ? unit.planned.name.name : file.file.unit;
}

UnitEntry unit_entry(const LoadedUnit& unit, UnitState state, std::string reason) {
  UnitEntry entry{
      .unit = unit.planned.name.name,
      .version = unit.planned.version.empty() ? unit.planned.object.version : unit.planned.version,
      .kind = unit.content.kind,
      .state = state,
      .files = std::ranges::count(unit.content.files, std::string(), &UnitFile::unit),
      .reason = std::move(reason),
      .place = unit.planned.name.place,
      .digest = unit.content.digest,
      .part = unit.content.part};
  for (const StagedFile& file : unit.files) {
    if (file.file.unit.empty()) entry.rows += static_cast<std::int64_t>(file.footer.rows);
  }
  entry.unit_time = time_of(unit.planned, unit.content);
  return entry;
}

FileEntry file_entry(const Pipeline& pipeline, const TableName& table, const LoadedUnit& unit,
                     const StagedFile& file) {
  const ObjectInfo& info = file.bytes->info();
  return {.unit = unit_of(file, unit),
          .store_key = pipeline.store->ledger_key(file.file.key),
          .size = info.size,
          .etag = info.version,
          .last_modified = info.last_modified,
          .checksum = file.checksum,
          .table = table,
          .rows = file.footer.rows,
          .place = unit.planned.name.place,
          .fingerprint = file.file.fingerprint()};
}

Batch make_batch(const Pipeline& pipeline, const LedgerHead& head, Collapsed collapsed,
                 std::vector<UnitEntry> entries, Time now) {
  Batch batch{.pipeline = pipeline.name,
              .commit_no = head.commit_no + 1,
              .decided_at = now,
              .mark = head.mark,
              .mark_name = head.mark_name,
              .mark_place = head.mark_place,
              .mark_time = head.mark_time,
              .last_file_id = std::max(collapsed.last_file_id, head.next_file_id - 1),
              .units = std::move(entries),
              .files = std::move(collapsed.files)};
  batch.facts = new_facts(pipeline, head, collapsed.tables);
  std::ranges::move(collapsed.facts, std::back_inserter(batch.facts));
  batch.tables = std::move(collapsed.tables);
  return batch;
}

UnitEntry window_entry(const LedgerHead& head, std::size_t files, const Collapsed& collapsed) {
  return {.unit = fmt::format("{}", head.commit_no + 1),
          .version = collapsed.reached ? to_text(*collapsed.reached) : "",
          .kind = "window",
          .files = static_cast<std::int64_t>(files),
          .rows = static_cast<std::int64_t>(collapsed.kept),
          .unit_time = collapsed.reached ? time_of(*collapsed.reached) : std::nullopt};
}

Status advance_window(const Pipeline& pipeline, const LedgerHead& head,
                      const std::optional<TimeMark>& reached, bool last, Batch& batch) {
  std::optional<TimeMark> furthest;
  if (head.fact("table", window_table(pipeline).display()) != nullptr) {
    ASSIGN_OR_RETURN(furthest, parse_mark(batch.mark_name));
  }
  if (reached && (!furthest || is_after(*reached, *furthest))) furthest = reached;
  if (!furthest) return {};
  batch.mark_name = to_text(*furthest);
  if (!last) return {};
  batch.mark = batch.mark_name;
  batch.mark_time = time_of(*furthest);
  return {};
}

void follow(LedgerHead& head, const Batch& batch) {
  head.commit_no = batch.commit_no;
  head.mark = batch.mark;
  head.mark_name = batch.mark_name;
  head.mark_place = batch.mark_place;
  head.mark_time = batch.mark_time;
  head.next_file_id = batch.last_file_id + 1;
  for (const Fact& fact : batch.facts) {
    const auto known = std::ranges::find_if(head.facts, [&](const Fact& old) {
      return old.name == fact.name && old.subject == fact.subject;
    });
    if (known == head.facts.end()) {
      head.facts.push_back(fact);
    } else {
      known->value = fact.value;
    }
  }
}

}  // namespace forebay
