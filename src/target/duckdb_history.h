#pragma once

#include "base/result.h"
#include "engine/database.h"
#include "target/batch.h"

namespace forebay {

// Brings `<table>__history` up to date with a batch, inside its transaction: each version of a key
// once, or where the order of units decides every row, and a row `cleared` for each key that a
// snapshot removed. Needs the temporary table `forebay_newer`. Adds to counts what it finds.
Status apply_history(duckdb::Connection& connection, const TableChange& change,
                     TableCounts& counts);

}  // namespace forebay
