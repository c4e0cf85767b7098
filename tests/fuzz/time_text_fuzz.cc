// Times: what is read is between the years 1 and 9999 and reads the same once it is written again.
// A format stands on the first line.
#include "base/time_text.h"

#include "fuzz/fuzz.h"
#include "net/retry.h"

namespace forebay::test {
namespace {

using namespace std::chrono_literals;

const Time kFirst = std::chrono::sys_days(1y / 1 / 1);
const Time kEnd = std::chrono::sys_days(10000y / 1 / 1);

void must_be_a_time(Time time) {
  must(time >= kFirst && time < kEnd, "years run from 1 to 9999");
  must(parse_rfc3339(format_rfc3339(time)) == time, "a time's text leads back");
}

void check_format(std::string_view format, std::string_view text) {
  std::size_t used = 0;
  const auto begun = parse_time_prefix(text, format, &used);
  const auto time = parse_time(text, format);
  must(!begun || used <= text.size(), "no more is used than there is");
  if (!time) return;
  must_be_a_time(*time);
  must(begun == time && used == text.size(), "a whole text is a beginning of itself");
  if (valid_time_format(format))
    must(parse_time(format_time(*time, format), format) == time, "a format leads back");
}

}  // namespace

FOREBAY_FUZZ(time_text) {
  const std::string_view format = take_line(input);
  check_format(format, input);
  if (const auto time = parse_rfc3339(input)) {
    must_be_a_time(*time);
    must(parse_rfc3339(input, Zone::utc_when_absent) == time, "a zone that stands there counts");
  }
  if (const auto time = parse_rfc3339(input, Zone::utc_when_absent)) must_be_a_time(*time);
  if (const auto time = parse_http_date(input)) {
    must_be_a_time(*time);
    must(parse_http_date(format_http_date(*time)) == time, "an HTTP date leads back");
  }
  if (const auto wait = parse_retry_after(input, kFirst + 1h))
    must(*wait >= Duration{}, "nobody waits less than not at all");
}

}  // namespace forebay::test
