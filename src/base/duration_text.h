#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace forebay {

// Durations as people write them: a whole number and one of s, m, h, d, w ("90s", "15m", "2d"), not
// negative and at most a hundred years; else nullopt. "0s" is none at all.
std::optional<Duration> parse_duration(std::string_view text);

// The shortest such text, rounded down to whole seconds: "1w", "36h", "90s".
std::string format_duration(Duration duration);

// What parse_duration() takes, for messages.
inline constexpr std::string_view kDurationForm = "a number and s, m, h, d or w, such as 90s or 2d";

}  // namespace forebay
