#include "support/small_feed.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "support/attached_database.h"
#include "support/parquet_maker.h"

namespace forebay::test {
namespace {

// 2024-03-01, a marker every minute.
std::string stamp(int number) {
  const int minutes = number % 60;
  const int hours = number / 60;
  return fmt::format("202403{:02}T{:02}{:02}00Z", 1 + hours / 24, hours % 24, minutes);
}

std::string marker_name(const Delivery& delivery) {
  return stamp(delivery.number) + (delivery.snapshot ? ".snapshot.json" : ".json");
}

std::string file_name(const Delivery& delivery, std::size_t index) {
  return fmt::format("{}/{}.{:02}.parquet", delivery.files[index].table, stamp(delivery.number),
                     index);
}

void write_file(const std::filesystem::path& path, const SmallFile& file) {
  std::vector<std::int64_t> ids;
  std::vector<std::int64_t> values;
  std::vector<std::string> flags;
  for (const SmallRow& row : file.rows) {
    ids.push_back(row.id);
    values.push_back(row.value);
    flags.emplace_back(row.deleted ? "true" : "false");
  }
  std::filesystem::create_directories(path.parent_path());
  make_parquet(
      path.string(),
      fmt::format("SELECT 'r' || id AS _row_id, CASE WHEN gone THEN NULL ELSE value END AS "
                  "value, gone AS _deleted FROM (SELECT unnest([{}]::BIGINT[]) AS id, "
                  "unnest([{}]::BIGINT[]) AS value, unnest([{}]::BOOLEAN[]) AS gone)",
                  fmt::join(ids, ","), fmt::join(values, ","), fmt::join(flags, ",")));
}

void write_marker(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path.string() + ".part", std::ios::binary) << text;
  std::filesystem::rename(path.string() + ".part", path);
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) out.push_back(line);
  return out;
}

std::set<std::string> applied_in(const AttachedDatabase& reader) {
  if (!reader.has("_forebay", "units")) return {};
  const auto names = lines(reader.list("unit", "_forebay.units WHERE state = 'applied'"));
  return {names.begin(), names.end()};
}

std::string as_text(const SmallFeed::Table& table) {
  std::vector<std::string> rows;
  for (const auto& [id, value] : table) rows.push_back(fmt::format("r{} {}", id, value));
  std::ranges::sort(rows);
  return fmt::format("{}", fmt::join(rows, "\n"));
}

std::string difference(const std::string& what, const std::string& expected,
                       const std::string& found) {
  if (expected == found) return {};
  const auto a = lines(expected);
  const auto b = lines(found);
  std::size_t at = 0;
  while (at < a.size() && at < b.size() && a[at] == b[at]) ++at;
  return fmt::format("{}: {} lines expected, {} found; first difference: '{}' and '{}'\n", what,
                     a.size(), b.size(), at < a.size() ? a[at] : "(end)",
                     at < b.size() ? b[at] : "(end)");
}

std::string compare_tables(const AttachedDatabase& reader, const SmallFeed& feed,
                           const std::set<std::string>& applied) {
  std::string wrong;
  auto tables = feed.tables(feed.markers());
  for (auto& [name, rows] : tables) rows.clear();
  for (auto& [name, rows] : feed.tables(applied)) tables[name] = rows;
  for (const auto& [name, rows] : tables) {
    if (!reader.has("main", name)) {
      if (!rows.empty()) wrong += fmt::format("table {} is missing\n", name);
      continue;
    }
    wrong += difference("table " + name, as_text(rows),
                        reader.list("_row_id || ' ' || value::VARCHAR", "main." + name));
    const std::string strangers = reader.value(
        "count(*)", fmt::format("main.{} WHERE _forebay_file NOT IN (SELECT file_id FROM "
                                "looked_at._forebay.file_log WHERE table_name = '{}')",
                                name, name));
    if (strangers != "0") wrong += fmt::format("{} rows of {} are of no file\n", strangers, name);
    const std::string after = reader.value(
        "counts->>'rows_after'",
        fmt::format(
            "_forebay.commit_tables WHERE table_name = '{}' ORDER BY commit_no DESC LIMIT 1",
            name));
    if (after != std::to_string(rows.size()))
      wrong += fmt::format("{}: the last commit says {} rows\n", name, after);
  }
  return wrong;
}

