#include "engine/decimal_text.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace forebay {
namespace {

// Of two's complement the amount, as 32-bit parts, the highest first.
std::vector<std::uint32_t> amount(std::span<const std::byte> bytes, bool negative) {
  std::vector<std::uint32_t> parts((bytes.size() + 3) / 4, 0);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const std::size_t place = bytes.size() - 1 - i;  // from the lowest byte
    auto byte = std::to_integer<std::uint32_t>(bytes[i]);
    if (negative) byte = ~byte & 0xFF;
    parts[parts.size() - 1 - place / 4] |= byte << (8 * (place % 4));
  }
  for (std::size_t i = parts.size(); negative && i-- > 0;) {
    if (++parts[i] != 0) break;
  }
  return parts;
}

// Divides by ten and gives the rest.
char next_digit(std::vector<std::uint32_t>& parts) {
  std::uint64_t rest = 0;
  for (std::uint32_t& part : parts) {
    const std::uint64_t value = (rest << 32) | part;
    part = static_cast<std::uint32_t>(value / 10);
    rest = value % 10;
  }
  return static_cast<char>('0' + rest);
}

}  // namespace

std::optional<std::string> decimal_text(std::span<const std::byte> bytes, int scale) {
  if (bytes.empty() || bytes.size() > kMaxDecimalBytes) return std::nullopt;
  const bool negative = (bytes.front() & std::byte{0x80}) != std::byte{0};
  std::vector<std::uint32_t> parts = amount(bytes, negative);
  const auto behind = static_cast<std::size_t>(std::max(scale, 0));
  std::string backwards;
  const auto more = [&] { return std::ranges::any_of(parts, [](auto part) { return part != 0; }); };
  while (more() || backwards.size() <= behind) backwards += next_digit(parts);
  if (behind > 0) backwards.insert(behind, ".");
  if (negative) backwards += '-';
  std::ranges::reverse(backwards);
  return backwards;
}

}  // namespace forebay
