#include "engine/int96.h"

#include <limits>

#include "engine/text_profile.h"

namespace forebay {
namespace {

constexpr std::int64_t kJulianDayOf1970 = 2'440'588;
// Whole in every unit that is asked for.
constexpr std::int64_t kNanosecondsOfADay = 86'400'000'000'000;

// Lowest byte first.
std::uint64_t number(std::span<const std::byte> bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;)
    value = value << 8 | std::to_integer<std::uint64_t>(bytes[i]);
  return value;
}

}  // namespace

std::optional<std::int64_t> int96_ticks(std::span<const std::byte> bytes,
                                        std::int64_t nanoseconds_of_a_tick) {
  if (bytes.size() != 12) return std::nullopt;
  const auto of_day = static_cast<std::int64_t>(number(bytes.first(8)));
  const auto day = static_cast<std::int32_t>(number(bytes.last(4)));
  if (of_day % nanoseconds_of_a_tick != 0) return std::nullopt;
  // The first day that has ticks begins before them.
  const Int128 ticks =
      Int128{day - kJulianDayOf1970} * (kNanosecondsOfADay / nanoseconds_of_a_tick) +
      of_day / nanoseconds_of_a_tick;
  // The engine keeps the outermost numbers for times that have no end.
  constexpr Int128 kMost = std::numeric_limits<std::int64_t>::max();
  if (ticks >= kMost || ticks <= -kMost) return std::nullopt;
  return static_cast<std::int64_t>(ticks);
}

}  // namespace forebay
