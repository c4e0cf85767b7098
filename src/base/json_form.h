#pragma once

#include <string>
#include <vector>

namespace forebay {

// Text that is JSON and says where in a log a row stands. A form is a list of fields that it has,
// the most significant first; values are compared field by field.
struct JsonPart {
  enum class As {
    number,  // a whole number, 0 or more
    ending,  // the number at the end of a text: binlog.000047
    hex,     // hexadecimal digits in any case, perhaps in two groups: 3D/484A4908
    text,    // by bytes; must be the last part
  } as = As::text;
  std::string path;  // "/lsn"

  bool operator==(const JsonPart&) const = default;
};
using JsonForm = std::vector<JsonPart>;

}  // namespace forebay
