#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace forebay {

// The whole of a small text file: configuration, a description, a secret. not_found, denied,
// invalid_config (a folder, or larger than `limit` bytes).
Result<std::string> read_file_text(const std::string& path, std::uint64_t limit);

// `path`, or where it leads from `folder` when it is relative; without "." and ".." parts.
std::string resolve_path(const std::string& path, const std::string& folder);

}  // namespace forebay
