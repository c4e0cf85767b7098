#include "base/time_fields.h"

#include <chrono>

namespace forebay::time_fields {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

std::optional<Time> to_time(const Fields& f) {
  const std::chrono::year_month_day date{std::chrono::year{f.year},
                                         std::chrono::month{static_cast<unsigned>(f.month)},
                                         std::chrono::day{static_cast<unsigned>(f.day)}};
  const bool in_range = f.year >= 1 && f.year <= 9999 && f.month >= 1 && f.day >= 1 && date.ok() &&
                        f.hour <= 23 && f.minute <= 59 && f.second <= 59;
  if (!in_range) return std::nullopt;
  return Time(std::chrono::sys_days(date).time_since_epoch()) + hours(f.hour) + minutes(f.minute) +
         seconds(f.second) + Duration(f.micros);
}

Fields to_fields(Time time) {
  const auto day = std::chrono::floor<days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  return {.year = static_cast<int>(date.year()),
          .month = static_cast<int>(static_cast<unsigned>(date.month())),
          .day = static_cast<int>(static_cast<unsigned>(date.day())),
          .hour = static_cast<int>(clock.hours().count()),
          .minute = static_cast<int>(clock.minutes().count()),
          .second = static_cast<int>(clock.seconds().count()),
          .micros = static_cast<int>(clock.subseconds().count())};
}

}  // namespace forebay::time_fields
