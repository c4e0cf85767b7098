#include "base/time_text.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <span>

#include "base/time_fields.h"

namespace forebay {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using time_fields::Fields;
using time_fields::Reader;
using time_fields::to_fields;
using time_fields::to_time;

constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr std::array<std::string_view, 7> kWeekdays = {"Sun", "Mon", "Tue", "Wed",
                                                       "Thu", "Fri", "Sat"};
constexpr std::array<std::string_view, 7> kLongWeekdays = {
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
void read_clock(Reader& in, Fields& f) {
  f.hour = in.number(2, 2);
  in.literal(":");
  f.minute = in.number(2, 2);
  in.literal(":");
  f.second = in.number(2, 2);
}

// "Z" or "+hh:mm": how far the text's clock is ahead of UTC.
Duration read_zone(Reader& in) {
  const char first = in.peek();
  if (first == 'Z' || first == 'z') {
    in.one_of("Zz");
    return {};
  }
  in.one_of("+-");
  const int hour = in.number(2, 2);
  in.literal(":");
  const int minute = in.number(2, 2);
  if (hour > 23 || minute > 59) in.literal("no such offset, and no text that begins like this");
  const Duration offset = hours(hour) + minutes(minute);
  return first == '-' ? -offset : offset;
}

// "Sun, 06 Nov 1994 08:49:37 GMT"
std::optional<Time> parse_imf_fixdate(std::string_view text) {
  Reader in(text);
  Fields f;
  in.name(kWeekdays);
  in.literal(", ");
  f.day = in.number(2, 2);
  in.literal(" ");
  f.month = in.name(kMonths) + 1;
  in.literal(" ");
  f.year = in.number(4, 4);
  in.literal(" ");
  read_clock(in, f);
  in.literal(" GMT");
  return in.done() ? to_time(f) : std::nullopt;
}

// "Sunday, 06-Nov-94 08:49:37 GMT"
std::optional<Time> parse_rfc850_date(std::string_view text) {
  Reader in(text);
  Fields f;
  in.name(kLongWeekdays);
  in.literal(", ");
  f.day = in.number(2, 2);
  in.literal("-");
  f.month = in.name(kMonths) + 1;
  in.literal("-");
  const int year = in.number(2, 2);
  f.year = year < 69 ? 2000 + year : 1900 + year;
  in.literal(" ");
  read_clock(in, f);
  in.literal(" GMT");
  return in.done() ? to_time(f) : std::nullopt;
}

// "Sun Nov  6 08:49:37 1994"
std::optional<Time> parse_asctime(std::string_view text) {
  Reader in(text);
  Fields f;
  in.name(kWeekdays);
  in.literal(" ");
  f.month = in.name(kMonths) + 1;
  in.literal(" ");
  if (in.peek() == ' ') {
    in.literal(" ");
    f.day = in.number(1, 1);
  } else {
    f.day = in.number(2, 2);
  }
  in.literal(" ");
  read_clock(in, f);
  in.literal(" ");
  f.year = in.number(4, 4);
  return in.done() ? to_time(f) : std::nullopt;
}

}  // namespace

std::optional<Time> parse_rfc3339(std::string_view text, Zone zone) {
  Reader in(text);
  Fields f;
  f.year = in.number(4, 4);
  in.literal("-");
  f.month = in.number(2, 2);
  in.literal("-");
  f.day = in.number(2, 2);
  in.one_of("Tt ");
  read_clock(in, f);
  if (in.peek() == '.') {
    in.literal(".");
    f.micros = in.fraction();
  }
  const bool zone_absent = in.done() && zone == Zone::utc_when_absent;
  const Duration offset = zone_absent ? Duration{} : read_zone(in);
  const auto time = in.done() ? to_time(f) : std::nullopt;
  if (!time) return std::nullopt;
  // An offset may lead out of the years that have a text.
  const Time utc = *time - offset;
  const int year = to_fields(utc).year;
  return year >= 1 && year <= 9999 ? std::optional(utc) : std::nullopt;
}

std::string format_rfc3339(Time time) {
  const bool whole = std::chrono::floor<seconds>(time) == time;
  return format_time(time, whole ? "%Y-%m-%dT%H:%M:%SZ" : "%Y-%m-%dT%H:%M:%S.%fZ");
}

std::optional<Time> parse_http_date(std::string_view text) {
  if (const auto time = parse_imf_fixdate(text)) return time;
  if (const auto time = parse_rfc850_date(text)) return time;
  return parse_asctime(text);
}

std::string format_http_date(Time time) {
  const Fields f = to_fields(time);
  const std::chrono::weekday weekday(std::chrono::floor<days>(time));
  return fmt::format("{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT", kWeekdays[weekday.c_encoding()],
                     f.day, kMonths[static_cast<std::size_t>(f.month - 1)], f.year, f.hour,
                     f.minute, f.second);
}

}  // namespace forebay
