#pragma once

#include "base/result.h"
#include "feed/unit.h"
#include "load/pipeline.h"
#include "load/plan.h"

namespace forebay {

// The files of a unit whose document is a flag (FilesRule::folder): what lies in its folder now,
// after the flag was seen. Hidden keys and objects without bytes are no data. refused: a folder or
// a table that the unit's name does not give.
Status add_folder_files(const Pipeline& pipeline, const PlannedUnit& unit, UnitContent& content);

}  // namespace forebay
