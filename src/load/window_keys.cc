#include "load/window_keys.h"

#include <algorithm>

#include "feed/order.h"
#include "feed/window_rule.h"

namespace forebay {

// Nothing is decisive: as a tie-break the time may be null, which is the lowest.
RowOrder window_order(const std::optional<TimeAxis>& axis) {
  OrderTerm term{.name = axis ? axis->column : kFileTime};
  if (axis) {
    term.column = axis->column;
    term.type = axis->type;
    term.instant = axis->form == TimeAxis::Form::text && axis->unit != TimeUnit::day;
  } else {
    term.type = {.kind = TypeKind::blob};
  }
  return {.terms = {std::move(term)}};
}

std::vector<std::string> file_version(const ObjectInfo& info) {
  return {encode_value(info.last_modified)};
}

Result<NamePlaces> NamePlaces::find(const Pipeline& pipeline, const TableName& table, bool exists,
                                    const std::vector<const LoadedUnit*>& units) {
  NamePlaces places;
  for (const LoadedUnit* unit : units) places.places_.push_back(unit->planned.name.place);
  const std::string lowest = *std::ranges::min_element(places.places_);
  std::vector<PlacedFile> standing;
  if (exists) {
    ASSIGN_OR_RETURN(standing, pipeline.target->files_from(pipeline.name, table, lowest));
  }
  for (const PlacedFile& file : standing) places.places_.push_back(file.place);
  std::ranges::sort(places.places_);
  const auto repeated = std::ranges::unique(places.places_);
  places.places_.erase(repeated.begin(), repeated.end());
  for (const PlacedFile& file : standing) {
    const auto at = std::ranges::lower_bound(places.places_, file.place);
    if (file.place > lowest) places.newer_.emplace_back(file.file_id, at - places.places_.begin());
  }
  return places;
}

std::int64_t NamePlaces::rank(const LoadedUnit& unit) const {
  return std::ranges::lower_bound(places_, unit.planned.name.place) - places_.begin();
}

}  // namespace forebay
