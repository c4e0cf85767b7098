#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "feed/feed.h"
#include "load/plan.h"
#include "target/target.h"

namespace forebay {

// Numbers that follow each other (UnitRule::gapless), by scope. The ledger keeps the last one up to
// which all are there; a unit behind a missing one waits. In a scope that the ledger does not know
// the lowest number that is listed is the first, unless the feed says which is.
class Gapless {
 public:
  Gapless(const Feed& feed, const LedgerHead& head) : feed_(feed), head_(head) {}

  // A unit that was listed and that the ledger has decided on.
  void settled(const PlannedUnit& unit);
  // Lets those wait that come after a gap, and says which number is missing.
  void hold(std::vector<PlannedUnit>& units);

 private:
  const Feed& feed_;
  const LedgerHead& head_;
  std::map<std::string, std::set<std::uint64_t>> settled_;  // by scope, above what the ledger keeps
};

// What the ledger keeps once these units are applied.
std::vector<Fact> gapless_facts(const Feed& feed, const LedgerHead& head,
                                const std::vector<const PlannedUnit*>& units);

}  // namespace forebay
