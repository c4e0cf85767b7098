#include "sim/model_database.h"

#include <algorithm>

#include "base/check.h"

namespace forebay::sim {

std::string key_text(const std::vector<Column>& columns, const std::vector<std::string>& key,
                     const Cells& cells) {
  std::string text;
  for (const std::string& name : key) {
    const auto column = std::ranges::find(columns, name, &Column::name);
    CHECK(column != columns.end());
    text += cells[static_cast<std::size_t>(column - columns.begin())].value() + '\x1f';
  }
  return text;
}

std::string ModelDatabase::cleared_place(const TableName& table) const {
  std::string place;
  for (const Clear& clear : clears) {
    if (clear.table == table) place = std::max(place, clear.place);
  }
  return place;
}

bool ModelDatabase::is_live(const FileEntry& file) const {
  if (retracted.contains(file.file_id)) return false;
  return std::ranges::none_of(clears, [&](const Clear& clear) {
    return clear.table == file.table &&
           (file.place.empty() ? file.file_id < clear.below_file : file.place < clear.place);
  });
}

LedgerHead head_of(const ModelDatabase& database) {
  LedgerHead head;
  for (const ModelDatabase::Commit& commit : database.commits) {
    head.next_file_id = std::max(head.next_file_id, commit.last_file_id + 1);
    head.first_seen = std::min(head.first_seen.value_or(commit.decided_at), commit.decided_at);
  }
  if (!database.commits.empty()) {
    const ModelDatabase::Commit& last = database.commits.back();
    head.commit_no = last.commit_no;
    head.mark = last.mark;
    head.mark_name = last.mark_name;
    head.mark_place = last.mark_place;
    head.mark_time = last.mark_time;
  }
  for (const CycleNote& note : database.cycles) {
    head.first_seen = std::min(head.first_seen.value_or(note.finished_at), note.finished_at);
    const auto is_newer = [&](const std::optional<CycleNote>& known) {
      return !known || known->finished_at <= note.finished_at;
    };
    if (is_newer(head.last_cycle)) head.last_cycle = note;
    if (note.full_listing && is_newer(head.last_full_cycle)) head.last_full_cycle = note;
  }
  for (const Fact& fact : database.facts) {
    const auto known = std::ranges::find_if(head.facts, [&](const Fact& old) {
      return old.name == fact.name && old.subject == fact.subject;
    });
    if (known == head.facts.end()) {
      head.facts.push_back(fact);
    } else {
      known->value = fact.value;
    }
  }
  return head;
}

std::vector<KnownUnit> known_in(const ModelDatabase& database,
                                const std::vector<std::string>& names) {
  std::map<std::string, KnownUnit> found;
  for (const auto& [entry, commit_no] : database.units) {
    if (!std::ranges::binary_search(names, entry.unit)) continue;
    KnownUnit& known = found[entry.unit];
    known = {.unit = entry.unit,
             .version = entry.version,
             .state = entry.state,
             .place = entry.place,
             .digest = entry.digest,
             .reason = entry.reason,
             .kind = entry.kind,
             .commit_no = commit_no,
             .files = entry.files,
             .rows = entry.rows,
             .unit_time = entry.unit_time,
             .applied = known.applied || entry.state == UnitState::applied};
  }
  std::vector<KnownUnit> units;
  for (auto& [name, unit] : found) units.push_back(std::move(unit));
  return units;
}

}  // namespace forebay::sim
