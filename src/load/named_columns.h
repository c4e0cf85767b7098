#pragma once

#include <memory>
#include <vector>

#include "base/result.h"
#include "load/fetch.h"
#include "load/pipeline.h"
#include "target/target.h"

namespace forebay {

// Columns by which versions are compared and which documents name (VersionTerm::named_by). A table
// has one for each such term: the first that a document names, for all of its rows, also those of
// documents that name none. The ledger keeps it as a fact.
//
// The feed that holds for a table, with the names that are known; they are added to `facts` when
// they are new. refused: a second name.
Result<std::shared_ptr<const Feed>> name_columns(const Pipeline& pipeline, const LedgerHead& head,
                                                 const TableName& table,
                                                 const std::vector<const LoadedUnit*>& units,
                                                 std::vector<Fact>& facts);

}  // namespace forebay
