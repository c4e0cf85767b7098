#include "base/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

namespace forebay {
namespace {

struct Number {
  double value = 0;
  std::string unit;  // what follows, in lower case, without blanks before it
};

std::optional<Number> split(std::string_view text) {
  Number number;
  const std::size_t digits = text.find_first_not_of("0123456789.");
  const std::string_view head = text.substr(0, digits);
  const auto [end, error] = std::from_chars(head.data(), head.data() + head.size(), number.value,
                                            std::chars_format::fixed);
  if (head.empty() || error != std::errc() || end != head.data() + head.size()) return std::nullopt;
  std::string_view unit = digits == std::string_view::npos ? "" : text.substr(digits);
  while (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
  for (const char c : unit) {
    number.unit.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
  }
  return number;
}

}  // namespace

std::optional<std::uint64_t> parse_size(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, double>, 5> kUnits = {
      {{"", 0}, {"k", 1}, {"m", 2}, {"g", 3}, {"t", 4}}};
  const auto number = split(text);
  if (!number) return std::nullopt;
  std::string unit = number->unit;
  if (unit.ends_with('b')) unit.pop_back();
  const bool binary = unit.ends_with('i');
  if (binary) unit.pop_back();
  for (const auto& [name, power] : kUnits) {
    if (unit != name || (binary && power == 0)) continue;
    const double total = number->value * std::pow(binary ? 1024.0 : 1000.0, power);
    if (total > 1e18) return std::nullopt;
    return static_cast<std::uint64_t>(std::llround(total));
  }
  return std::nullopt;
}

std::string format_size(std::uint64_t bytes) {
  static constexpr std::array<std::string_view, 5> kUnits = {"B", "kB", "MB", "GB", "TB"};
  if (bytes < 1000) return fmt::format("{} B", bytes);
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 999.95 && unit + 1 < kUnits.size()) {
    value /= 1000;
    ++unit;
  }
  return fmt::format("{:.1f} {}", value, kUnits[unit]);
}

std::string format_count(std::uint64_t count) {
  const std::string digits = std::to_string(count);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text.push_back(',');
    text.push_back(digits[i]);
  }
  return text;
}

std::string format_seconds(double seconds) {
  if (seconds < 10) return fmt::format("{:.2f} s", seconds);
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string format_age(Duration age) {
  const auto seconds =
      std::max<std::int64_t>(0, std::chrono::duration_cast<std::chrono::seconds>(age).count());
  const auto say = [](std::int64_t n, std::string_view word) {
    return fmt::format("{} {}{}", n, word, n == 1 ? "" : "s");
  };
  if (seconds < 120) return say(seconds, "second");
  if (seconds < 120 * 60) return say(seconds / 60, "minute");
  if (seconds < 48 * 3600) return say(seconds / 3600, "hour");
  return say(seconds / 86'400, "day");
}

}  // namespace forebay
