#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "decode/byte_source.h"
#include "decode/row_sink.h"

namespace forebay::test {

// Bytes in portions of a chosen size, as a disk would never give them.
class Portions final : public ByteSource {
 public:
  Portions(std::string bytes, std::size_t size) : bytes_(std::move(bytes)), size_(size) {}
  Result<std::string_view> next() override;

 private:
  std::string bytes_;
  std::size_t size_;
  std::size_t at_ = 0;
  std::string portion_;
};

// The rest of a source, or the error as "damaged: cause".
std::string all_of(ByteSource& source);

// Rows as lines: the columns' values in angle brackets in the order of the columns, "null" without.
class RowLines final : public RowSink {
 public:
  Result<std::size_t> add_column(std::string_view name) override;
  void set(std::size_t column, std::string_view value, TextOrigin origin) override;
  Status end_row() override;

  std::vector<std::string> names;
  std::vector<std::string> lines;

 private:
  std::vector<std::string> row_;
};

}  // namespace forebay::test
