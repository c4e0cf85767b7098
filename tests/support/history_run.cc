#include "support/history_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace forebay::test {
namespace {

std::string run_name(const History& history) { return fmt::format("s{}", history.seed); }

std::string row_text(const std::string& id, const std::map<std::string, std::string>& cells,
                     const std::string& decided_by) {
  std::string text = id + " {";
  for (const auto& [column, value] : cells) text += fmt::format("{}={} ", column, value);
  return text + "} by " + decided_by;
}

}  // namespace

HistoryRun::HistoryRun(History history, const std::string& folder, const std::string& database,
                       Mistake mistake)
    : history_(std::move(history)),
      feed_(folder + "/" + run_name(history_), "rollerup/"),
      pipeline_({.name = run_name(history_),
                 .schema = run_name(history_),
                 .source = feed_.source(),
                 .database = database}),
      mistake_(mistake),
      lost_(history_.seed % history_.markers.size()) {
  for (const Marker& marker : history_.markers) {
    for (std::size_t i = 0; i < marker.files.size(); ++i)
      file_names_[marker.name + ".json " + feed_.key(marker, i)] =
          fmt::format("{}#{}", marker.name, i);
  }
}

void HistoryRun::take(const History::Step& step) {
  const Marker& marker = history_.markers[step.marker];
  switch (step.kind) {
    case History::Step::Kind::deliver: {
      due_.insert(step.marker);
      if (mistake_ == Mistake::lose_a_marker && step.marker == lost_) return;
      const std::size_t other = (lost_ + 1) % history_.markers.size();
      if (mistake_ == Mistake::swap_two_markers && (step.marker == lost_ || step.marker == other)) {
        Marker swapped = history_.markers[step.marker == lost_ ? other : lost_];
        swapped.name = marker.name;
        feed_.deliver(swapped);
        return;
      }
      feed_.deliver(marker);
      return;
    }
    case History::Step::Kind::repeat:
    case History::Step::Kind::repeat_whole:
      if (mistake_ != Mistake::none) return;
      if (step.kind == History::Step::Kind::repeat_whole) feed_.write_files(marker);
      feed_.write_marker_again(marker);
      if (!due_.contains(step.marker)) repeated_.insert(step.marker);
      return;
    case History::Step::Kind::load: return;
  }
}

std::unique_ptr<Target> HistoryRun::open_target() const {
  auto target = pipeline_.open_target();
  if (target) return std::move(*target);
  ADD_FAILURE() << describe(target.error());
  return nullptr;
}

bool HistoryRun::load(Target& target) {
  while (next_step_ < history_.steps.size()) {
    const History::Step& step = history_.steps[next_step_++];
    take(step);
    if (step.kind != History::Step::Kind::load) continue;
    run_cycle(target, step);
    return true;
  }
  return false;
}

// What is due is taken in the order of names; a marker that was written again is looked at like a
// new one, and then ignored.
void HistoryRun::run_cycle(Target& target, const History::Step& step) {
  std::set<std::size_t> due = due_;
  due.insert(repeated_.begin(), repeated_.end());
  std::set<std::size_t> applied;
  std::size_t left = due.size();
  for (const std::size_t i : due) {
    if (step.max_units && due.size() - left == *step.max_units) break;
    --left;
    repeated_.erase(i);
    if (due_.erase(i) == 0) continue;
    applied.insert(i);
    oracle_.apply(history_.markers[i]);
  }
  check_report(pipeline_.load_into(target, {.max_units = step.max_units}), applied, left);
}

void HistoryRun::check_report(const CycleReport& report, const std::set<std::size_t>& applied,
                              std::size_t left) {
  std::uint64_t files = 0;
  std::uint64_t rows = 0;
  for (const std::size_t i : applied) {
    for (const FeedFile& file : history_.markers[i].files) {
      ++files;
      rows += file.rows.size();
    }
  }
  const auto expect = [&](const char* what, std::uint64_t expected, std::uint64_t actual) {
    if (expected != actual)
      complain(fmt::format("the report says {} {}, expected {}", actual, what, expected));
  };
  if (code(report) != 0) complain("the load failed: " + text(report));
  expect("units applied", applied.size(), report.units.applied);
  expect("units waiting", left, report.units.waiting);
  expect("files", files, report.files);
  expect("rows", rows, report.rows);
  expect("units changed", 0, report.changed_since_applied);
  const auto tables = oracle_.tables();
  for (const auto& [name, counts] : report.tables) {
    const auto table = tables.find(name.substr(name.find('.') + 1));
    expect(("rows in " + name).c_str(), table == tables.end() ? 0 : table->second.rows.size(),
           counts.rows_after);
  }
}

void HistoryRun::expect_equal(const std::string& what, const std::set<std::string>& expected,
                              const std::set<std::string>& actual) {
  for (const std::string& one : expected) {
    if (!actual.contains(one)) complain(fmt::format("{}: missing {}", what, one));
  }
  for (const std::string& one : actual) {
    if (!expected.contains(one)) complain(fmt::format("{}: unexpected {}", what, one));
  }
}

