#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace forebay::test {

// What a test says a delivery of RollerUp holds, as plain values, and the maker that writes it:
// data files through DuckDB, markers as the document describes them.

// A cell: nothing (null), or a value that is cast to the column's type. Text fits every type.
using Cell = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

struct FeedColumn {
  std::string name;
  std::string type;  // in DuckDB's SQL
};
using FeedColumns = std::vector<FeedColumn>;

// amount INTEGER, note VARCHAR: what tests deliver that do not care.
const FeedColumns& plain_columns();

struct FeedRow {
  std::optional<std::string> id;
  std::optional<bool> deleted = false;
  std::vector<Cell> cells;  // of the file's columns, in their order; missing ones are null
};

FeedRow put(std::string id, std::vector<Cell> cells = {});
// A deleted row: null everywhere but in _row_id and _deleted.
FeedRow gone(std::string id);

struct FeedFile {
  std::string table;
  std::vector<FeedRow> rows;
  FeedColumns columns = plain_columns();
  bool there = true;                          // false: the marker lists it, but nobody wrote it
  std::optional<std::uint64_t> claimed_rows;  // what the marker says; absent: the truth
  std::optional<std::string> path;            // what the marker says; absent: where it stands
};

struct Marker {
  std::string name;  // of the marker's file, without ".json"
  std::string kind = "incremental";
  std::vector<FeedFile> files;
  std::string format_version = "v1";
  std::optional<std::string> created_at;  // absent: the time in its name
};

Marker batch(std::string name, std::vector<FeedFile> files = {});
// `name` is that of the batch it starts from; ".snapshot" is added.
Marker snapshot(std::string name, std::vector<FeedFile> files);

// "20261020T140000Z" plus so many quarters of an hour: names that grow.
std::string batch_name(int quarter);

class FeedMaker {
 public:
  // Writes below `bucket`/`prefix`; paths in markers begin with `prefix`, which is empty or ends in
  // a slash.
  FeedMaker(std::string bucket, std::string prefix);

  std::string source() const { return bucket_ + "/" + prefix_; }

  // Files first, then the marker, as the sender does.
  void deliver(const Marker& marker) const;

  void write_files(const Marker& marker) const;
  void write_marker(const Marker& marker) const;
  // The same meaning in other bytes: fields in another order, on lines of their own.
  void write_marker_again(const Marker& marker) const;
  void write_marker_text(std::string_view name, std::string_view text) const;
  void remove_marker(std::string_view name) const;
  // Where the n-th file of a marker stands, below the source.
  std::string key(const Marker& marker, std::size_t n) const;
  void remove_file(const Marker& marker, std::size_t n) const;

 private:
  std::string marker_text(const Marker& marker, bool pretty) const;

  std::string bucket_;
  std::string prefix_;
};

// Writes one Parquet file with `_row_id`, `_deleted` and the file's columns.
void write_feed_files(const std::vector<std::pair<std::string, const FeedFile*>>& files);

// Writes a file by renaming it into place, so that it always becomes a new version of its name.
void write_new_version(const std::string& path, std::string_view text);

}  // namespace forebay::test
