#include "support/text_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace forebay::test {

Result<std::string_view> Portions::next() {
  portion_ = bytes_.substr(at_, size_);
  at_ += portion_.size();
  return std::string_view(portion_);
}

std::string all_of(ByteSource& source) {
  std::string bytes;
  while (true) {
    const auto portion = source.next();
    if (!portion)
      return fmt::format("{}: {}", to_string(portion.error().code), portion.error().cause);
    if (portion->empty()) return bytes;
    bytes += *portion;
  }
}

Result<std::size_t> RowLines::add_column(std::string_view name) {
  names.emplace_back(name);
  return names.size() - 1;
}

void RowLines::set(std::size_t column, std::string_view value, TextOrigin /*origin*/) {
  row_.resize(names.size(), "null");
  row_[column] = fmt::format("<{}>", value);
}

Status RowLines::end_row() {
  row_.resize(names.size(), "null");
  lines.push_back(fmt::format("{}", fmt::join(row_, " ")));
  row_.clear();
  return {};
}

}  // namespace forebay::test
