#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "base/result.h"

namespace forebay {

// Reads JSON that somebody else wrote, strictly: damaged, with the position or the path, for what
// is no JSON (also invalid UTF-8, anything after the value), for an object that names a field twice
// (whichever of the two a reader takes, it would be a guess), for more than limits.h allows in
// depth or size. Never throws and never recurses. `object` names the text in errors.
Result<nlohmann::json> read_json(std::string_view text, const std::string& object);

// The value at "/a/b/0" in `value`, or nullptr. "" is the value itself. `~1` and `~0` stand for a
// slash and a tilde within a name (RFC 6901).
const nlohmann::json* json_at(const nlohmann::json& value, std::string_view path);

// What a message calls a value: a short text in quotes, a number, "an object", "nothing" for
// nullptr.
std::string json_name(const nlohmann::json* value);

}  // namespace forebay
