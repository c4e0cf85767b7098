#include "load/discover.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/fault.h"
#include "base/limits.h"
#include "base/stop.h"
#include "base/time_text.h"

namespace forebay {
namespace {

bool full_is_due(const Feed& feed, const LedgerHead& head, Time now) {
  if (!feed.ordered() || head.mark_name.empty() || !head.mark_time) return true;
  if (!head.last_full_listing || now - *head.last_full_listing >= feed.audit_every) return true;
  // A unit that an audit found and that failed lies anywhere: it is looked for until it is settled.
  return head.last_cycle && head.last_cycle->full_listing &&
         head.last_cycle->exit_code >= std::to_underlying(ExitCode::integrity);
}

}  // namespace

ListingPlan plan_listing(const Feed& feed, const LedgerHead& head, bool forced_full, Time now) {
  ListingPlan plan;
  if (!forced_full && !full_is_due(feed, head, now)) {
    plan.scopes = list_ranges(feed, *head.mark_time - feed.unit.lookback);
    plan.full = std::ranges::any_of(
        plan.scopes, [](const ListRange& range) { return range.start_after.empty(); });
    if (!plan.full) return plan;
  }
  plan.full = true;
  plan.scopes = list_ranges(feed);
  return plan;
}

namespace {

class Discoverer {
 public:
  Discoverer(const Pipeline& pipeline, const LedgerHead& head, const Settling& settling, Time now,
             Progress& progress)
      : pipeline_(pipeline), head_(head), settling_(settling), now_(now), progress_(progress) {}

  Result<Discovery> run(bool forced_full);

 private:
  Status list(const ListRange& scope);
  Status see(ObjectInfo object);
  Status compare();
  void judge(PlannedUnit unit, const KnownUnit* known);
  void judge_known(PlannedUnit& unit, const KnownUnit& known) const;
  void judge_new(PlannedUnit& unit) const;
  bool in_future(const PlannedUnit& unit) const;
  bool settled(const PlannedUnit& unit) const;

