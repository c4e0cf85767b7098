#include "engine/text_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace forebay {
namespace {

constexpr int kMaxDecimalDigits = 38;
constexpr int kSmallDecimalDigits = 18;
// No number worth the name is longer; DOUBLE's longest print is far shorter.
constexpr std::size_t kLongestNumber = 400;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::size_t count_digits(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, is_digit) - text.begin());
}

// -12.50: no sign but minus, no needless zero in front, no minus before nothing but zeros.
struct Numeral {
  bool negative = false;
  std::string_view whole;
  std::string_view fraction;
};

std::optional<Numeral> read_numeral(std::string_view text) {
  Numeral numeral;
  if (text.starts_with('-')) {
    numeral.negative = true;
    text.remove_prefix(1);
  }
  numeral.whole = text.substr(0, count_digits(text));
  if (numeral.whole.empty() || (numeral.whole.size() > 1 && numeral.whole[0] == '0')) return {};
  text.remove_prefix(numeral.whole.size());
  if (!text.empty()) {
    if (text.front() != '.') return {};
    numeral.fraction = text.substr(1);
    if (numeral.fraction.empty() || count_digits(numeral.fraction) != numeral.fraction.size())
      return {};
  }
  const auto zeros = [](std::string_view digits) {
    return digits.find_first_not_of('0') == std::string_view::npos;
  };
  if (numeral.negative && zeros(numeral.whole) && zeros(numeral.fraction)) return {};
  return numeral;
}

// At most 38 digits, so that it cannot overflow.
Int128 integer_value(const Numeral& numeral) {
  Int128 value = 0;
  for (const char c : numeral.whole) value = value * 10 + (c - '0');
  return numeral.negative ? -value : value;
}

std::optional<double> read_double(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

// As DuckDB prints a DOUBLE: the fewest digits that give it back, always with a point or exponent.
bool prints_back_from_double(std::string_view text) {
  if (text == "nan" || text == "inf" || text == "-inf") return true;
  if (text.size() > kLongestNumber || text.find_first_of(".e") == text.npos) return false;
  const auto value = read_double(text);
  if (!value || !std::isfinite(*value)) return false;
  if (*value == 0 && text.starts_with('-')) return false;
  std::array<char, 64> buffer{};
  char* end = fmt::format_to(buffer.data(), "{}", *value);
  std::string_view printed(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  if (printed == text) return true;
  return printed.find_first_of(".e") == printed.npos && text.size() == printed.size() + 2 &&
         text.starts_with(printed) && text.ends_with(".0");
}

// The number that DOUBLE holds, written in full, is the one that was written.
bool double_holds(std::string_view text, const Numeral& numeral) {
  // DOUBLE keeps any fifteen digits.
  if (numeral.whole.size() + numeral.fraction.size() <= 15) return true;
  if (text.size() > kLongestNumber) return false;
  const auto value = read_double(text);
  if (!value || !std::isfinite(*value)) return false;
  std::array<char, 1200> buffer{};
  const auto [end, error] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), *value, std::chars_format::fixed);
  if (error != std::errc()) return false;
  const auto held = read_numeral({buffer.data(), static_cast<std::size_t>(end - buffer.data())});
  if (!held) return false;
  const auto trimmed = [](std::string_view digits) {
    return digits.substr(0, digits.find_last_not_of('0') + 1);
  };
  return held->negative == numeral.negative && held->whole == numeral.whole &&
         trimmed(held->fraction) == trimmed(numeral.fraction);
}

std::optional<int> two_digits(std::string_view text, std::size_t at) {
  if (!is_digit(text[at]) || !is_digit(text[at + 1])) return {};
  return (text[at] - '0') * 10 + (text[at + 1] - '0');
}

// 2026-10-20: a day that there is, from the year 1.
bool is_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  const auto century = two_digits(text, 0);
  const auto year = two_digits(text, 2);
  const auto month = two_digits(text, 5);
  const auto day = two_digits(text, 8);
  if (!century || !year || !month || !day || *century + *year == 0) return false;
  return std::chrono::year_month_day(std::chrono::year(*century * 100 + *year),
                                     std::chrono::month(static_cast<unsigned>(*month)),
                                     std::chrono::day(static_cast<unsigned>(*day)))
      .ok();
}

// 2026-10-20 14:03:00.25: the digits of the fraction, which does not end in a zero.
std::optional<int> timestamp_digits(std::string_view text) {
  if (text.size() < 19 || !is_date(text.substr(0, 10)) || text[10] != ' ' || text[13] != ':' ||
      text[16] != ':') {
    return {};
  }
  const auto hour = two_digits(text, 11);
  const auto minute = two_digits(text, 14);
  const auto second = two_digits(text, 17);
  if (!hour || !minute || !second || *hour > 23 || *minute > 59 || *second > 59) return {};
  if (text.size() == 19) return 0;
  const std::string_view fraction = text.substr(20);
  if (text[19] != '.' || fraction.empty() || fraction.size() > 6 || fraction.ends_with('0') ||
      count_digits(fraction) != fraction.size()) {
    return {};
  }
  return static_cast<int>(fraction.size());
}

struct IntegerRange {
  TypeKind kind;
  Int128 smallest;
  Int128 largest;
};

template <class Integer>
constexpr IntegerRange range(TypeKind kind) {
  return {kind, std::numeric_limits<Integer>::min(), std::numeric_limits<Integer>::max()};
}

