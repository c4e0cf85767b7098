#pragma once

#include <string>

#include "base/result.h"
#include "feed/feed.h"
#include "feed/unit.h"
#include "load/pipeline.h"

namespace forebay {

// A unit's companions as they are now. `missing`: the key of one that is not there; empty: none.
struct FoundCompanions {
  Companions texts;
  std::string missing;
};
Result<FoundCompanions> read_companions(const Pipeline& pipeline, const UnitName& unit);

// refused: the unit's name does not give the key.
Result<std::string> companion_key(const Companion& companion, const UnitName& unit);

}  // namespace forebay
