// Types of text, a value a line: values in any order and any grouping have the same types, and a
// type that was chosen holds them all.
#include "engine/text_profile.h"

#include <vector>

#include "fuzz/fuzz.h"

namespace forebay::test {
namespace {

TextProfile profile_of(const std::vector<std::string_view>& values, TextOrigin origin) {
  TextProfile profile;
  for (const std::string_view value : values) profile.add(value, origin);
  return profile;
}

}  // namespace

FOREBAY_FUZZ(text_profile) {
  std::vector<std::string_view> values;
  while (!input.empty() && values.size() < 30) values.push_back(take_line(input));
  for (const TextOrigin origin : {TextOrigin::plain, TextOrigin::string, TextOrigin::scalar}) {
    const TextProfile profile = profile_of(values, origin);
    const ColumnType type = natural_type(profile);
    must(holds(type, profile), "the chosen type holds every value");
    must(type.kind != TypeKind::decimal || type.width <= 38, "decimals have a reader");
    const TextProfile backwards = profile_of({values.rbegin(), values.rend()}, origin);
    must(natural_type(backwards) == type, "the order makes no difference");
    TextProfile merged;
    for (const std::string_view value : values) merged.merge(profile_of({value}, origin));
    must(natural_type(merged) == type, "the grouping makes no difference");
    const ColumnType text{.kind = TypeKind::text};
    for (const TypeKind kind : {TypeKind::int32, TypeKind::int64, TypeKind::float64, TypeKind::date,
                                TypeKind::timestamp_us, TypeKind::boolean, TypeKind::text}) {
      const ColumnType column{.kind = kind};
      must(holds(column, profile) == holds(column, merged), "holding neither");
      if (const auto wider = widen_to_text(column, profile))
        must(holds(*wider, profile), "a widened column holds every value");
    }
    must(widen_to_text(text, profile) == text, "text holds anything");
  }
}

}  // namespace forebay::test
