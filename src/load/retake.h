#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "load/fetch.h"
#include "load/pipeline.h"
#include "load/progress.h"
#include "target/target.h"

namespace forebay {

// Taking a rewritten unit's old files back (FEEDS, section 1). Without a key their rows are
// deleted. With a key never by deletion alone: the keys that they decided are decided anew by what
// is left, which is read again from the table's live files since its last clear.
struct TableRetake {
  std::vector<std::int64_t> files;  // the old version's, of this table
  std::vector<StagedFile> earlier;  // files that may decide those keys now, in their order
  std::vector<FileEntry> entries;   // of `earlier`, one each
};
using Retake = std::map<TableName, TableRetake>;

// What a unit that was applied with other content takes back, per table. damaged: a file that is
// needed is gone or changed, and then nothing changes; refused: a snapshot that is none any more,
// or that no longer lists a table it cleared.
Result<Retake> plan_retake(const Pipeline& pipeline, const LoadedUnit& unit, Progress& progress);

// What a unit takes back that clears its part of a table, or that no longer has some of its files
// (PlannedUnit::taken_back). damaged as above.
Result<Retake> plan_part_retake(const Pipeline& pipeline, const LoadedUnit& unit,
                                Progress& progress);

}  // namespace forebay
