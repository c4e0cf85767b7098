#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "load/collapse.h"
#include "load/fetch.h"
#include "load/pipeline.h"
#include "target/target.h"

namespace forebay {

// The ledger's part of a batch: what is committed together with the rows.

// The unit that a file is of: a piece of it, or itself.
const std::string& unit_of(const StagedFile& file, const LoadedUnit& unit);

// An entry for a unit that was applied, or looked at and decided on otherwise.
UnitEntry unit_entry(const LoadedUnit& unit, UnitState state, std::string reason);

// An entry for a file of a unit that is applied, but for its id.
FileEntry file_entry(const Pipeline& pipeline, const TableName& table, const LoadedUnit& unit,
                     const StagedFile& file);

// A batch that applies `units` (in their order) with what collapse made of them, or, with nothing
// collapsed, only records the entries given.
Batch make_batch(const Pipeline& pipeline, const LedgerHead& head, Collapsed collapsed,
                 std::vector<UnitEntry> entries, Time now);

// A window's own entry: it is named after its commit.
UnitEntry window_entry(const LedgerHead& head, std::size_t files, const Collapsed& collapsed);

// Remembers how far a window's rows reach, and moves the mark there with its last transaction.
Status advance_window(const Pipeline& pipeline, const LedgerHead& head,
                      const std::optional<TimeMark>& reached, bool last, Batch& batch);

// The head as it is after a batch was committed, without reading the ledger again.
void follow(LedgerHead& head, const Batch& batch);

}  // namespace forebay
