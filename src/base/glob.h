#pragma once

#include <cstddef>
#include <string_view>

namespace forebay {

// Whether a name has this form; `*` stands for any text, also none. Takes time in proportion to
// both lengths at most, however many stars there are.
inline bool matches_glob(std::string_view glob, std::string_view name) {
  std::size_t in_glob = 0;
  std::size_t in_name = 0;
  // Where the last star stands, and where the text that it stands for ends so far. Only the last
  // one ever needs another try: what comes before it has its first place already.
  std::size_t star = std::string_view::npos;
  std::size_t star_end = 0;
  while (in_name < name.size()) {
    if (in_glob < glob.size() && glob[in_glob] == '*') {
      star = in_glob++;
      star_end = in_name;
    } else if (in_glob < glob.size() && glob[in_glob] == name[in_name]) {
      ++in_glob;
      ++in_name;
    } else if (star != std::string_view::npos) {
      in_glob = star + 1;
      in_name = ++star_end;
    } else {
      return false;
    }
  }
  return glob.find_first_not_of('*', in_glob) == std::string_view::npos;
}

}  // namespace forebay
