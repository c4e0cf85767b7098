#pragma once

#include <vector>

#include "load/collapse.h"

namespace forebay {

// Where the units of a table read something one after the other (JoinRule), none begins after
// the one before it ended. Those that do are shown as a warning: something between them was never
// delivered. The ledger keeps how far a table came as a fact. Late units are not compared: they may
// fill a gap that was shown before.
void check_joins(const LedgerHead& head, const TableName& table,
                 const std::vector<const LoadedUnit*>& units, Collapsed& collapsed);

}  // namespace forebay
