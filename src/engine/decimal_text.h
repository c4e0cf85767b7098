#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace forebay {

// A decimal as Parquet keeps it in bytes: a whole number in two's complement, the highest byte
// first, of which the last `scale` digits stand behind the point (parquet-format, LogicalTypes.md,
// DECIMAL). Exact at any length: "-0.05" of the one byte FB and 2. Nothing: there is no byte, or
// there are more than kMaxDecimalBytes.
std::optional<std::string> decimal_text(std::span<const std::byte> bytes, int scale);

// 76 digits need 32.
inline constexpr std::size_t kMaxDecimalBytes = 64;
// What it is called in SQL.
inline constexpr const char* kDecimalFunction = "_forebay_decimal";

}  // namespace forebay
