#include "target/ledger.h"

#include <algorithm>
#include <utility>

namespace forebay {

std::string_view to_string(UnitState state) {
  switch (state) {
    case UnitState::applied: return "applied";
    case UnitState::quarantined: return "quarantined";
    case UnitState::dropped: return "dropped";
    case UnitState::superseded: return "superseded";
    case UnitState::ignored: return "ignored";
  }
  std::unreachable();
}

std::optional<UnitState> unit_state(std::string_view text) {
  for (const UnitState state : {UnitState::applied, UnitState::quarantined, UnitState::dropped,
                                UnitState::superseded, UnitState::ignored}) {
    if (to_string(state) == text) return state;
  }
  return std::nullopt;
}

const std::string* LedgerHead::fact(std::string_view name, std::string_view subject) const {
  const auto found = std::ranges::find_if(
      facts, [&](const Fact& fact) { return fact.name == name && fact.subject == subject; });
  return found == facts.end() ? nullptr : &found->value;
}

}  // namespace forebay
