#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace forebay {

// Times as text, in UTC, whatever the machine's zone or locale. Pure functions. The parsers are
// strict: every field in its range, the date on the calendar, nothing left over; else nullopt.
// Years run from 0001 to 9999. Fractions beyond microseconds are cut off, never rounded up, so that
// a parsed time is not later than the text says. Leap seconds (:60) are refused.

enum class Zone { required, utc_when_absent };

// RFC 3339: "2026-01-02T03:04:05.678+01:00"; also a space or small letters for T and Z.
std::optional<Time> parse_rfc3339(std::string_view text, Zone zone = Zone::required);
// "2026-01-02T02:04:05Z"; with exactly six digits of fraction when there is one.
std::string format_rfc3339(Time time);

// The three forms of RFC 9110, section 5.6.7. The weekday's name must be one, but is not compared
// with the date.
std::optional<Time> parse_http_date(std::string_view text);
// "Sun, 06 Nov 1994 08:49:37 GMT"; fractions are cut off.
std::string format_http_date(Time time);

// Formats in the manner of strftime. %Y four digits; %m %d %H %M %S two digits; %j three (day of
// the year); %f a fraction of one to nine digits (six when formatting); %s whole seconds since
// 1970; %-m %-d %-H %-M %-S one or two digits, unpadded when formatting; %% a percent sign; every
// other character stands for itself.

// Whether `format` consists of these alone and names a whole date: %Y, or %s.
bool valid_time_format(std::string_view format);

// The whole text, by `format`. A field that the format lacks is its first (January, day 1,
// midnight); a field that stands twice must agree with itself.
std::optional<Time> parse_time(std::string_view text, std::string_view format);
// The longest beginning of `text` that `format` describes; `*used` is its length.
std::optional<Time> parse_time_prefix(std::string_view text, std::string_view format,
                                      std::size_t* used);
// An unknown directive is copied as it stands: ask valid_time_format() first.
std::string format_time(Time time, std::string_view format);

}  // namespace forebay
