#include "net/credentials/ini.h"

#include <algorithm>

namespace forebay {
namespace {

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// A comment behind a value begins with a space: "#" may be part of a secret.
std::string_view without_comment(std::string_view value) {
  for (const char* mark : {" #", " ;", "\t#", "\t;"}) value = value.substr(0, value.find(mark));
  return trim(value);
}

}  // namespace

IniSections parse_ini(std::string_view text) {
  IniSections sections;
  std::map<std::string, std::string>* section = nullptr;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const bool indented = line.starts_with(' ') || line.starts_with('\t');
    const std::string_view content = trim(line);
    if (content.empty() || content[0] == '#' || content[0] == ';' || indented) continue;
    if (content[0] == '[') {
      const std::size_t close = content.find(']');
      if (close == std::string_view::npos) continue;
      section = &sections[std::string(trim(content.substr(1, close - 1)))];
    } else if (const std::size_t equals = content.find('=');
               equals != std::string_view::npos && section != nullptr) {
      (*section)[std::string(trim(content.substr(0, equals)))] =
          without_comment(content.substr(equals + 1));
    }
  }
  return sections;
}

}  // namespace forebay
