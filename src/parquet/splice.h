#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <parquet_types.h>
#include "base/result.h"

namespace forebay {

// Makes one Parquet file of many small ones: their row groups follow each other, with pages as they
// are, and one column more says which file a row is of. A reader opens and plans one file then, and
// that is most of what a file of a few rows costs it. Memory: the footers' row groups.
class ParquetSplicer {
 public:
  using Sink = std::function<Status(std::span<const std::byte>)>;

  // Files of more bytes than `most` are not taken: copying costs them more than opening.
  ParquetSplicer(Sink sink, std::uint64_t most) : sink_(std::move(sink)), most_(most) {}

  // Appends a file that was verified; `number` is what the column says of its rows. false: it is
  // too large, its footer differs from the first one's in more than rows, or its pages cannot be
  // moved; nothing was written then. unavailable: it cannot be read. Other errors are the sink's.
  Result<bool> add(const std::string& path, const std::string& object, std::int64_t number);
  Status finish();

  // The name of the column, which no column of the files has; known once a file was added.
  const std::string& column() const { return column_; }
  std::uint64_t rows() const { return rows_; }
  std::uint64_t bytes() const { return offset_; }
  // Column chunks: what the footer grows with.
  std::size_t chunks() const { return chunks_; }

 private:
  Status begin(const parquet::FileMetaData& first);
  Status put(std::string_view bytes);
  Status flush();
  Status put_number(parquet::RowGroup& group, std::int64_t number);

  Sink sink_;
  std::uint64_t most_;
  std::string waiting_;  // bytes on their way to the sink
  std::string column_;
  // What the footers have in common, and the row groups so far.
  std::optional<parquet::FileMetaData> shared_;
  std::vector<parquet::RowGroup> groups_;
  std::uint64_t offset_ = 0;
  std::uint64_t rows_ = 0;
  std::size_t chunks_ = 0;
};

}  // namespace forebay
