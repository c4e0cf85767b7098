#include "load/plan.h"

#include <algorithm>
#include <utility>

namespace forebay {

std::string_view to_string(Standing standing) {
  switch (standing) {
    case Standing::fresh: return "new";
    case Standing::late: return "late";
    case Standing::changed: return "changed";
    case Standing::retry: return "retry";
    case Standing::waiting: return "waiting";
    case Standing::applied: return "already applied";
    case Standing::quarantined: return "quarantined";
    case Standing::settled: return "settled";
  }
  std::unreachable();
}

bool is_within(const PlannedUnit& unit, const std::set<std::string>& scopes) {
  return std::ranges::any_of(unit.within,
                             [&](const std::string& scope) { return scopes.contains(scope); });
}

}  // namespace forebay
