#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace forebay {

// Aligned columns for people. The first row is the heading; numbers stand to the right.
class TextTable {
 public:
  enum class Align { left, right };
  struct Heading {
    std::string text;
    Align align = Align::left;
  };

  explicit TextTable(std::vector<Heading> headings);
  void add(std::vector<std::string> cells);  // as many as there are headings
  bool empty() const { return rows_.empty(); }

  // Lines with a break each, indented; no blanks at the end of a line.
  std::string render(std::size_t indent = 0) const;

 private:
  std::vector<Heading> headings_;
  std::vector<std::vector<std::string>> rows_;
};

// Characters as a terminal counts them, for text in UTF-8 (combining marks are not looked at).
std::size_t display_width(const std::string& text);

// A text as one line of at most `width` characters: control characters are shown as '?', what is
// too long ends in "…".
std::string one_line(const std::string& text, std::size_t width);

// An error as describe() says it: its hint, which stands on a line of its own there, follows behind
// a semicolon.
std::string error_in_one_line(std::string text, std::size_t width);

}  // namespace forebay
