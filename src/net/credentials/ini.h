#pragma once

#include <map>
#include <string>
#include <string_view>

namespace forebay {

// A file of sections with "name = value" lines, as AWS's shared files have them: [name] headings,
// comments with '#' or ';', indented lines (nested settings) passed over. Later values win. Lines
// of another shape are passed over: other programs may own them.
using IniSections = std::map<std::string, std::map<std::string, std::string>>;
IniSections parse_ini(std::string_view text);

}  // namespace forebay
