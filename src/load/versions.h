#pragma once

#include <vector>

#include "base/result.h"
#include "load/evolve.h"
#include "load/pipeline.h"
#include "target/target.h"

namespace forebay {

// What the versions of a feed's rows are, once the columns of a table are known.

// Which row of a key is newer; empty in feeds whose units' order decides.
RowOrder row_order(const Feed& feed, const ColumnChanges& read);

// Whether the stored form of a version has to change with the columns that it is made of.
bool version_widened(const RowOrder& order, const TableState& state);

// drift: versions whose gaps are to be counted are no whole numbers, or those that are compared as
// numbers are text.
Status check_numbers(const Feed& feed, const TableName& table, const ColumnChanges& read);

// Columns that may have one value for ever. refused: a second one, in this delivery or compared
// with what the ledger remembers. Values that are new are added to `facts`.
Status check_one_value(const LedgerHead& head, const TableName& table, const Delta& delta,
                       std::vector<Fact>& facts);

}  // namespace forebay
