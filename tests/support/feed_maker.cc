#include "support/feed_maker.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/check.h"
#include "base/time_text.h"
#include "engine/value.h"
#include "support/parquet_maker.h"

namespace forebay::test {
namespace {

using duckdb::literal;
using duckdb::quote;

constexpr const char* kNameFormat = "%Y%m%dT%H%M%SZ";

std::string cell_sql(const Cell& cell) {
  if (const auto* flag = std::get_if<bool>(&cell)) return *flag ? "true" : "false";
  if (const auto* number = std::get_if<std::int64_t>(&cell)) return std::to_string(*number);
  if (const auto* real = std::get_if<double>(&cell)) return fmt::format("{}", *real);
  if (const auto* text = std::get_if<std::string>(&cell)) return literal(*text);
  return "NULL";
}

std::string row_sql(const FeedRow& row, std::size_t columns) {
  std::string sql = "(" + (row.id ? literal(*row.id) : "NULL");
  sql += row.deleted ? (*row.deleted ? ", true" : ", false") : ", NULL";
  for (std::size_t i = 0; i < columns; ++i)
    sql += ", " + (i < row.cells.size() ? cell_sql(row.cells[i]) : std::string("NULL"));
  return sql + ")";
}

// A query with the file's rows. Cells of one column must be spelled alike, all as numbers or all as
// text.
std::string rows_sql(const FeedFile& file) {
  std::string select = "SELECT c0::VARCHAR AS \"_row_id\", c1::BOOLEAN AS \"_deleted\"";
  std::string names = "c0, c1";
  for (std::size_t i = 0; i < file.columns.size(); ++i) {
    select +=
        fmt::format(", c{}::{} AS {}", i + 2, file.columns[i].type, quote(file.columns[i].name));
    names += fmt::format(", c{}", i + 2);
  }
  std::string rows;
  for (const FeedRow& row : file.rows)
    rows += (rows.empty() ? "" : ", ") + row_sql(row, file.columns.size());
  const bool none = file.rows.empty();
  if (none) rows = row_sql({}, file.columns.size());
  return fmt::format("{} FROM (VALUES {}) t({}){}", select, rows, names, none ? " LIMIT 0" : "");
}

void remove_or_fail(const std::string& path) { CHECK(std::filesystem::remove(path)); }

}  // namespace

const FeedColumns& plain_columns() {
  static const FeedColumns columns = {{"amount", "INTEGER"}, {"note", "VARCHAR"}};
  return columns;
}

FeedRow put(std::string id, std::vector<Cell> cells) {
  return {.id = std::move(id), .cells = std::move(cells)};
}

FeedRow gone(std::string id) { return {.id = std::move(id), .deleted = true}; }

Marker batch(std::string name, std::vector<FeedFile> files) {
  return {.name = std::move(name), .files = std::move(files)};
}

Marker snapshot(std::string name, std::vector<FeedFile> files) {
  return {.name = std::move(name) + ".snapshot", .kind = "snapshot", .files = std::move(files)};
}

std::string batch_name(int quarter) {
  const Time first =
      std::chrono::sys_days{std::chrono::year{2026} / 10 / 20} + std::chrono::hours(14);
  return format_time(first + quarter * std::chrono::minutes(15), kNameFormat);
}

void write_feed_files(const std::vector<std::pair<std::string, const FeedFile*>>& files) {
  std::string sql;
  for (const auto& [path, file] : files) {
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    sql += fmt::format("COPY ({}) TO {} (FORMAT parquet);", rows_sql(*file), literal(path));
  }
  if (!sql.empty()) run_sql(sql);
}

void write_new_version(const std::string& path, std::string_view text) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  const std::string draft = std::filesystem::path(path).parent_path().string() + "/.draft";
  std::ofstream out(draft, std::ios::binary);
  out << text;
  out.close();
  CHECK(out.good());
  std::filesystem::rename(draft, path);
}

FeedMaker::FeedMaker(std::string bucket, std::string prefix)
    : bucket_(std::move(bucket)), prefix_(std::move(prefix)) {
  std::filesystem::create_directories(source());
}

std::string FeedMaker::key(const Marker& marker, std::size_t n) const {
  const std::string& table = marker.files[n].table;
  std::size_t number = 1;
  for (std::size_t i = 0; i < n; ++i) number += marker.files[i].table == table ? 1 : 0;
  return number == 1 ? fmt::format("{}/{}.parquet", table, marker.name)
                     : fmt::format("{}/{}-{:04}.parquet", table, marker.name, number);
}

void FeedMaker::write_files(const Marker& marker) const {
  std::vector<std::pair<std::string, const FeedFile*>> files;
  for (std::size_t i = 0; i < marker.files.size(); ++i) {
    if (marker.files[i].there) files.emplace_back(source() + key(marker, i), &marker.files[i]);
  }
  write_feed_files(files);
}

std::string FeedMaker::marker_text(const Marker& marker, bool pretty) const {
  nlohmann::ordered_json files = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < marker.files.size(); ++i) {
    const FeedFile& file = marker.files[i];
    files.push_back({{"table", file.table},
                     {"path", file.path.value_or(prefix_ + key(marker, i))},
                     {"rows", file.claimed_rows.value_or(file.rows.size())}});
  }
  const std::string batch = marker.name.substr(0, marker.name.find('.'));
  std::string created = marker.created_at.value_or("");
  if (!marker.created_at) {
    const auto time = parse_time(batch, kNameFormat);
    created = time ? format_rfc3339(*time) : "2026-10-20T14:00:00Z";
  }
  nlohmann::ordered_json json;
  if (pretty) json["files"] = files;
  json["batch"] = batch;
  if (!marker.kind.empty()) json["kind"] = marker.kind;
  json["format_version"] = marker.format_version;
  json["created_at"] = created;
  json["files"] = files;
  return json.dump(pretty ? 2 : -1);
}

void FeedMaker::write_marker(const Marker& marker) const {
  write_marker_text(marker.name, marker_text(marker, false));
}

void FeedMaker::write_marker_again(const Marker& marker) const {
  write_marker_text(marker.name, marker_text(marker, true));
}

void FeedMaker::write_marker_text(std::string_view name, std::string_view text) const {
  write_new_version(fmt::format("{}_batches/{}.json", source(), name), text);
}

void FeedMaker::deliver(const Marker& marker) const {
  write_files(marker);
  write_marker(marker);
}

void FeedMaker::remove_marker(std::string_view name) const {
  remove_or_fail(fmt::format("{}_batches/{}.json", source(), name));
}

void FeedMaker::remove_file(const Marker& marker, std::size_t n) const {
  remove_or_fail(source() + key(marker, n));
}

}  // namespace forebay::test
