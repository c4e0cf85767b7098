#pragma once

#include <span>
#include <string_view>

namespace forebay {

// Keys beside `source` that the program reads itself; all others go to the feed.
std::span<const std::string_view> program_keys();

// Keys that are documented and that this version does not carry yet, unless the feed knows them.
std::span<const std::string_view> later_keys();

}  // namespace forebay
