#pragma once

#include <string_view>

namespace forebay {

// Whether bytes, and the secrets that open them, may be sent to this address: https, or http on
// this machine alone.
bool is_safe_url(std::string_view url);

}  // namespace forebay
