#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "base/result.h"
#include "load/pipeline.h"

namespace forebay {

// The whole text of a small object, as it is now; nothing when it is not there. One of more than
// `limit` bytes is read as an empty text, which is no form of anything.
Result<std::optional<std::string>> read_small_object(const Pipeline& pipeline,
                                                     const std::string& key, std::size_t limit);

}  // namespace forebay
