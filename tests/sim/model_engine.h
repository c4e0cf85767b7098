#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "sim/ready_files.h"

namespace forebay::sim {

// A row of a delta: the last action on its key, or a row that is appended.
struct DeltaRow {
  Cells cells;  // of the request's columns
  std::int64_t file = 0;
  std::int64_t rank = 0;
  bool removes = false;
};

// Engine over rows in memory, as far as feeds whose places decide need it; what it lacks is an
// internal error, which ends a simulation. It shares no code with the product's.
class ModelEngine final : public Engine {
 public:
  Result<std::vector<Column>> file_columns(const std::string& path,
                                           const std::string& object) override;
  Result<bool> is_all_null(const std::vector<std::string>& paths, std::size_t position) override;
  Result<TimeScan> scan_times(const CollapseRequest& request, const TimeAxis& axis,
                              std::int64_t latest) override;
  Result<std::uint64_t> count_nulls_kept_out(const CollapseRequest& request,
                                             const TimeAxis& axis) override;
  Result<std::string> example_kept_out(const CollapseRequest& request,
                                       const TimeAxis& axis) override;
  Result<GroupCount> count_groups(const CollapseRequest& request, const TimeAxis& axis) override;
  Result<Delta> collapse(const CollapseRequest& request) override;
  Status release() override;

  // What the names in a delta, and in CollapseRequest::known_keys, stand for.
  const std::vector<DeltaRow>& rows(const std::string& relation) const {
    return rows_.at(relation);
  }
  std::string keep_keys(std::set<std::string> keys);

 private:
  Status read(const CollapseRequest& request, const InputFile& file, Delta& delta,
              std::vector<DeltaRow>& rows) const;

  std::map<std::string, std::vector<DeltaRow>> rows_;
  std::map<std::string, std::set<std::string>> keys_;
  int next_ = 0;
};

}  // namespace forebay::sim
