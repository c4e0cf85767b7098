#include "base/crc32c.h"

#include <fmt/format.h>

#include <array>

#include "base/encode.h"

namespace forebay {
namespace {

constexpr std::uint32_t kPolynomial = 0x82f63b78;  // bits reversed, as the algorithm shifts right

// tables[n][b]: what byte b does to the checksum when n more bytes follow. Eight tables let eight
// bytes be taken at once.
using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) != 0 ? kPolynomial : 0);
    tables[0][byte] = value;
  }
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    for (std::size_t n = 1; n < tables.size(); ++n) {
      const std::uint32_t before = tables[n - 1][byte];
      tables[n][byte] = (before >> 8) ^ tables[0][before & 0xff];
    }
  }
  return tables;
}

constexpr Tables kTables = make_tables();

}  // namespace

void Crc32c::update(std::span<const std::byte> bytes) {
  const auto at = [&](std::size_t i) { return std::to_integer<std::uint32_t>(bytes[i]); };
  std::uint32_t state = state_;
  while (bytes.size() >= 8) {
    const std::uint32_t low = state ^ (at(0) | at(1) << 8 | at(2) << 16 | at(3) << 24);
    state = kTables[7][low & 0xff] ^ kTables[6][(low >> 8) & 0xff] ^
            kTables[5][(low >> 16) & 0xff] ^ kTables[4][low >> 24] ^ kTables[3][at(4)] ^
            kTables[2][at(5)] ^ kTables[1][at(6)] ^ kTables[0][at(7)];
    bytes = bytes.subspan(8);
  }
  for (const std::byte byte : bytes)
    state = (state >> 8) ^ kTables[0][(state ^ std::to_integer<std::uint32_t>(byte)) & 0xff];
  state_ = state;
}

void Crc32c::update(std::string_view text) { update(as_byte_span(text)); }

std::string Crc32c::hex() const { return fmt::format("{:08x}", value()); }

}  // namespace forebay
