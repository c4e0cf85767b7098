#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "load/pipeline.h"

namespace forebay {

struct ResetRequest {
  std::optional<std::string>
      table;  // of the feed, or as "schema.table"; absent: the whole pipeline
  bool drop_tables = false;
};

// Makes the ledger forget a pipeline or one of its tables, and says which tables that were.
// invalid_config: the ledger knows nothing of it. Otherwise the errors of Target::reset().
Result<std::vector<TableName>> reset(const std::string& pipeline, const std::string& schema,
                                     Target& target, const ResetRequest& request, Clock& clock);

}  // namespace forebay
