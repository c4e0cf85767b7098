#include "load/discover.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/fault.h"
#include "base/limits.h"
#include "base/time_text.h"
#include "base/transfer_limits.h"
#include "base/utf8.h"
#include "feed/content.h"
#include "load/copies.h"
#include "load/folder_files.h"
#include "load/gapless.h"
#include "load/gates.h"
#include "load/identify.h"
#include "load/list_pages.h"
#include "load/mark.h"
#include "load/window_prune.h"

namespace forebay {
Duration settle_time(const Pipeline& pipeline) {
  const UnitRule& unit = pipeline.feed.unit;
  const bool may_grow = pipeline.root.folder && (unit.kind != UnitKind::document || unit.folder);
  return pipeline.feed.settle.value_or(may_grow ? kFolderSettle : Duration::zero());
}

namespace {

class Discoverer {
 public:
  Discoverer(const Pipeline& pipeline, const LedgerHead& head, const CycleOptions& options,
             Settling& settling, Time now, Progress& progress)
      : pipeline_(pipeline),
        head_(head),
        options_(options),
        settling_(settling),
        now_(now),
        progress_(progress),
        gapless_(pipeline.feed, head) {}

  Result<Discovery> run();

 private:
  Status list(const std::vector<ListRange>& scopes);
  struct Named;
  Status see(ObjectInfo object);
  Status add(Named named);
  void see_in_folder(PlannedUnit unit);
  Status end_folders();
  void set_scope(PlannedUnit& unit) const;
  Status compare();
  Status add_known_files(const std::vector<Named>& pending, std::vector<KnownUnit>& known);
  void judge(PlannedUnit unit, const KnownUnit* known);
  void judge_known(PlannedUnit& unit, const KnownUnit& known) const;
  void judge_new(PlannedUnit& unit) const;
  bool above_selection(const PlannedUnit& unit) const;
  bool retries() const { return options_.selection && options_.selection->retry; }
  std::optional<Duration> settles_in(const PlannedUnit& unit);

