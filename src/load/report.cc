#include "load/report.h"

#include <utility>

namespace forebay {

std::string_view to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::applied: return "applied";
    case Outcome::nothing_new: return "nothing_new";
    case Outcome::failed: return "failed";
  }
  std::unreachable();
}

}  // namespace forebay
