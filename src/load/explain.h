#pragma once

#include <vector>

#include "base/error.h"
#include "engine/engine.h"

namespace forebay {

// An error that came of reading files, with the columns and values that caused it, where the engine
// finds them. What was read must still be there; without that the error is as it was.
Error explained(Error error, const std::vector<CollapseRequest>& read, Engine& engine);

}  // namespace forebay
