#pragma once

#include <string_view>

namespace forebay {

// The version of this program, as CMakeLists.txt names it.
std::string_view version();

}  // namespace forebay
