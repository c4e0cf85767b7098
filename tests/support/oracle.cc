#include "support/oracle.h"

#include <algorithm>
#include <array>

#include "base/check.h"

namespace forebay::test {
namespace {

bool is_number_type(const std::string& type) { return type != "VARCHAR"; }

std::string cell_text(const Cell& cell, const std::string& type) {
  std::string text;
  if (const auto* number = std::get_if<std::int64_t>(&cell)) {
    text = std::to_string(*number);
  } else if (const auto* real = std::get_if<double>(&cell)) {
    text = std::to_string(*real);  // histories use quarters only: exact
  } else {
    text = std::get<std::string>(cell);
  }
  return is_number_type(type) ? shortest_number(text) : text;
}

void take_type(std::map<std::string, std::string>& types, const FeedColumn& column) {
  auto [known, fresh] = types.try_emplace(column.name, column.type);
  if (!fresh && wider(column.type, known->second)) known->second = column.type;
}

void take_columns(const FeedFile& file, Oracle::Table& table) {
  table.columns.insert("_row_id");
  for (std::size_t i = 0; i < file.columns.size(); ++i) {
    const FeedColumn& column = file.columns[i];
    table.columns.insert(column.name);
    take_type(table.most, column);
    const bool valued = std::ranges::any_of(file.rows, [&](const FeedRow& row) {
      return i < row.cells.size() && row.cells[i].index() != 0;
    });
    if (valued) take_type(table.least, column);
  }
}

void act(const FeedFile& file, const std::string& decided_by, bool in_snapshot,
         Oracle::Table& table) {
  for (const FeedRow& row : file.rows) {
    const bool deletes = row.deleted.value_or(false);
    if (deletes && in_snapshot) continue;
    table.rows.erase(*row.id);
    table.gone.erase(*row.id);
    if (deletes) {
      table.gone.insert(*row.id);
      continue;
    }
    Oracle::Row made{.decided_by = decided_by};
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      if (row.cells[i].index() != 0)
        made.cells[file.columns[i].name] = cell_text(row.cells[i], file.columns[i].type);
    }
    table.rows[*row.id] = std::move(made);
  }
}

}  // namespace

std::map<std::string, Oracle::Table> Oracle::tables() const {
  std::map<std::string, Table> tables;
  for (const auto& [name, marker] : markers_) {
    const bool snapshot = marker.kind == "snapshot";
    for (const FeedFile& file : marker.files) {
      Table& table = tables[file.table];
      if (!snapshot) continue;
      table.rows.clear();
      table.gone.clear();
      table.live.clear();
    }
    for (std::size_t i = 0; i < marker.files.size(); ++i) {
      const std::string file = marker.name + "#" + std::to_string(i);
      Table& table = tables[marker.files[i].table];
      table.live.insert(file);
      take_columns(marker.files[i], table);
      act(marker.files[i], file, snapshot, table);
    }
  }
  return tables;
}

std::string shortest_number(const std::string& text) {
  if (!text.contains('.')) return text;
  std::string shorter = text.substr(0, text.find_last_not_of('0') + 1);
  if (shorter.ends_with('.')) shorter.pop_back();
  return shorter == "-0" ? "0" : shorter;
}

bool wider(const std::string& a, const std::string& b) {
  static constexpr std::array kLadders = {std::array{"INTEGER", "BIGINT"},
                                          std::array{"FLOAT", "DOUBLE"},
                                          std::array{"DECIMAL(6,2)", "DECIMAL(12,4)"}};
  return std::ranges::any_of(kLadders,
                             [&](const auto& ladder) { return b == ladder[0] && a == ladder[1]; });
}

}  // namespace forebay::test
