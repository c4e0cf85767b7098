#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "load/pipeline.h"
#include "load/plan.h"

namespace forebay {

// What tells two states of a folder apart: its objects with their sizes and versions, in any order.
class FolderVersion {
 public:
  void add(const ObjectInfo& object);
  std::string text() const;

 private:
  std::uint64_t sum_ = 0;
  std::uint64_t objects_ = 0;
};

// The files of a unit that is a folder, or a flag in one: all data there that `match` chooses.
// changed: the folder is no longer as it was listed. refused: there are too many.
Status add_folder_files(const Pipeline& pipeline, const PlannedUnit& unit, UnitContent& content);

}  // namespace forebay
