#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace forebay {

// The name in the file of a text column by its number: never one that a reader has for itself.
std::string text_column_name(std::size_t column);

// Writes rows of text as Parquet: optional strings, plain, uncompressed; meant to be read once,
// soon. Columns may be added between any two rows and are null in the rows before. Memory: one row
// group. A file without columns gets one that is null everywhere, since no reader takes fewer.
class TextParquetWriter {
 public:
  using Sink = std::function<Status(std::span<const std::byte>)>;

  explicit TextParquetWriter(Sink sink);

  // Gives the new column's number: 0, 1, …
  std::size_t add_column();
  std::size_t columns() const { return columns_.size(); }

  // The value of a column in the row that is being written, at most once a row; a column without
  // one is null there.
  void set(std::size_t column, std::string_view value);
  // Errors are the sink's.
  Status end_row();
  Status finish();

  std::uint64_t rows() const { return rows_; }

 private:
  struct Run {
    bool present;
    std::uint64_t count;
  };
  struct Column {
    std::string values;
    std::vector<Run> runs;     // of the row group
    std::uint64_t filled = 0;  // its rows that are in `runs`
  };
  struct Chunk {
    std::int64_t offset;
    std::int64_t bytes;
  };
  struct Group {
    std::uint64_t rows = 0;
    std::vector<Chunk> chunks;  // of the columns that there were when it was written
  };

  static void append_run(Column& column, bool present, std::uint64_t count);
  Status put(std::string_view bytes);
  Status write_group();
  Result<Chunk> write_chunk(Column& column, std::uint64_t rows);
  std::string end() const;

  Sink sink_;
  std::vector<Column> columns_;
  std::vector<Group> groups_;
  std::uint64_t offset_ = 0;
  std::uint64_t rows_ = 0;
  std::uint64_t group_rows_ = 0;
  std::size_t group_bytes_ = 0;
};

}  // namespace forebay
