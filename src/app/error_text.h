#pragma once

#include <nlohmann/json.hpp>

#include "base/error.h"

namespace forebay {

// What the program prints as JSON keeps the order in which it was written.
using Json = nlohmann::ordered_json;

// {"code", "message", "object", "hint"}.
Json error_json(const Error& error);

// The same error with a hint, if it had none: what its code asks for.
Error with_hint(Error error);

}  // namespace forebay