void HistoryRun::check_columns(DatabaseReader& database,
                               const std::map<std::string, Oracle::Table>& tables) {
  columns_.clear();
  for (const auto& row :
       database.rows(fmt::format("SELECT table_name, column_name, data_type FROM duckdb_columns() "
                                 "WHERE schema_name = '{}' AND "
                                 "column_name <> '_forebay_file' ORDER BY table_name, column_index",
                                 pipeline_.settings.schema)))
    columns_[*row[0]].emplace_back(*row[1], *row[2]);
  std::set<std::string> expected;
  std::set<std::string> actual;
  for (const auto& [name, table] : tables) {
    for (const std::string& column : table.columns) expected.insert(name + "." + column);
  }
  for (const auto& [name, columns] : columns_) {
    for (const auto& [column, type] : columns) {
      actual.insert(name + "." + column);
      if (column == "_row_id" || !tables.contains(name)) continue;
      const Oracle::Table& table = tables.at(name);
      const auto least = table.least.find(column);
      const auto most = table.most.find(column);
      if (most == table.most.end()) continue;  // a column that nobody sent: told above
      if ((least != table.least.end() && wider(least->second, type)) || wider(type, most->second))
        complain(fmt::format("{}.{} is {}", name, column, type));
    }
  }
  expect_equal("columns", expected, actual);
}

void HistoryRun::check_rows(DatabaseReader& database, const std::string& name,
                            const Oracle::Table& table) {
  std::set<std::string> expected;
  for (const auto& [id, row] : table.rows) expected.insert(row_text(id, row.cells, row.decided_by));
  std::set<std::string> actual;
  const auto& columns = columns_[name];
  const auto rows = database.rows(
      fmt::format("SELECT * EXCLUDE (_forebay_file), _forebay_file FROM \"{}\".\"{}\"",
                  pipeline_.settings.schema, name));
  for (const auto& row : rows) {
    std::string id = "null";
    std::map<std::string, std::string> cells;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto& [column, type] = columns[i];
      if (column == "_row_id") {
        id = row[i].value_or("null");
      } else if (row[i]) {
        cells[column] = type == "VARCHAR" ? *row[i] : shortest_number(*row[i]);
      }
    }
    const auto file = live_.find(row.back().value_or("null"));
    actual.insert(row_text(id, cells, file == live_.end() ? "no live file" : file->second));
  }
  if (rows.size() != table.rows.size())
    complain(fmt::format("{} has {} rows, expected {}", name, rows.size(), table.rows.size()));
  expect_equal(name, expected, actual);
}

void HistoryRun::check_gone(DatabaseReader& database, const std::string& name,
                            const Oracle::Table& table) {
  std::set<std::string> actual;
  for (const auto& row : database.rows(fmt::format("SELECT _row_id FROM _forebay.\"{}.{}__gone\"",
                                                   pipeline_.settings.schema, name))) {
    if (!actual.insert(row[0].value_or("null")).second) complain(name + ": a key is gone twice");
  }
  expect_equal(name + "'s tombstones", table.gone, actual);
}

// Files: each applied one once, live unless a snapshot came after it.
void HistoryRun::check_files(DatabaseReader& database,
                             const std::map<std::string, Oracle::Table>& tables) {
  std::set<std::string> live;
  for (const auto& [name, table] : tables) live.insert(table.live.begin(), table.live.end());
  std::set<std::string> expected;
  for (const auto& [name, marker] : oracle_.markers()) {
    for (std::size_t i = 0; i < marker.files.size(); ++i) {
      const std::string file = fmt::format("{}#{}", marker.name, i);
      expected.insert(fmt::format("{} {} rows {}", file, marker.files[i].rows.size(),
                                  live.contains(file) ? "live" : "retracted"));
    }
  }
  std::set<std::string> actual;
  std::size_t count = 0;
  live_.clear();
  for (const auto& row :
       database.rows(fmt::format("SELECT unit || ' ' || store_key, rows, state, file_id FROM "
                                 "_forebay.files WHERE pipeline = '{}'",
                                 pipeline_.settings.name))) {
    ++count;
    const std::string& file = file_names_[*row[0]];
    actual.insert(fmt::format("{} {} rows {}", file, *row[1], *row[2]));
    if (row[2] == "live" && !live_.emplace(*row[3], file).second)
      complain("a file id used twice: " + *row[3]);
  }
  if (count != expected.size())
    complain(fmt::format("{} files, expected {}", count, expected.size()));
  expect_equal("files", expected, actual);
}

// Entries of the ledger: one `applied` for each marker loaded; none vanishes, none ever changes.
void HistoryRun::check_entries(DatabaseReader& database) {
  std::set<std::string> expected;
  for (const auto& [name, marker] : oracle_.markers()) expected.insert(name);
  std::set<std::string> actual;
  auto entries =
      database.rows(fmt::format("SELECT unit, state, * FROM _forebay.units WHERE pipeline = '{}' "
                                "ORDER BY rowid",
                                pipeline_.settings.name));
  for (const auto& row : entries) {
    if (row[1] == "applied" && !actual.insert(*row[0]).second)
      complain("applied twice: " + *row[0]);
  }
  expect_equal("units", expected, actual);
  const bool grown = entries.size() >= entries_.size() &&
                     std::equal(entries_.begin(), entries_.end(), entries.begin());
  if (!grown) complain("entries of the ledger vanished or changed");
  entries_ = std::move(entries);
}

std::optional<std::string> HistoryRun::check(DatabaseReader& database) {
  const auto tables = oracle_.tables();
  check_columns(database, tables);
  check_files(database, tables);
  for (const auto& [name, table] : tables) {
    if (!columns_.contains(name)) {
      complain("no table " + name);
      continue;
    }
    check_rows(database, name, table);
    check_gone(database, name, table);
  }
  check_entries(database);
  if (problems_.empty()) return std::nullopt;
  return fmt::format("after step {} of {}:\n{}{}", next_step_, history_.steps.size(), problems_,
                     to_text(history_));
}

}  // namespace forebay::test