  const Pipeline& pipeline_;
  const LedgerHead& head_;
  const Settling& settling_;
  const Time now_;
  Progress& progress_;
  Discovery found_;
  std::vector<PlannedUnit> pending_;  // named, not yet compared with the ledger
};

Result<Discovery> Discoverer::run(bool forced_full) {
  ListingPlan plan = plan_listing(pipeline_.feed, head_, forced_full, now_);
  found_.scopes = plan.scopes;
  found_.full = plan.full;
  for (const ListRange& scope : plan.scopes) RETURN_IF_ERROR(list(scope));
  RETURN_IF_ERROR(compare());
  std::ranges::stable_sort(found_.units, [](const PlannedUnit& a, const PlannedUnit& b) {
    return std::tie(a.name.place, a.name.name) < std::tie(b.name.place, b.name.name);
  });
  RETURN_IF_ERROR(fault_point("discover.done"));
  return std::move(found_);
}

Status Discoverer::list(const ListRange& scope) {
  ListRequest request{.prefix = scope.prefix, .start_after = scope.start_after};
  std::set<std::string> tokens;
  while (true) {
    if (stop_requested())
      return fail({.code = ErrorCode::interrupted,
                   .operation = "list",
                   .object = pipeline_.source,
                   .cause = "asked to stop"});
    ASSIGN_OR_RETURN(ListPage page, pipeline_.store->list(request));
    RETURN_IF_ERROR(fault_point("discover.page_read"));
    for (ObjectInfo& object : page.objects) RETURN_IF_ERROR(see(std::move(object)));
    progress_.listed(found_.keys_listed);
    if (!page.next_token) return {};
    if (!tokens.insert(*page.next_token).second)
      return fail({.code = ErrorCode::damaged,
                   .operation = "list",
                   .object = pipeline_.source,
                   .cause = "the server gave the same page token twice",
                   .hint = "nothing was loaded; report this to whoever runs the store"});
    request.page_token = std::move(*page.next_token);
  }
}

Status Discoverer::see(ObjectInfo object) {
  ++found_.keys_listed;
  ASSIGN_OR_RETURN(auto name, name_unit(pipeline_.feed, object.key));
  // An object without bytes is never data (EMPTY-1); a document without bytes is damaged.
  const bool empty = object.size == 0 && pipeline_.store->promises().lists_versions &&
                     pipeline_.feed.unit.kind == UnitKind::file;
  if (!name || empty) {
    ++found_.not_data;
    if (found_.not_data_examples.size() < kExamples) found_.not_data_examples.push_back(object.key);
    return {};
  }
  pending_.push_back({.name = std::move(*name), .object = std::move(object)});
  return pending_.size() >= kKnownBatch ? compare() : Status();
}

// Subtracts what the ledger knows from what was named since the last comparison.
Status Discoverer::compare() {
  std::vector<std::string> names;
  for (const PlannedUnit& unit : pending_) names.push_back(unit.name.name);
  std::ranges::sort(names);
  if (const auto twice = std::ranges::adjacent_find(names); twice != names.end())
    return fail({.code = ErrorCode::damaged,
                 .operation = "list",
                 .object = *twice,
                 .cause = "two objects have this unit's name, or the server listed one twice"});
  ASSIGN_OR_RETURN(const auto known, pipeline_.target->known(pipeline_.name, names));
  std::map<std::string_view, const KnownUnit*> by_name;
  for (const KnownUnit& unit : known) by_name[unit.unit] = &unit;
  for (PlannedUnit& unit : pending_) {
    const auto match = by_name.find(unit.name.name);
    judge(std::move(unit), match == by_name.end() ? nullptr : match->second);
  }
  pending_.clear();
  return {};
}

void Discoverer::judge(PlannedUnit unit, const KnownUnit* known) {
  if (known != nullptr) {
    judge_known(unit, *known);
  } else {
    judge_new(unit);
  }
  if (unit.due() && !settled(unit)) {
    unit.standing = Standing::waiting;
    unit.settling = true;
    unit.why = "it was written a moment ago and may still be growing";
    found_.settling = true;
  }
  switch (unit.standing) {
    case Standing::applied:
    case Standing::settled: ++found_.already_applied; return;
    case Standing::quarantined: ++found_.quarantined_before; return;
    case Standing::fresh:
    case Standing::late:
    case Standing::changed:
    case Standing::retry:
    case Standing::waiting: found_.units.push_back(std::move(unit)); return;
  }
}

void Discoverer::judge_known(PlannedUnit& unit, const KnownUnit& known) const {
  if (known.version != unit.object.version) {
    unit.standing = known.state == UnitState::quarantined ? Standing::retry : Standing::changed;
    unit.why = fmt::format("the object changed since it was {}", to_string(known.state));
    unit.known = known;
    return;
  }
  switch (known.state) {
    case UnitState::applied: unit.standing = Standing::applied; return;
    case UnitState::quarantined: unit.standing = Standing::quarantined; return;
    case UnitState::dropped:
    case UnitState::superseded:
    case UnitState::ignored: unit.standing = Standing::settled; return;
  }
}

void Discoverer::judge_new(PlannedUnit& unit) const {
  if (in_future(unit) && pipeline_.feed.ordered()) {
    unit.standing = Standing::waiting;
    unit.why =
        fmt::format("its name is dated {}, in the future", format_rfc3339(*unit.name.name_time));
  } else if (pipeline_.feed.ordered() && unit.name.place < head_.mark_place) {
    unit.standing = Standing::late;
    unit.why = fmt::format("below the mark {}: it takes its place among what was applied",
                           head_.mark_name);
  } else {
    unit.standing = Standing::fresh;
    unit.why = "not in the ledger";
  }
}

bool Discoverer::in_future(const PlannedUnit& unit) const {
  return unit.name.name_time && *unit.name.name_time > now_ + pipeline_.feed.max_future;
}

bool Discoverer::settled(const PlannedUnit& unit) const {
  if (unit.object.last_modified + pipeline_.feed.settle <= now_) return true;
  if (pipeline_.feed.settle == Duration::zero()) return true;
  const auto seen = settling_.find(unit.object.key);
  return seen != settling_.end() && seen->second == unit.object.version;
}

}  // namespace

Result<Discovery> discover(const Pipeline& pipeline, const LedgerHead& head,
                           const CycleOptions& options, const Settling& settling, Time now,
                           Progress& progress) {
  return Discoverer(pipeline, head, settling, now, progress).run(options.full_listing);
}

}  // namespace forebay
