#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace forebay {

// A Parquet file held open for reading. Internal to parquet/.
class ParquetFile {
 public:
  // unavailable: it cannot be opened, or is no regular file.
  static Result<ParquetFile> open(const std::string& path, const std::string& object);

  ParquetFile(ParquetFile&& other) noexcept;
  ParquetFile(const ParquetFile&) = delete;
  ParquetFile& operator=(const ParquetFile&) = delete;
  ParquetFile& operator=(ParquetFile&&) = delete;
  ~ParquetFile();

  std::uint64_t size() const { return size_; }
  const std::string& object() const { return object_; }

  // Replaces `bytes` by exactly `length` bytes from `offset`. unavailable: reading failed, or the
  // file became shorter since it was opened.
  Status read(std::uint64_t offset, std::uint64_t length, std::string& bytes) const;

 private:
  ParquetFile(int descriptor, std::uint64_t size, std::string object);

  int descriptor_;
  std::uint64_t size_;
  std::string object_;
};

// The bytes between the data and the footer's length, after the marks at both ends and the length
// were checked. One read for most files. Errors as read_parquet_footer has them.
Result<std::string> read_footer_bytes(const ParquetFile& file);

// Where the data of a file ends whose footer has `footer_bytes` bytes.
std::uint64_t data_end(const ParquetFile& file, std::uint64_t footer_bytes);

}  // namespace forebay
