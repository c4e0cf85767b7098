// Sizes, durations and type names as people write them.
#include "base/quantity.h"

#include "base/duration_text.h"
#include "feed/type_name.h"
#include "fuzz/fuzz.h"

namespace forebay::test {

FOREBAY_FUZZ(quantity) {
  if (const auto duration = parse_duration(input)) {
    must(*duration >= Duration{}, "no duration is negative");
    must(*duration <= std::chrono::hours(24 * 366 * 100), "at most a hundred years");
    must(parse_duration(format_duration(*duration)) == duration, "a duration leads back");
  }
  if (const auto bytes = parse_size(input)) {
    must(*bytes <= 1'000'000'000'000'000'000, "sizes are bounded");
    must(parse_size(std::to_string(*bytes)).has_value(), "a number of bytes is a size");
    must(format_size(*bytes).size() < 32 && format_count(*bytes).size() < 32, "and short to tell");
  }
  if (const auto type = parse_type_name(input)) {
    must(type->digits <= 38 && type->after_point <= type->digits, "decimals fit");
    must(parse_type_name(type_text(*type)) == type, "a type's name leads back");
  }
}

}  // namespace forebay::test
