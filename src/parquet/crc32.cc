#include "parquet/crc32.h"

#include <array>
#include <bit>
#include <cstring>

namespace forebay {
namespace {

constexpr std::uint32_t kPolynomial = 0xedb88320;  // the reversed form: lowest bit first
constexpr std::size_t kStep = 8;

using Tables = std::array<std::array<std::uint32_t, 256>, kStep>;

// tables[n][b] is what byte b contributes to the checksum when n more bytes follow it in the step.
constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ (value & 1 ? kPolynomial : 0);
    tables[0][byte] = value;
  }
  for (std::size_t n = 1; n < kStep; ++n) {
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = tables[n - 1][byte];
      tables[n][byte] = (before >> 8) ^ tables[0][before & 0xff];
    }
  }
  return tables;
}

constexpr Tables kTables = make_tables();
static_assert(std::endian::native == std::endian::little, "the steps load little-endian words");

}  // namespace

std::uint32_t crc32(std::string_view bytes, std::uint32_t so_far) {
  std::uint32_t value = ~so_far;
  // Eight bytes a step: one by one this would cost more than decoding the page.
  while (bytes.size() >= kStep) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), kStep);
    word ^= value;
    value = 0;
    for (std::size_t i = 0; i < kStep; ++i) value ^= kTables[kStep - 1 - i][word >> (8 * i) & 0xff];
    bytes.remove_prefix(kStep);
  }
  for (const char c : bytes) {
    value = (value >> 8) ^ kTables[0][(value ^ static_cast<unsigned char>(c)) & 0xff];
  }
  return ~value;
}

}  // namespace forebay
