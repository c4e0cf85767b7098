#pragma once

#include <string>
#include <vector>

#include "feed/recognise.h"

namespace forebay::cli {

// A configuration that loads what was recognised, with comments. `settings` are KEY=VALUE texts
// that the store needed; they are repeated in it.
std::string config_for(const Recognised& found, const std::string& source,
                       const std::vector<std::string>& settings);

// A name for a pipeline, its schema or table, after the last part of a source.
std::string name_after(const std::string& source);

}  // namespace forebay::cli
