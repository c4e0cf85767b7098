#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace forebay {

// A time as Impala, Hive and Spark keep it in an INT96 (parquet-format, Encodings.md and
// LogicalTypes.md, "deprecated"): eight bytes of nanoseconds since midnight, then four of the
// Julian day, the lowest byte first. As ticks of so many nanoseconds since 1970-01-01. Nothing: it
// is none of 12 bytes, lies between two ticks, or has more than there are in 64 bits.
std::optional<std::int64_t> int96_ticks(std::span<const std::byte> bytes,
                                        std::int64_t nanoseconds_of_a_tick);

// What it is called in SQL.
inline constexpr const char* kInt96Function = "_forebay_int96";

}  // namespace forebay
