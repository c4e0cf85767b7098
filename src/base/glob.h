#pragma once

#include <cstddef>
#include <string_view>

namespace forebay {

// Whether a name has this form; `*` stands for any text, also none. Recursion is as deep as the
// form has stars.
inline bool matches_glob(std::string_view glob, std::string_view name) {
  const std::size_t star = glob.find('*');
  if (star == std::string_view::npos) return glob == name;
  if (!name.starts_with(glob.substr(0, star))) return false;
  name.remove_prefix(star);
  glob.remove_prefix(star + 1);
  for (std::size_t skipped = 0; skipped <= name.size(); ++skipped) {
    if (matches_glob(glob, name.substr(skipped))) return true;
  }
  return false;
}

}  // namespace forebay
