#include "app/text_table.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/check.h"

namespace forebay {

std::size_t display_width(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string one_line(const std::string& text, std::size_t width) {
  std::string line;
  std::size_t used = 0;
  const bool cut = display_width(text) > width;
  const std::size_t room = cut && width > 0 ? width - 1 : width;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0) != 0x80 && used++ == room) break;
    line.push_back(byte < 0x20 || byte == 0x7F ? '?' : c);
  }
  return cut && width > 0 ? line + "…" : line;
}

std::string error_in_one_line(std::string text, std::size_t width) {
  constexpr std::string_view kHint = "\n  hint: ";
  if (const std::size_t hint = text.find(kHint); hint != std::string::npos)
    text.replace(hint, kHint.size(), "; ");
  return one_line(text, width);
}

TextTable::TextTable(std::vector<Heading> headings) : headings_(std::move(headings)) {}

void TextTable::add(std::vector<std::string> cells) {
  CHECK(cells.size() == headings_.size());
  rows_.push_back(std::move(cells));
}

std::string TextTable::render(std::size_t indent) const {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < headings_.size(); ++i) {
    std::size_t width = display_width(headings_[i].text);
    for (const auto& row : rows_) width = std::max(width, display_width(row[i]));
    widths.push_back(width);
  }
  std::string out;
  const auto line = [&](const auto& cell_of) {
    std::string text(indent, ' ');
    for (std::size_t i = 0; i < headings_.size(); ++i) {
      const std::string& cell = cell_of(i);
      const std::string gap(widths[i] - display_width(cell), ' ');
      if (i > 0) text += "  ";
      text += headings_[i].align == Align::right ? gap + cell : cell + gap;
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + "\n";
  };
  line([&](std::size_t i) -> const std::string& { return headings_[i].text; });
  for (const auto& row : rows_) {
    line([&](std::size_t i) -> const std::string& { return row[i]; });
  }
  return out;
}

}  // namespace forebay
