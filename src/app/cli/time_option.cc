#include "app/cli/commands.h"
#include "app/config_error.h"
#include "base/time_text.h"

namespace forebay::cli {

Result<Time> parse_time_option(std::string_view option, std::string_view text) {
  if (const auto time = parse_rfc3339(text, Zone::utc_when_absent)) return *time;
  return fail(config_error(option, "the value is no time",
                           "write it as 2026-10-20T14:15:02Z (UTC without a zone)"));
}

Result<TimeSpan> parse_date_option(std::string_view option, std::string_view text) {
  if (const auto day = parse_time(text, "%Y-%m-%d")) {
    return TimeSpan{.begin = *day, .end = *day + std::chrono::days(1)};
  }
  if (const auto time = parse_rfc3339(text, Zone::utc_when_absent)) {
    return TimeSpan{.begin = *time, .end = *time + Duration(1)};
  }
  return fail(config_error(option, "the value is no date",
                           "write it as 2026-10-20, or as a time: 2026-10-20T14:15:02Z"));
}

}  // namespace forebay::cli
