#include "load/explain.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>

namespace forebay {

Error explained(Error error, const std::vector<CollapseRequest>& read, Engine& engine) {
  // A damaged file is not read again for the sake of words: the next column might kill the reader.
  if (error.code != ErrorCode::drift && !error.cause.contains(kUnreadableValue)) return error;
  std::vector<std::string> all;
  for (const CollapseRequest& request : read) {
    std::string misfits = engine.misfits(request);
    if (!misfits.empty()) all.push_back(std::move(misfits));
  }
  if (!all.empty()) error.cause += fmt::format(" ({})", fmt::join(all, "; "));
  return error;
}

}  // namespace forebay