std::string compare_files(const AttachedDatabase& reader, const SmallFeed& feed,
                          const std::set<std::string>& applied) {
  std::vector<std::string> expected;
  for (const std::string& marker : applied) {
    for (const auto& [key, rows] : feed.files(marker))
      expected.push_back(fmt::format("{} {} {}", marker, key, rows));
  }
  std::ranges::sort(expected);
  return difference("files", fmt::format("{}", fmt::join(expected, "\n")),
                    reader.list("unit || ' ' || regexp_replace(store_key, '^feed/', '') || ' ' || "
                                "rows::VARCHAR",
                                "_forebay.file_log"));
}

}  // namespace

void SmallFeed::deliver(const Delivery& delivery,
                        const std::function<void(const std::string& key)>& put) {
  std::vector<std::string> entries;
  for (std::size_t i = 0; i < delivery.files.size(); ++i) {
    const std::string key = "feed/" + file_name(delivery, i);
    write_file(folder_ / key, delivery.files[i]);
    if (put) put(key);
    entries.push_back(fmt::format(R"({{"table": "{}", "path": "{}", "rows": {}}})",
                                  delivery.files[i].table, key, delivery.files[i].rows.size()));
  }
  const std::string marker = "feed/_batches/" + marker_name(delivery);
  write_marker(folder_ / marker,
               fmt::format(R"({{"batch": "{}", "kind": "{}", "format_version": "v1",
  "created_at": "2024-03-01T00:00:00Z", "files": [{}]}})",
                           stamp(delivery.number), delivery.snapshot ? "snapshot" : "incremental",
                           fmt::join(entries, ",\n    ")));
  if (put) put(marker);
  delivered_[marker_name(delivery)] = delivery;
}

std::set<std::string> SmallFeed::markers() const {
  std::set<std::string> names;
  for (const auto& [name, delivery] : delivered_) names.insert(name);
  return names;
}

std::map<std::string, SmallFeed::Table> SmallFeed::tables(
    const std::set<std::string>& markers) const {
  std::map<std::string, Table> tables;
  for (const std::string& marker : markers) {
    const Delivery& delivery = delivered_.at(marker);
    for (const SmallFile& file : delivery.files) {
      if (delivery.snapshot) tables[file.table].clear();
    }
    for (const SmallFile& file : delivery.files) {
      for (const SmallRow& row : file.rows) {
        if (row.deleted) {
          tables[file.table].erase(row.id);
        } else {
          tables[file.table][row.id] = row.value;
        }
      }
    }
  }
  return tables;
}

std::map<std::string, std::int64_t> SmallFeed::files(const std::string& marker) const {
  std::map<std::string, std::int64_t> files;
  const Delivery& delivery = delivered_.at(marker);
  for (std::size_t i = 0; i < delivery.files.size(); ++i)
    files[file_name(delivery, i)] = std::ssize(delivery.files[i].rows);
  return files;
}

std::set<std::string> applied_markers(const std::string& database) {
  if (!std::filesystem::exists(database)) return {};
  return applied_in(AttachedDatabase(database));
}

std::string problems(const std::string& database, const SmallFeed& feed, Applied applied) {
  if (!std::filesystem::exists(database))
    return applied == Applied::some ? "" : "there is no database\n";
  const AttachedDatabase reader(database);
  const std::set<std::string> units = applied_in(reader);
  std::string wrong;
  for (const std::string& unit : units) {
    if (!feed.markers().contains(unit)) return fmt::format("unit {} was never delivered\n", unit);
  }
  if (applied == Applied::all && units != feed.markers())
    wrong += fmt::format("{} of {} markers are applied\n", units.size(), feed.markers().size());
  if (!reader.has("_forebay", "units")) return wrong + compare_tables(reader, feed, {});
  for (const auto& [count, from] :
       {std::pair("count(*) - count(DISTINCT unit)", "_forebay.units"),
        std::pair("count(*) - count(DISTINCT file_id)", "_forebay.file_log"),
        std::pair("coalesce(max(commit_no), 0) - count(*)", "_forebay.commit_log"),
        std::pair("count(*) - 1", "_forebay.pipelines WHERE fact = 'ledger_version'"),
        std::pair("count(*)", "_forebay.units WHERE state <> 'applied'")}) {
    const std::string found = reader.value(count, from);
    if (found != "0") wrong += fmt::format("{} of {} is {}\n", count, from, found);
  }
  return wrong + compare_files(reader, feed, units) + compare_tables(reader, feed, units);
}

}  // namespace forebay::test
