#pragma once

#include <vector>

#include "base/result.h"
#include "engine/engine.h"
#include "target/target.h"

namespace forebay {

// refused: a table would have more columns than the target can hold, our own among them: those by
// which `order` compares rows are one, where it is not by `columns` alone. Told by the files'
// columns, so that nothing is written before it.
Status check_column_limit(const TableName& table, const std::vector<Column>& columns,
                          const RowOrder& order, const TargetPromises& promises);
// The same for its history, which has more of ours; `columns` are all that is read.
Status check_history_limit(const TableName& table, const std::vector<Column>& columns,
                           const RowOrder& order, const TargetPromises& promises);

}  // namespace forebay
