#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/clock.h"

// Parts that the two halves of base/time_text.h share; nobody else includes this.
namespace forebay::time_fields {

struct Fields {
  int year = 1970;
  int month = 1;
  int day = 1;
  int hour = 0;
  int minute = 0;
  int second = 0;
  int micros = 0;
};

// nullopt: not a date on the calendar or not a time of the day.
std::optional<Time> to_time(const Fields& f);
Fields to_fields(Time time);

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Eats a text from its front. After the first mismatch ok() stays false and nothing is eaten.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text), size_(text.size()) {}

  bool ok() const { return ok_; }
  bool done() const { return ok_ && text_.empty(); }
  std::size_t used() const { return size_ - text_.size(); }
  char peek() const { return text_.empty() ? '\0' : text_.front(); }

  int number(std::size_t least, std::size_t most) {
    int value = 0;
    std::size_t count = 0;
    while (count < most && count < text_.size() && is_digit(text_[count])) {
      value = value * 10 + (text_[count] - '0');
      ++count;
    }
    take(count, count >= least);
    return value;
  }

  // A fraction of a second as microseconds; digits after the sixth are cut off.
  int fraction() {
    int value = 0;
    std::size_t count = 0;
    while (count < 9 && count < text_.size() && is_digit(text_[count])) {
      if (count < 6) value = value * 10 + (text_[count] - '0');
      ++count;
    }
    for (std::size_t i = count; i < 6; ++i) value *= 10;
    take(count, count >= 1);
    return value;
  }

  std::int64_t epoch_seconds() {
    const bool negative = peek() == '-';
    if (negative) take(1, true);
    std::int64_t value = 0;
    std::size_t count = 0;
    while (count < 12 && count < text_.size() && is_digit(text_[count])) {
      value = value * 10 + (text_[count] - '0');
      ++count;
    }
    take(count, count >= 1);
    return negative ? -value : value;
  }

  void one_of(std::string_view characters) {
    take(1, !text_.empty() && characters.find(text_.front()) != std::string_view::npos);
  }

  void literal(std::string_view expected) { take(expected.size(), text_.starts_with(expected)); }

  // The place of the name that the text begins with.
  int name(std::span<const std::string_view> names) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!text_.starts_with(names[i])) continue;
      take(names[i].size(), true);
      return static_cast<int>(i);
    }
    take(0, false);
    return 0;
  }

 private:
  void take(std::size_t count, bool matches) {
    ok_ = ok_ && matches;
    if (ok_) text_.remove_prefix(count);
  }

  std::string_view text_;
  std::size_t size_;
  bool ok_ = true;
};

}  // namespace forebay::time_fields
