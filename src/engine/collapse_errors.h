#pragma once

#include <cstdint>

#include "base/error.h"
#include "engine/engine.h"

namespace forebay {

// What is said of the files of a request that cannot be read as they were promised. Internal to
// engine/.

// Of the files that are read whole.
std::uint64_t rows_promised(const CollapseRequest& request);

// Whatever the reader says about bytes that were staged and verified is about the bytes, unless it
// is about this machine (memory, disk) or about us being asked to stop.
Error about_files(Error error, const CollapseRequest& request);

Error null_key(const CollapseRequest& request);
Error wrong_count(const CollapseRequest& request, std::uint64_t read);

}  // namespace forebay
