#include "load/gapless.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace forebay {
namespace {

constexpr const char* kFact = "gapless";

std::uint64_t number_of(const Feed& feed, const UnitName& name) {
  const CaptureValue* value = name.captures.find(feed.unit.gapless);
  return value == nullptr ? 0 : std::get<std::uint64_t>(*value);
}

std::optional<std::uint64_t> last_of(const LedgerHead& head, const std::string& scope) {
  const std::string* known = head.fact(kFact, scope);
  if (known == nullptr) return std::nullopt;
  std::uint64_t number = 0;
  std::from_chars(known->data(), known->data() + known->size(), number);
  return number;
}

}  // namespace

void Gapless::settled(const PlannedUnit& unit) {
  if (feed_.unit.gapless.empty()) return;
  const std::uint64_t number = number_of(feed_, unit.name);
  const auto known = last_of(head_, unit.scope);
  if (!known || number > *known) settled_[unit.scope].insert(number);
}

void Gapless::hold(std::vector<PlannedUnit>& units) {
  if (feed_.unit.gapless.empty()) return;
  std::map<std::string, std::map<std::uint64_t, PlannedUnit*>> by_scope;
  for (PlannedUnit& unit : units) by_scope[unit.scope][number_of(feed_, unit.name)] = &unit;
  for (auto& [scope, numbered] : by_scope) {
    std::set<std::uint64_t> there = settled_[scope];
    for (const auto& [number, unit] : numbered) there.insert(number);
    const auto known = last_of(head_, scope);
    const auto from = feed_.unit.gapless_from;
    std::uint64_t next =
        known ? std::max(*known + 1, from.value_or(0)) : from.value_or(*there.begin());
    while (there.contains(next)) ++next;
    for (auto& [number, unit] : numbered) {
      if (number <= next || !unit->due()) continue;
      unit->standing = Standing::waiting;
      unit->why = fmt::format("number {} is missing before it", next);
    }
  }
}

std::vector<Fact> gapless_facts(const Feed& feed, const LedgerHead& head,
                                const std::vector<const PlannedUnit*>& units) {
  std::map<std::string, std::uint64_t> last;
  if (feed.unit.gapless.empty()) return {};
  for (const PlannedUnit* unit : units) {
    const std::uint64_t number = number_of(feed, unit->name);
    std::uint64_t& known = last.try_emplace(unit->scope, number).first->second;
    known = std::max({known, number, last_of(head, unit->scope).value_or(0)});
  }
  std::vector<Fact> facts;
  for (const auto& [scope, number] : last)
    facts.push_back({.name = kFact, .subject = scope, .value = fmt::to_string(number)});
  return facts;
}

}  // namespace forebay
