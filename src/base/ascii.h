#pragma once

#include <algorithm>
#include <cctype>
#include <string_view>

namespace forebay {

// Names as databases compare them: ASCII letters without regard to case, all other bytes as they
// are.
inline bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

}  // namespace forebay
