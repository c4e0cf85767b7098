#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace forebay {

// What a server wrote, for a message: one line, and no longer than people read.
inline std::string printable(std::string_view text) {
  std::string out(text.substr(0, 300));
  std::ranges::replace_if(
      out, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  return out;
}

}  // namespace forebay
