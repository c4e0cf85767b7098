#include "base/check.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace forebay {

void check_failed(std::string_view what, std::source_location where) {
  const std::string text(what);
  std::fprintf(stderr, "forebay: internal error: %s does not hold (%s:%u)\n", text.c_str(),
               where.file_name(), static_cast<unsigned>(where.line()));
  std::fflush(stderr);
  std::_Exit(6);
}

}  // namespace forebay
