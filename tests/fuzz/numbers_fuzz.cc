// Decimals in bytes and INT96, against arithmetic of 128 bits. The first byte is a scale.
#include <fmt/format.h>

#include <limits>

#include "base/encode.h"
#include "engine/decimal_text.h"
#include "engine/int96.h"
#include "engine/text_profile.h"
#include "fuzz/fuzz.h"

namespace forebay::test {
namespace {

__extension__ typedef unsigned __int128 Uint128;

std::string simple_decimal(std::string_view bytes, std::size_t scale) {
  const bool negative = !bytes.empty() && static_cast<signed char>(bytes[0]) < 0;
  Uint128 value = negative ? ~Uint128{0} : 0;
  for (const char c : bytes) value = value << 8 | static_cast<unsigned char>(c);
  if (negative) value = -value;
  std::string digits;
  for (; value != 0; value /= 10)
    digits.insert(0, 1, static_cast<char>('0' + static_cast<int>(value % 10)));
  if (digits.size() < scale + 1) digits.insert(0, scale + 1 - digits.size(), '0');
  if (scale > 0) digits.insert(digits.size() - scale, ".");
  return (negative ? "-" : "") + digits;
}

std::uint64_t number(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;)
    value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

std::optional<Int128> simple_int96(std::string_view bytes, std::int64_t tick) {
  const auto nanoseconds = static_cast<std::int64_t>(number(bytes.substr(0, 8)));
  const auto day = static_cast<std::int32_t>(number(bytes.substr(8)));
  const Int128 all = (Int128{day} - 2'440'588) * 86'400 * 1'000'000'000 + nanoseconds;
  if (all % tick != 0) return std::nullopt;
  return all / tick;
}

}  // namespace

FOREBAY_FUZZ(numbers) {
  const std::size_t scale = take_byte(input) % 40;
  const auto text = decimal_text(as_byte_span(input), static_cast<int>(scale));
  const bool is_one = !input.empty() && input.size() <= kMaxDecimalBytes;
  must(text.has_value() == is_one, "bytes are a decimal or too many");
  if (text && input.size() <= 16)
    must(*text == simple_decimal(input, scale), "a decimal has all its digits");
  for (const std::int64_t tick : {1, 1'000, 1'000'000, 1'000'000'000}) {
    const auto ticks = int96_ticks(as_byte_span(input), tick);
    if (input.size() != 12) {
      must(!ticks, "INT96 has twelve bytes");
      continue;
    }
    const auto expected = simple_int96(input, tick);
    // The outermost numbers are no times.
    constexpr Int128 kMost = std::numeric_limits<std::int64_t>::max();
    const bool fits = expected && *expected < kMost && *expected > -kMost;
    must(ticks.has_value() == fits, "a time has its ticks or too many");
    if (ticks) must(*ticks == *expected, "and the right ones");
  }
}

}  // namespace forebay::test
