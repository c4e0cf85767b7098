#include "load/joins.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/encode.h"

namespace forebay {
namespace {

constexpr const char* kFact = "reached";

// How far a table came, and the place of the unit that says so.
struct Reached {
  std::string place;  // hexadecimal
  std::string value;
};

// Numbers by value, all else as text: times of one form compare like texts.
bool is_above(const std::string& a, const std::string& b) {
  constexpr const char* kDigits = "0123456789";
  const auto number = [](const std::string& text) {
    return !text.empty() && text.find_first_not_of(kDigits) == std::string::npos;
  };
  if (!number(a) || !number(b)) return a > b;
  const std::string_view x =
      std::string_view(a).substr(std::min(a.find_first_not_of('0'), a.size()));
  const std::string_view y =
      std::string_view(b).substr(std::min(b.find_first_not_of('0'), b.size()));
  return x.size() != y.size() ? x.size() > y.size() : x > y;
}

std::optional<Reached> reached(const LedgerHead& head, const TableName& table) {
  const std::string* known = head.fact(kFact, table.display());
  if (known == nullptr) return std::nullopt;
  const std::size_t space = known->find(' ');
  return Reached{.place = known->substr(0, space), .value = known->substr(space + 1)};
}

}  // namespace

void check_joins(const LedgerHead& head, const TableName& table,
                 const std::vector<const LoadedUnit*>& units, Collapsed& collapsed) {
  std::vector<const LoadedUnit*> own;
  for (const LoadedUnit* unit : units) {
    const UnitContent& content = unit->content;
    if (content.table == table.name && (content.joins_from || content.joins_to))
      own.push_back(unit);
  }
  std::ranges::sort(own, {}, [](const LoadedUnit* unit) { return unit->planned.name.place; });
  const std::optional<Reached> before = reached(head, table);
  std::optional<Reached> last = before;
  std::size_t gaps = 0;
  std::string example;
  for (const LoadedUnit* unit : own) {
    const std::string place = hex_encode(unit->planned.name.place);
    if (last && place < last->place) continue;
    const UnitContent& content = unit->content;
    if (last && !last->value.empty() && content.joins_from &&
        is_above(*content.joins_from, last->value)) {
      if (gaps++ == 0)
        example = fmt::format("{} begins at {}, where {} was reached", unit->planned.name.name,
                              *content.joins_from, last->value);
    }
    if (!last) last = Reached{.place = place, .value = content.joins_to.value_or("")};
    last->place = place;
    if (content.joins_to && is_above(*content.joins_to, last->value))
      last->value = *content.joins_to;
  }
  if (gaps > 0)
    collapsed.warnings.push_back(
        fmt::format("{}: {} units begin after the one before them ended, and what lies between "
                    "was not delivered: {}",
                    table.display(), gaps, example));
  if (last && (!before || before->place != last->place || before->value != last->value))
    collapsed.facts.push_back({.name = kFact,
                               .subject = table.display(),
                               .value = fmt::format("{} {}", last->place, last->value)});
}

}  // namespace forebay
