#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "load/pipeline.h"
#include "load/plan.h"

namespace forebay {

// What a unit's gates say. Empty `why`: all are open. `overdue`: it has waited longer than it may.
struct GateAnswer {
  std::string why;
  bool overdue = false;
};

// Asks gates against what stands in the store during one cycle: an object that many units ask for
// is looked up once. One thread.
class GateKeeper {
 public:
  GateKeeper(const Pipeline& pipeline, Time now) : pipeline_(pipeline), now_(now) {}

  // The gates that ask about a unit: where documents tell what units are, those that its document
  // names (it was read), else all. refused: a gate that cannot be evaluated; otherwise the store's
  // own errors, but not that a gate's object is not there.
  Result<GateAnswer> ask(const PlannedUnit& unit);

  // Lets a unit wait whose gates are not open, or fail when it has waited too long.
  Status hold(PlannedUnit& unit);

 private:
  Result<std::string> ask_gate(const PlannedUnit& unit, std::size_t number);
  Result<std::string> ask_hash(const PlannedUnit& unit, const GateRule& gate,
                               const std::string& key) const;
  Result<std::string> ask_unlike(const PlannedUnit& unit, std::size_t number,
                                 const std::string& key) const;
  Result<std::string> ask_below(const PlannedUnit& unit, std::size_t number);
  Result<std::optional<CaptureValue>> newest_checkpoint(std::size_t number);
  Result<bool> is_there(const std::string& key);

  const Pipeline& pipeline_;
  const Time now_;
  std::map<std::string, bool> there_;
  std::map<std::size_t, std::optional<CaptureValue>> checkpoints_;  // by gate
};

}  // namespace forebay
