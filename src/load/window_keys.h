#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "engine/row_order.h"
#include "engine/time_axis.h"
#include "load/fetch.h"
#include "load/pipeline.h"
#include "target/target.h"

namespace forebay {

// Windows of tables with a key: one row a key, the one whose time is latest; where times are equal
// the file that is later by name, then the later row. A row without a time is older than any other.

// `axis` absent: by the times of the files, which are the values of file_version().
RowOrder window_order(const std::optional<TimeAxis>& axis);
std::vector<std::string> file_version(const ObjectInfo& info);

// Where the names of some files stand among those of the table's other files that matter.
class NamePlaces {
 public:
  // Errors as of Target.
  static Result<NamePlaces> find(const Pipeline& pipeline, const TableName& table, bool exists,
                                 const std::vector<const LoadedUnit*>& units);

  std::int64_t rank(const LoadedUnit& unit) const;
  // Files of the table whose names come after one of these, with their ranks.
  const std::vector<std::pair<std::int64_t, std::int64_t>>& newer() const { return newer_; }

 private:
  std::vector<std::string> places_;  // sorted
  std::vector<std::pair<std::int64_t, std::int64_t>> newer_;
};

}  // namespace forebay
