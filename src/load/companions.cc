#include "load/companions.h"

#include <fmt/format.h>

#include <utility>

#include "base/limits.h"
#include "feed/content.h"
#include "load/small_object.h"

namespace forebay {

Result<std::string> companion_key(const Companion& companion, const UnitName& unit) {
  auto key = expand_template(companion.key, unit);
  if (key) return std::move(*key);
  return fail({.code = ErrorCode::refused,
               .operation = "find the companion of",
               .object = unit.key,
               .cause = fmt::format("its name does not give \"{}\"", companion.key)});
}

Result<FoundCompanions> read_companions(const Pipeline& pipeline, const UnitName& unit) {
  FoundCompanions found;
  for (const Companion& companion : pipeline.feed.companions) {
    ASSIGN_OR_RETURN(const std::string key, companion_key(companion, unit));
    ASSIGN_OR_RETURN(auto text, read_small_object(pipeline, key, kMaxDocumentBytes));
    if (!text) {
      found.missing = key;
      return found;
    }
    found.texts[companion.name] = std::move(*text);
  }
  return found;
}

}  // namespace forebay
