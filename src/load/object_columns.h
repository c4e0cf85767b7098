#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/column_type.h"
#include "feed/feed.h"
#include "load/fetch.h"
#include "load/pipeline.h"

namespace forebay {

// The feed's columns that come from the object and not from its bytes, in their order.
std::vector<Column> object_columns(const Feed& feed);

// Their values for one file, as text that becomes those types. A path value is percent-decoded; the
// Hive default partition and a key without such a part are null, an empty value is empty text.
// A row's number is none of them: the reader tells it. `unit`: whose captures are columns; null:
// the file is a unit by itself.
std::vector<std::optional<std::string>> object_values(const Pipeline& pipeline,
                                                      const StagedFile& file,
                                                      const UnitName* unit = nullptr);

}  // namespace forebay
