#include "base/duration_text.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdint>

namespace forebay {
namespace {

struct Unit {
  char letter;
  std::int64_t seconds;
};
constexpr std::array<Unit, 5> kUnits = {
    {{'w', 604'800}, {'d', 86'400}, {'h', 3'600}, {'m', 60}, {'s', 1}}};
constexpr std::int64_t kMostSeconds = std::int64_t{100} * 366 * 86'400;

}  // namespace

std::optional<Duration> parse_duration(std::string_view text) {
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || number < 0 || end - rest != 1) return std::nullopt;
  for (const Unit& unit : kUnits) {
    if (unit.letter != *rest) continue;
    if (number > kMostSeconds / unit.seconds) return std::nullopt;
    return std::chrono::seconds(number * unit.seconds);
  }
  return std::nullopt;
}

std::string format_duration(Duration duration) {
  std::int64_t seconds = std::chrono::floor<std::chrono::seconds>(duration).count();
  if (seconds == 0) return "0s";
  for (const Unit& unit : kUnits) {
    if (seconds % unit.seconds == 0)
      return fmt::format("{}{}", seconds / unit.seconds, unit.letter);
  }
  return fmt::format("{}s", seconds);
}

}  // namespace forebay
