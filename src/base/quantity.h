#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace forebay {

// Sizes, counts and times as people write and read them (durations of configurations: see
// duration_text.h). Pure functions.

// "512MB" (powers of 1,000), "2GiB" (powers of 1,024), "4096" (bytes); K M G T, the B may be
// missing, case does not matter, blanks may stand before the unit.
std::optional<std::uint64_t> parse_size(std::string_view text);

std::string format_size(std::uint64_t bytes);   // "0 B", "1.2 MB"
std::string format_count(std::uint64_t count);  // "1,234,567"
std::string format_seconds(double seconds);     // "0.84 s", "3 min 05 s", "2 h 10 min"
std::string format_age(Duration age);           // "42 seconds", "3 minutes", "2 days"

}  // namespace forebay