  const Pipeline& pipeline_;
  const LedgerHead& head_;
  const CycleOptions& options_;
  Settling& settling_;
  const Time now_;
  Progress& progress_;
  Gapless gapless_;
  std::optional<Time> not_before_;
  std::optional<TimeMark> mark_;  // of a window
  Discovery found_;
  std::set<std::string> orphaned_;  // copies whose original no longer stands
  // A key that is a unit, not yet compared with the ledger: much smaller than a planned unit.
  struct Named {
    UnitName name;
    ObjectInfo object;
  };
  std::vector<Named> pending_;
  struct Folder {
    PlannedUnit unit;
    FolderVersion version;
  };
  std::map<std::string, Folder> folders_;  // units that are folders, by name
};

Result<Discovery> Discoverer::run() {
  ListingPlan plan = options_.selection ? ListingPlan{.scopes = options_.selection->scopes}
                                        : plan_listing(pipeline_.feed, pipeline_.store->promises(),
                                                       head_, options_.full_listing, now_);
  not_before_ = plan.not_before;
  if (pipeline_.feed.windowed()) {
    ASSIGN_OR_RETURN(mark_, mark_of(head_, window_table(pipeline_)));
  }
  found_.scopes = plan.scopes;
  found_.full = plan.full;
  found_.listed.newest.resize(static_cast<std::size_t>(head_.next_file_id));
  found_.listed.complete = plan.full && !plan.not_before;
  RETURN_IF_ERROR(list(plan.scopes));
  RETURN_IF_ERROR(end_folders());
  RETURN_IF_ERROR(compare());
  if (pipeline_.feed.unit.run.by_content()) {
    RETURN_IF_ERROR(identify(pipeline_, now_, found_));
    if (options_.selection)
      std::erase_if(found_.units,
                    [&](const PlannedUnit& unit) { return !options_.selection->wants(unit); });
  }
  const bool gated = !pipeline_.feed.gates.empty() || !pipeline_.feed.companions.empty();
  if (!options_.selection) gapless_.hold(found_.units);
  if (!pipeline_.feed.unit.run.by_content() && gated) {
    GateKeeper gates(pipeline_, now_);
    for (PlannedUnit& unit : found_.units) {
      if (unit.due()) RETURN_IF_ERROR(gates.hold(unit));
    }
  }
  for (PlannedUnit& unit : found_.units) {
    if (unit.within.empty()) unit.within = {""};  // one scope for all
  }
  std::ranges::stable_sort(found_.units, [](const PlannedUnit& a, const PlannedUnit& b) {
    return std::tie(a.name.place, a.name.name_time, a.name.name) <
           std::tie(b.name.place, b.name.name_time, b.name.name);
  });
  RETURN_IF_ERROR(fault_point("discover.done"));
  return std::move(found_);
}

Status Discoverer::list(const std::vector<ListRange>& scopes) {
  return list_ranges_ahead(pipeline_, scopes, [&](ListPage& page) -> Status {
    RETURN_IF_ERROR(fault_point("discover.page_read"));
    for (ObjectInfo& object : page.objects) RETURN_IF_ERROR(see(std::move(object)));
    progress_.listed(found_.keys_listed);
    return {};
  });
}

Status Discoverer::see(ObjectInfo object) {
  ++found_.keys_listed;
  ASSIGN_OR_RETURN(auto name, name_unit(pipeline_.feed, object.key));
  if (name && !is_utf8(object.key)) {
    if (found_.warnings.size() < kExamples)
      found_.warnings.push_back(
          fmt::format("{} is left out: its name is no UTF-8, which neither "
                      "ledger nor tables can hold; have it renamed",
                      valid_utf8(pipeline_.store->display(object.key))));
    name.reset();
  }
  // An object without bytes is never data (EMPTY-1); a document without bytes is damaged.
  const UnitRule& rule = pipeline_.feed.unit;
  const bool empty = object.size == 0 && pipeline_.store->promises().lists_versions &&
                     (rule.kind != UnitKind::document || rule.folder);
  if (!name || empty) {
    ++found_.not_data;
    if (found_.not_data_examples.size() < kExamples) found_.not_data_examples.push_back(object.key);
    return {};
  }
  if (not_before_ && name->name_time && *name->name_time < *not_before_) {
    ++found_.before_start;
    return {};
  }
  PlannedUnit unit{.name = std::move(*name), .object = std::move(object)};
  if (rule.folder) {
    see_in_folder(std::move(unit));
    return {};
  }
  // What a document speaks of is known only once it was read.
  const bool named = !pipeline_.feed.unit.run.by_content();
  if (named && options_.selection && !options_.selection->wants(unit)) return {};
  return add({.name = std::move(unit.name), .object = std::move(unit.object)});
}

Status Discoverer::add(Named named) {
  pending_.push_back(std::move(named));
  return pending_.size() >= kListedBatch ? compare() : Status();
}

// The newest object of a folder stands for it.
void Discoverer::see_in_folder(PlannedUnit unit) {
  const ObjectInfo object = unit.object;
  const std::string name = unit.name.name;
  Folder& folder = folders_.try_emplace(name, Folder{std::move(unit), {}}).first->second;
  folder.version.add(object);
  ObjectInfo& all = folder.unit.object;
  if (all.key == folder.unit.name.key) all.size += object.size;
  all.key = folder.unit.name.key;
  all.last_modified = std::max(all.last_modified, object.last_modified);
}

Status Discoverer::end_folders() {
  for (auto& [name, folder] : folders_) {
    folder.unit.object.version = folder.version.text();
    if (options_.selection && !options_.selection->wants(folder.unit)) continue;
    RETURN_IF_ERROR(
        add({.name = std::move(folder.unit.name), .object = std::move(folder.unit.object)}));
  }
  folders_.clear();
  return {};
}

// What stops with a unit that its name alone tells.
void Discoverer::set_scope(PlannedUnit& unit) const {
  const Feed& feed = pipeline_.feed;
  if (feed.unit.stop == StopScope::table) {
    const ValueRef& table = feed.table ? *feed.table : feed.files->table;
    unit.scope = fmt::format("table {}", name_value(table, unit.name).value_or(""));
  }
  for (const std::string& capture : feed.unit.stop_by)
    unit.scope +=
        (unit.scope.empty() ? "" : ", ") +
        name_value({.from = ValueRef::From::capture, .name = capture}, unit.name).value_or("");
  unit.within = {unit.scope};
}

// Subtracts what the ledger knows from what was named since the last comparison.
Status Discoverer::compare() {
  std::vector<Named> pending = std::exchange(pending_, {});
  std::vector<std::string> names;
  names.reserve(pending.size());
  for (const Named& named : pending) names.push_back(named.name.name);
  std::ranges::sort(names);
  if (const auto twice = std::ranges::adjacent_find(names); twice != names.end())
    return fail({.code = ErrorCode::damaged,
                 .operation = "list",
                 .object = *twice,
                 .cause = "two objects have this unit's name, or the server listed one twice"});
  if (pipeline_.feed.unit.run.by_content()) {
    std::vector<PlannedUnit> documents;
    for (Named& named : pending)
      documents.push_back({.name = std::move(named.name), .object = std::move(named.object)});
    return see_documents(
        pipeline_, std::move(documents),
        [this](const PlannedUnit& unit) { return settles_in(unit); }, found_);
  }
  ASSIGN_OR_RETURN(auto known, pipeline_.target->known(pipeline_.name, names));
  names = {};
  ASSIGN_OR_RETURN(orphaned_, orphaned_copies(pipeline_, known));
  if (pipeline_.feed.windowed()) RETURN_IF_ERROR(add_known_files(pending, known));
  std::ranges::sort(known, {}, &KnownUnit::unit);
  for (Named& named : pending) {
    const auto match = std::ranges::lower_bound(known, named.name.name, {}, &KnownUnit::unit);
    const bool found = match != known.end() && match->unit == named.name.name;
    judge({.name = std::move(named.name), .object = std::move(named.object)},
          found ? &*match : nullptr);
  }
  return {};
}

// The files of windows are known by their own entries; a later decision on one stands among the
// units, under its name.
Status Discoverer::add_known_files(const std::vector<Named>& pending,
                                   std::vector<KnownUnit>& known) {
  std::vector<std::string> keys;
  std::map<std::string, std::string> name_of;
  for (const Named& named : pending) {
    keys.push_back(pipeline_.store->ledger_key(named.name.key));
    name_of[keys.back()] = named.name.name;
  }
  std::ranges::sort(keys);
  std::map<std::string, std::size_t> decided;
  for (std::size_t i = 0; i < known.size(); ++i) decided[known[i].unit] = i;
  ASSIGN_OR_RETURN(const auto files,
                   pipeline_.target->known_files(pipeline_.name, window_table(pipeline_), keys));
  for (const KnownFile& file : files) {
    const auto id = static_cast<std::size_t>(file.file_id);
    if (found_.listed.newest.size() <= id) found_.listed.newest.resize(id + 1);
    found_.listed.newest[id] = true;
    const std::string& name = name_of[file.store_key];
    const auto unit = decided.find(name);
    KnownUnit applied{.unit = name,
                      .version = file.version,
                      .digest = file.checksum,
                      .kind = "file",
                      .commit_no = file.commit_no};
    if (unit == decided.end()) {
      known.push_back(std::move(applied));
    } else if (known[unit->second].commit_no <= file.commit_no) {
      known[unit->second] = std::move(applied);
    }
  }
  return {};
}

void Discoverer::judge(PlannedUnit unit, const KnownUnit* known) {
  set_scope(unit);
  if (known != nullptr) {
    judge_known(unit, *known);
  } else {
    judge_new(unit);
  }
  if (unit.due() && mark_) unit.passed_over = why_pass_over(pipeline_.feed, *mark_, unit);
  if (!unit.passed_over.empty()) unit.why = "not to be read: " + unit.passed_over;
  if (unit.due()) {
    unit.settles_in = settles_in(unit);
    if (unit.settles_in) {
      unit.standing = Standing::waiting;
      unit.why = "it was written a moment ago and may still be growing";
    }
  }
  if (!unit.due() && unit.standing != Standing::waiting &&
      !beyond_future(pipeline_.feed, unit.name, now_)) {
    found_.settled_before = std::max(found_.settled_before, std::optional(mark_point(unit.name)));
  }
  if (!unit.due() && unit.standing != Standing::waiting) gapless_.settled(unit);
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
  if (known.state == UnitState::applied && !known.reset_tables.empty()) {
    unit.standing = unit.name.place < head_.mark_place ? Standing::late : Standing::fresh;
    unit.why = fmt::format("table {} was reset: its files of this unit are loaded again",
                           fmt::join(known.reset_tables, ", "));
    unit.only_tables = known.reset_tables;
    return;
  }
  const bool changed = known.version != unit.object.version;
  const bool refused = known.state == UnitState::quarantined || known.state == UnitState::dropped;
  if (changed || (retries() && known.state == UnitState::quarantined)) {
    // Of a unit whose rows stand another version is a change, whatever was decided in between.
    unit.standing = refused && !known.applied ? Standing::retry : Standing::changed;
    unit.why = changed ? fmt::format("the object changed since it was {}", to_string(known.state))
                       : "it was refused before and is tried again";
    unit.known = known;
    return;
  }
  if (orphaned_.contains(known.unit)) {
    unit.standing = Standing::retry;
    unit.why = "what it repeated was taken back";
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
  const Feed& feed = pipeline_.feed;
  const bool future = beyond_future(feed, unit.name, now_);
  if (feed.ordered() && (future || above_selection(unit))) {
    unit.standing = Standing::waiting;
    unit.why = future ? fmt::format("its name is dated {}, in the future",
                                    format_rfc3339(*unit.name.name_time))
                      : "above the mark: load brings it in its order";
  } else if (feed.ordered() && unit.name.place < head_.mark_place) {
    unit.standing = Standing::late;
    unit.why = fmt::format("below the mark {}: it takes its place among what was applied",
                           head_.mark_name);
  } else {
    unit.standing = Standing::fresh;
    unit.why = future ? "not in the ledger; dated in the future, so the mark does not follow it"
                      : "not in the ledger";
  }
}

bool Discoverer::above_selection(const PlannedUnit& unit) const {
  return options_.selection && !options_.selection->any_place && unit.name.place > head_.mark_place;
}

// How long until an object may be read: nothing when it may be now. One that is dated in the future
// has settled when two listings show the same version.
std::optional<Duration> Discoverer::settles_in(const PlannedUnit& unit) {
  const Duration settle = settle_time(pipeline_);
  const Time written = unit.object.last_modified;
  if (settle == Duration::zero() || written + settle <= now_) return std::nullopt;
  if (written <= now_) return written + settle - now_;
  const Duration apart = std::min(settle, Duration(std::chrono::seconds(kMaxSettleSeconds / 2)));
  Settling::mapped_type& seen = settling_[unit.object.key];
  if (seen.version != unit.object.version) {
    seen = {.version = unit.object.version, .since = now_};
  }
  const Duration left = seen.since + apart - now_;
  return left <= Duration::zero() ? std::nullopt : std::optional(left);
}

}  // namespace

Result<Discovery> discover(const Pipeline& pipeline, const LedgerHead& head,
                           const CycleOptions& options, Settling& settling, Time now,
                           Progress& progress) {
  return Discoverer(pipeline, head, options, settling, now, progress).run();
}

}  // namespace forebay
