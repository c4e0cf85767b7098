#include "load/plan.h"

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

}  // namespace forebay
