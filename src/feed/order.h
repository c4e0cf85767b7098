#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "feed/pattern.h"

namespace forebay {

// A unit's place in the order of its feed, as bytes: comparing two places with memcmp compares the
// captures that `order` names, one after the other, text as bytes, numbers and times by value; a
// capture that the unit's pattern lacks comes before every value. Two names of one feed that differ
// have different places: `name` decides where the captures are equal.
//
// Durable: places stand in the ledger, so this form never changes. Each part is 00 (absent), or 01
// and the value: text with 00 written as 00 FF and closed by 00 00; a number as 8 bytes,
// big-endian; a time as microseconds since 1970 in 8 bytes, big-endian, with the sign bit flipped.
std::string encode_place(const std::vector<std::string>& order, const Captures& captures,
                         std::string_view key, std::string_view name);

// One value in the same form, so that values of one type compare as bytes.
std::string encode_value(const CaptureValue& value);

// Names of a unit that need no capture: `$file` is the last segment of its key, `$key` all of it.
// The same for values that stand elsewhere than in a name.
std::string encode_place(const std::vector<std::optional<CaptureValue>>& values,
                         std::string_view name);

// Names of a unit that need no capture: `$file` is the last segment of its key, `$stem` that
// without its ending (`.csv`, `.csv.gz`), `$key` all of it, `$folder` what stands before the last
// slash, nothing at the top.
bool is_builtin_capture(std::string_view name);
std::string_view builtin_capture(std::string_view name, std::string_view key);

}  // namespace forebay