constexpr std::array kRanges{
    range<std::int8_t>(TypeKind::int8),     range<std::int16_t>(TypeKind::int16),
    range<std::int32_t>(TypeKind::int32),   range<std::int64_t>(TypeKind::int64),
    range<std::uint8_t>(TypeKind::uint8),   range<std::uint16_t>(TypeKind::uint16),
    range<std::uint32_t>(TypeKind::uint32), range<std::uint64_t>(TypeKind::uint64),
};

ColumnType decimal(int width, int scale) {
  return {.kind = TypeKind::decimal, .width = width, .scale = scale};
}

}  // namespace

void TextProfile::add(std::string_view value, TextOrigin origin) {
  const bool first = !any;
  any = true;
  nested = nested && origin == TextOrigin::nested;
  const bool may_be_number = origin == TextOrigin::plain || origin == TextOrigin::scalar;
  const bool may_be_time = origin == TextOrigin::plain || origin == TextOrigin::string;
  boolean = boolean && may_be_number && (value == "true" || value == "false");
  if (number || integer || real_exact) {
    const auto numeral = may_be_number ? read_numeral(value) : std::nullopt;
    real_exact = real_exact && numeral && double_holds(value, *numeral);
    number = number && numeral;
    integer = integer && numeral && numeral->fraction.empty() &&
              numeral->whole.size() <= kMaxDecimalDigits;
    if (number) {
      const int digits = static_cast<int>(std::min(numeral->whole.size(), kLongestNumber));
      const int behind = static_cast<int>(std::min(numeral->fraction.size(), kLongestNumber));
      whole = std::max(whole, digits);
      fewest = first ? behind : std::min(fewest, behind);
      most = std::max(most, behind);
    }
    if (integer) {
      const Int128 parsed = integer_value(*numeral);
      smallest = first ? parsed : std::min(smallest, parsed);
      largest = first ? parsed : std::max(largest, parsed);
    }
  }
  real = real && may_be_number && prints_back_from_double(value);
  date = date && may_be_time && is_date(value);
  if (timestamp) {
    const auto digits = may_be_time ? timestamp_digits(value) : std::nullopt;
    timestamp = digits.has_value();
    second_digits = std::max(second_digits, digits.value_or(0));
  }
}

TextProfile TextProfile::of_words(bool any) {
  TextProfile profile;
  if (any) profile.add("a word", TextOrigin::plain);
  return profile;
}

void TextProfile::merge(const TextProfile& other) {
  if (!other.any) return;
  if (!any) {
    *this = other;
    return;
  }
  boolean = boolean && other.boolean;
  integer = integer && other.integer;
  number = number && other.number;
  real = real && other.real;
  real_exact = real_exact && other.real_exact;
  date = date && other.date;
  timestamp = timestamp && other.timestamp;
  nested = nested && other.nested;
  smallest = std::min(smallest, other.smallest);
  largest = std::max(largest, other.largest);
  whole = std::max(whole, other.whole);
  fewest = std::min(fewest, other.fewest);
  most = std::max(most, other.most);
  second_digits = std::max(second_digits, other.second_digits);
}

ColumnType natural_type(const TextProfile& profile) {
  if (!profile.any) return {.kind = TypeKind::text};
  if (profile.boolean) return {.kind = TypeKind::boolean};
  if (profile.integer) {
    const ColumnType bigint{.kind = TypeKind::int64};
    return holds(bigint, profile) ? bigint : ColumnType{.kind = TypeKind::int128};
  }
  if (profile.real) return {.kind = TypeKind::float64};
  if (profile.number && profile.fewest == profile.most) {
    const int digits = profile.whole + profile.most;
    if (digits <= kSmallDecimalDigits) return decimal(kSmallDecimalDigits, profile.most);
    if (digits <= kMaxDecimalDigits) return decimal(kMaxDecimalDigits, profile.most);
  }
  if (profile.date) return {.kind = TypeKind::date};
  if (profile.timestamp) return {.kind = TypeKind::timestamp_us};
  if (profile.nested) return {.kind = TypeKind::json};
  return {.kind = TypeKind::text};
}

bool holds(const ColumnType& type, const TextProfile& profile) {
  if (!profile.any) return true;
  for (const IntegerRange& range : kRanges) {
    if (type.kind != range.kind) continue;
    return profile.integer && profile.smallest >= range.smallest &&
           profile.largest <= range.largest;
  }
  switch (type.kind) {
    case TypeKind::text: return true;
    case TypeKind::boolean: return profile.boolean;
    case TypeKind::int128: return profile.integer;
    case TypeKind::float64: return profile.real || profile.real_exact;
    case TypeKind::decimal:
      return profile.number && profile.most <= type.scale &&
             profile.whole <= type.width - type.scale;
    case TypeKind::date: return profile.date;
    case TypeKind::timestamp_s: return profile.timestamp && profile.second_digits == 0;
    case TypeKind::timestamp_ms: return profile.timestamp && profile.second_digits <= 3;
    case TypeKind::timestamp_us: return profile.timestamp;
    case TypeKind::json: return profile.nested;
    default: return false;
  }
}

std::optional<ColumnType> widen_to_text(const ColumnType& table, const TextProfile& profile) {
  if (holds(table, profile)) return table;
  // Text has no type of its own: any that holds these values may meet the column's.
  std::vector<ColumnType> own{natural_type(profile)};
  if (profile.number && profile.real_exact) own.push_back({.kind = TypeKind::float64});
  const int digits = profile.whole + profile.most;
  if (profile.number && table.kind == TypeKind::decimal && digits <= kMaxDecimalDigits)
    own.push_back(decimal(digits, profile.most));
  for (const ColumnType& type : own) {
    const auto widened = widen(table, type);
    if (widened && holds(widened->type, profile)) return widened->type;
  }
  return {};
}

}  // namespace forebay
