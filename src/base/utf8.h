#pragma once

#include <string>
#include <string_view>

namespace forebay {

// Whether the bytes are well-formed UTF-8.
bool is_utf8(std::string_view bytes);

// The same text, with U+FFFD for each byte that is part of no character.
std::string valid_utf8(std::string_view bytes);

}  // namespace forebay
