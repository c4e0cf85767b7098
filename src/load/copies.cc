#include "load/copies.h"

#include <map>

#include "load/record.h"

namespace forebay {
namespace {

constexpr std::string_view kCopyOf = "the same bytes as ";

}  // namespace

Result<std::vector<std::string>> find_copies(const Pipeline& pipeline,
                                             const std::vector<const LoadedUnit*>& units) {
  std::vector<std::string> copies(units.size());
  if (!pipeline.feed.dedup_content) return copies;
  std::vector<std::string> checksums;
  for (const LoadedUnit* unit : units) {
    for (const StagedFile& file : unit->files) checksums.push_back(file.checksum);
  }
  std::map<std::string, std::string> known;
  ASSIGN_OR_RETURN(known, pipeline.target->units_with(pipeline.name, checksums));
  for (std::size_t i = 0; i < units.size(); ++i) {
    const LoadedUnit& unit = *units[i];
    if (unit.files.size() != 1 || unit.planned.standing == Standing::changed) continue;
    const auto [first, fresh] =
        known.try_emplace(unit.files.front().checksum, unit.planned.name.name);
    if (!fresh) copies[i] = first->second;
  }
  return copies;
}

UnitEntry copy_entry(const LoadedUnit& unit, const std::string& original) {
  UnitEntry entry = unit_entry(unit, UnitState::ignored, std::string(kCopyOf) + original);
  entry.digest = unit.files.front().checksum;
  return entry;
}

Result<std::set<std::string>> orphaned_copies(const Pipeline& pipeline,
                                              const std::vector<KnownUnit>& known) {
  std::set<std::string> orphaned;
  std::vector<std::string> checksums;
  const auto is_copy = [](const KnownUnit& unit) {
    return unit.state == UnitState::ignored && unit.reason.starts_with(kCopyOf);
  };
  for (const KnownUnit& unit : known) {
    if (is_copy(unit)) checksums.push_back(unit.digest);
  }
  if (checksums.empty()) return orphaned;
  ASSIGN_OR_RETURN(const auto stands, pipeline.target->units_with(pipeline.name, checksums));
  for (const KnownUnit& unit : known) {
    if (is_copy(unit) && !stands.contains(unit.digest)) orphaned.insert(unit.unit);
  }
  return orphaned;
}

}  // namespace forebay
