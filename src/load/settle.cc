// Units of a batch that need no rows: what was known under their name, or their content under
// another.

#include <fmt/format.h>

#include <utility>

#include "base/fault.h"
#include "load/apply.h"
#include "load/copies.h"
#include "load/record.h"
#include "load/rewrite.h"

namespace forebay {

// A file that cannot hold rows above the mark is recorded, so that it is looked at once.
void Applier::pass_over(const LoadedUnit& unit, std::vector<UnitEntry>& entries) {
  warn(fmt::format("{} was not read: {}", pipeline_.store->display(unit.planned.object.key),
                   unit.planned.passed_over));
  entries.push_back(unit_entry(unit, UnitState::ignored, unit.planned.passed_over));
  if (unit.planned.known) entries.back().digest = unit.planned.known->digest;
}

// Bytes that changed may say the same: written anew by another program, or packed otherwise.
Result<bool> Applier::brings_the_same_rows(const LoadedUnit& unit) {
  ASSIGN_OR_RETURN(const auto standing, comparable_files(pipeline_, unit));
  if (standing.empty()) return false;
  const LastWords words = suspects_.while_reading({&unit});
  reader_fault(unit.planned.name.name);
  const auto collapsed = collapse_units({&unit}, {});
  // If it cannot be read, the policy decides; if that wants it read, the error is told then.
  Result<bool> same = collapsed ? stand_already(pipeline_, standing, collapsed->tables) : false;
  release();
  return same;
}

// Units that are known under their name with another version: nothing new, or `on_rewrite`.
Status Applier::settle_rewrites(const Units& units, Units& due, std::vector<UnitEntry>& entries) {
  for (const LoadedUnit* unit : units) {
    if (!unit->planned.passed_over.empty()) {
      pass_over(*unit, entries);
      continue;
    }
    if (unit->planned.standing != Standing::changed || goes_alone(*unit) ||
        pipeline_.feed.unit.grows) {
      due.push_back(unit);
      continue;
    }
    ASSIGN_OR_RETURN(const Rewrite rewrite, compare_rewrite(pipeline_, *unit, progress_));
    const std::string object = pipeline_.store->display(unit->planned.object.key);
    bool same = rewrite == Rewrite::same;
    if (!same) {
      ASSIGN_OR_RETURN(same, brings_the_same_rows(*unit));
    }
    if (same) {
      entries.push_back(unit_entry(*unit, UnitState::ignored, kSameAgain));
      entries.back().digest = unit->planned.known->digest;
      continue;
    }
    switch (pipeline_.feed.on_rewrite) {
      case OnRewrite::warn:
        warn(fmt::format("{} changed since it was applied; its old rows stay (on_rewrite: warn)",
                         object));
        entries.push_back(unit_entry(*unit, UnitState::ignored, "changed since applied"));
        entries.back().digest = unit->planned.known->digest;
        ++report_.changed_since_applied;
        break;
      case OnRewrite::stop:
        return fail(
            {.code = ErrorCode::refused,
             .operation = "read",
             .object = object,
             .cause = "it changed since it was applied, and `on_rewrite: stop` forbids that",
             .hint = "set on_rewrite to warn, replace or append, or restore the object"});
      case OnRewrite::replace:
      case OnRewrite::append: due.push_back(unit); break;
    }
  }
  return {};
}

// Units that bring what another one brought: looked at, and not loaded.
Status Applier::settle_copies(Units& due, std::vector<UnitEntry>& entries) const {
  ASSIGN_OR_RETURN(const auto copies, find_copies(pipeline_, due));
  Units news;
  for (std::size_t i = 0; i < due.size(); ++i) {
    if (copies[i].empty()) {
      news.push_back(due[i]);
      continue;
    }
    entries.push_back(copy_entry(*due[i], copies[i]));
  }
  due = std::move(news);
  return {};
}

}  // namespace forebay
