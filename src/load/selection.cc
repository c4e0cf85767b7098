#include "load/selection.h"

#include <utility>

#include "base/limits.h"
#include "feed/unit.h"

namespace forebay {
namespace {

Time time_of(const PlannedUnit& unit) {
  return unit.name.name_time.value_or(unit.object.last_modified);
}

}  // namespace

UnitSelection select_for_backfill(const Feed& feed, const BackfillRequest& request) {
  std::optional<std::vector<ListRange>> scopes;
  if (request.from && request.before) {
    scopes = dated_ranges(feed, *request.from, *request.before - Duration(1), kMaxDatedPrefixes);
  }
  if (!scopes) scopes = list_ranges(feed, request.from);
  return {.scopes = narrow_to(*scopes, {request.prefix}),
          .wants = [request](const PlannedUnit& unit) {
            const Time time = time_of(unit);
            return unit.name.key.starts_with(request.prefix) &&
                   (!request.from || time >= *request.from) &&
                   (!request.before || time < *request.before);
          }};
}

UnitSelection select_units(const Feed& feed, const std::set<std::string>& names,
                           std::set<std::string>& found) {
  std::vector<ListRange> scopes;
  if (names.size() > kMaxNamedPrefixes || feed.unit.run.by_content()) {
    scopes = list_ranges(feed);
  } else {
    for (const std::string& name : names) {
      scopes.push_back({.prefix = key_of_unit(feed, name).value_or("")});
    }
  }
  return {.scopes = apart(std::move(scopes)),
          .wants =
              [names, &found](const PlannedUnit& unit) {
                if (!names.contains(unit.name.name)) return false;
                found.insert(unit.name.name);
                return true;
              },
          .retry = true,
          .any_place = true};
}

}  // namespace forebay
