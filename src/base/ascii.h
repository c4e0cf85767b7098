#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace forebay {

// Names as databases compare them: ASCII letters without regard to case, all other bytes as they
// are.
inline bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

// The same of both for names that are equal in this way.
inline std::string in_small_letters(std::string_view name) {
  std::string result(name);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

}  // namespace forebay
