#include "sim/oracle.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace forebay::sim {
namespace {

using Applied = std::vector<const UnitEntry*>;  // of one unit, in the order of decision

std::map<std::string, Applied> applied_units(const ModelDatabase& ledger) {
  std::map<std::string, Applied> units;  // in the order of their names
  for (const auto& [entry, commit_no] : ledger.units) {
    if (entry.state == UnitState::applied) units[entry.unit].push_back(&entry);
  }
  return units;
}

Tables files_tables(OnRewrite on_rewrite, const ModelDatabase& ledger, const World& world) {
  Rows rows;
  for (const auto& [unit, versions] : applied_units(ledger)) {
    Applied stand = versions;
    if (on_rewrite == OnRewrite::warn) stand.resize(1);
    if (on_rewrite == OnRewrite::replace) stand = {versions.back()};
    for (const UnitEntry* entry : stand) {
      const ReadyFile* file = world.rows_of(entry->version);
      if (file == nullptr) {
        rows.push_back(unit + " was applied although it is damaged");
        continue;
      }
      for (const Cells& cells : file->rows) rows.push_back(row_text(file->columns, cells));
    }
  }
  std::ranges::sort(rows);
  return rows.empty() ? Tables() : Tables{{"events", std::move(rows)}};
}

// What a key's row is, by table.
using Keyed = std::map<std::string, std::map<std::string, std::string>>;

void act(const MarkerMeaning& meaning, const MarkerMeaning::File& file, const ReadyFile& content,
         Keyed& tables) {
  auto& table = tables[file.table];
  for (const Cells& cells : content.rows) {
    const bool flagged = cells[1] == "true";
    Cells kept = cells;
    kept[1].reset();  // the flag is no column of the table
    if (flagged && !meaning.snapshot) table.erase(*cells[0]);
    if (!flagged) table[*cells[0]] = row_text(content.columns, kept);
  }
}

Tables document_tables(const ModelDatabase& ledger, const World& world) {
  std::map<std::pair<std::string, std::string>, std::string> etags;  // by unit and key
  for (const auto& [file, commit_no] : ledger.files) etags[{file.unit, file.store_key}] = file.etag;
  Keyed tables;
  for (const auto& [unit, versions] : applied_units(ledger)) {
    const MarkerMeaning& meaning = world.marker(versions.front()->version);
    std::set<std::string> cleared;
    for (const MarkerMeaning::File& file : meaning.files) {
      if (meaning.snapshot && cleared.insert(file.table).second) tables[file.table].clear();
      const auto etag = etags.find({unit, World::kPrefix + file.key});
      const ReadyFile* content = etag == etags.end() ? nullptr : world.rows_of(etag->second);
      if (content == nullptr) {
        tables[file.table]["?"] = unit + " was applied without " + file.key;
      } else {
        act(meaning, file, *content, tables);
      }
    }
  }
  Tables texts;
  for (const auto& [table, keys] : tables) {
    for (const auto& [key, row] : keys) texts[table].push_back(row);
  }
  for (auto& [table, rows] : texts) std::ranges::sort(rows);
  return texts;
}

}  // namespace

std::string row_text(const std::vector<Column>& columns, const Cells& cells) {
  std::map<std::string, std::string> named;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (cells[i]) named[columns[i].name] = *cells[i];
  }
  std::string text;
  for (const auto& [name, value] : named)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  return text;
}

Tables expected_tables(FeedKind kind, OnRewrite on_rewrite, const ModelDatabase& ledger,
                       const World& world) {
  switch (kind) {
    case FeedKind::files: return files_tables(on_rewrite, ledger, world);
    case FeedKind::documents: return document_tables(ledger, world);
  }
  std::unreachable();
}

Tables tables_of(const ModelDatabase& database) {
  Tables tables;
  for (const auto& [name, table] : database.tables) {
    if (table.rows.empty()) continue;
    Rows& rows = tables[name.name];
    for (const ModelRow& row : table.rows) rows.push_back(row_text(table.columns, row.cells));
    std::ranges::sort(rows);
  }
  return tables;
}

std::vector<std::string> unsettled(FeedKind kind, const ModelDatabase& ledger, const World& world) {
  std::vector<std::string> left;
  const auto applied = applied_units(ledger);
  const std::string begin = kind == FeedKind::documents ? "_batches/" : "";
  for (const auto& [key, version] : world.bucket.keys_at(world.bucket.moment())) {
    if (!key.starts_with(begin)) continue;
    const std::string unit = key.substr(begin.size());
    const UnitEntry* newest = nullptr;
    for (const auto& [entry, commit_no] : ledger.units) {
      if (entry.unit == unit) newest = &entry;
    }
    const bool readable = kind == FeedKind::documents || world.rows_of(version->etag) != nullptr;
    const bool decided = newest != nullptr && newest->version == version->etag;
    const bool was_applied = applied.contains(unit);
    const bool looked_at = was_applied && newest->state == UnitState::ignored;
    const bool right =
        !readable ? newest != nullptr && newest->state == UnitState::quarantined &&
                        !newest->reason.empty()
                  : newest != nullptr && (newest->state == UnitState::applied || looked_at);
    if (!right || !decided) left.push_back(unit);
  }
  return left;
}

}  // namespace forebay::sim
