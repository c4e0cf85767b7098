#include "load/identify.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/executor.h"
#include "base/limits.h"
#include "feed/order.h"
#include "load/fetch.h"
#include "load/gates.h"
#include "load/parts.h"
#include "load/record.h"

namespace forebay {
namespace {

// One unit's documents in this listing.
struct Group {
  std::vector<PlannedUnit> documents;
  bool read_any = false;
};

class Identifier {
 public:
  Identifier(const Pipeline& pipeline, Time now, Discovery& found)
      : pipeline_(pipeline), feed_(pipeline.feed), gates_(pipeline, now), found_(found) {}

  Status run();

 private:
  Status read_documents();
  Status add_failed(PlannedUnit document, Error error);
  void wait_for_companion(PlannedUnit document, std::string why);
  Status compare();
  PlannedUnit newest(Group group) const;
  void place(PlannedUnit& unit) const;
  Status judge(PlannedUnit unit, const KnownUnit* known);
  Status judge_changed(PlannedUnit& unit, bool* news);
  Result<std::map<std::string, KnownUnit>> known_units() const;
  Status load_again(PlannedUnit unit, const KnownUnit& known);
  void nothing_new(PlannedUnit unit);
  Status add_pieces();

  const Pipeline& pipeline_;
  const Feed& feed_;
  GateKeeper gates_;
  Discovery& found_;
  std::map<std::string, Group> groups_;  // by the unit's name
  std::vector<PlannedUnit> units_;
  std::vector<PlannedUnit> standing_;  // applied, and nothing new about them
};

std::string folder_scope(const PlannedUnit& unit) {
  return fmt::format("folder {}", builtin_capture("$folder", unit.name.key));
}

// A document that says nothing readable speaks of no unit: it stops all that lies beside it, unless
// somebody decided that it will not be loaded.
Status Identifier::add_failed(PlannedUnit document, Error error) {
  ASSIGN_OR_RETURN(const auto known, pipeline_.target->known(pipeline_.name, {document.name.name}));
  const bool decided = !known.empty() && known.front().version == document.object.version;
  if (decided) {
    ++found_.already_applied;
    return {};
  }
  document.error = std::move(error);
  if (feed_.unit.stop == StopScope::table) {
    document.scope = folder_scope(document);
    document.within = {document.scope};
  }
  document.name.place.clear();
  units_.push_back(std::move(document));
  return {};
}

// Of which unit it speaks, or in which order, may stand in what is missing: like a document that
// cannot be read it holds back all that lies beside it.
void Identifier::wait_for_companion(PlannedUnit document, std::string why) {
  document.standing = Standing::waiting;
  document.why = std::move(why);
  if (feed_.unit.stop == StopScope::table) {
    document.scope = folder_scope(document);
    document.within = {document.scope};
  }
  document.name.place.clear();
  units_.push_back(std::move(document));
}

// Reads those that the ledger does not know and puts all under their units' names.
Status Identifier::read_documents() {
  std::vector<const PlannedUnit*> unread;
  for (const PlannedUnit& document : found_.units) {
    if (document.due()) unread.push_back(&document);
  }
  ThreadExecutor executor(static_cast<std::size_t>(pipeline_.fetch_threads));
  auto contents = read_contents(pipeline_, unread, executor);
  std::size_t next = 0;
  for (PlannedUnit& document : found_.units) {
    if (!document.due()) {
      if (document.standing == Standing::applied) {
        const std::string name = document.known->unit;
        groups_[name].documents.push_back(std::move(document));
      } else {
        units_.push_back(std::move(document));
      }
      continue;
    }
    auto& content = contents[next++];
    if (!content) {
      RETURN_IF_ERROR(add_failed(std::move(document), std::move(content).error()));
      continue;
    }
    if (content->name.empty() && content->readiness == UnitContent::Readiness::wait) {
      wait_for_companion(std::move(document), std::move(content->why));
      continue;
    }
    document.content = std::make_shared<const UnitContent>(std::move(*content));
    Group& group = groups_[document.content->name];
    group.read_any = true;
    group.documents.push_back(std::move(document));
  }
  found_.units.clear();
  return {};
}

// The newest document is the unit; all of them are recorded with it.
PlannedUnit Identifier::newest(Group group) const {
  const auto newest = std::ranges::max_element(group.documents, {}, [](const PlannedUnit& d) {
    return std::tuple(d.object.last_modified, d.name.pattern);
  });
  PlannedUnit unit = *newest;
  for (const PlannedUnit& document : group.documents) {
    unit.documents.push_back({.key = document.object.key, .version = document.object.version});
    if (document.content == nullptr) unit.documents.pop_back();  // recorded already
  }
  return unit;
}

void Identifier::nothing_new(PlannedUnit unit) {
  ++found_.already_applied;
  std::ranges::move(unit.documents, std::back_inserter(found_.documents));
  unit.documents.clear();
  if (unit.known && unit.known->state == UnitState::applied) standing_.push_back(std::move(unit));
}

// A piece that changed is loaded with those that it was applied with, so they are read again.
Status Identifier::add_pieces() {
  for (std::size_t i = 0; i < units_.size(); ++i) {
    if (units_[i].standing != Standing::changed || !units_[i].content->piece) continue;
    const std::int64_t commit = units_[i].known->commit_no;
    const std::string part = units_[i].content->part;
    const std::string folder = folder_scope(units_[i]);
    for (PlannedUnit& other : standing_) {
      if (other.known->commit_no != commit || folder_scope(other) != folder) continue;
      if (std::exchange(other.standing, Standing::changed) == Standing::changed) continue;
      ASSIGN_OR_RETURN(UnitContent content, read_content(pipeline_, other));
      if (!content.piece || content.part != part) continue;
      other.content = std::make_shared<const UnitContent>(std::move(content));
      place(other);
      other.why = "it was applied together with " + units_[i].name.name;
      units_.push_back(other);
    }
  }
  return {};
}

// What the ledger knows of all units that documents speak of.
Result<std::map<std::string, KnownUnit>> Identifier::known_units() const {
  std::map<std::string, KnownUnit> units;
  std::vector<std::string> names;
  for (auto group = groups_.begin(); group != groups_.end();) {
    names.push_back(group->first);
    if (++group != groups_.end() && names.size() < kKnownBatch) continue;
    ASSIGN_OR_RETURN(auto known, pipeline_.target->known(pipeline_.name, names));
    for (KnownUnit& unit : known) units[unit.unit] = std::move(unit);
    names.clear();
  }
  return units;
}

Status Identifier::compare() {
  ASSIGN_OR_RETURN(const auto units, known_units());
  for (auto& [name, group] : groups_) {
    const auto found = units.find(name);
    const KnownUnit* known = found == units.end() ? nullptr : &found->second;
    const bool read_any = group.read_any;
    PlannedUnit unit = newest(std::move(group));
    unit.name.name = name;
    for (DocumentEntry& document : unit.documents) document.unit = name;
    if (known != nullptr) unit.known = *known;
    if (known != nullptr && !known->reset_tables.empty()) {
      RETURN_IF_ERROR(load_again(std::move(unit), *known));
    } else if (!read_any || unit.content == nullptr) {
      nothing_new(std::move(unit));
    } else {
      place(unit);
      RETURN_IF_ERROR(judge(std::move(unit), known));
    }
  }
  return {};
}

// Where a unit stands, and what it stops, as its document says.
void Identifier::place(PlannedUnit& unit) const {
  unit.name.place = unit.content->place;
  unit.version = unit.content->document_version;
  if (feed_.unit.stop != StopScope::table) return;
  unit.scope = fmt::format("table {}", unit.content->table.value_or(""));
  unit.within = {unit.scope, folder_scope(unit)};
}

// A unit whose table was reset.
Status Identifier::load_again(PlannedUnit unit, const KnownUnit& known) {
  if (unit.content == nullptr) {
    auto content = read_content(pipeline_, unit);
    if (!content) return add_failed(std::move(unit), std::move(content).error());
    unit.content = std::make_shared<const UnitContent>(std::move(*content));
  }
  place(unit);
  unit.known.reset();
  unit.standing = Standing::fresh;
  unit.why = fmt::format("table {} was reset: its files of this unit are loaded again",
                         fmt::join(known.reset_tables, ", "));
  unit.only_tables = known.reset_tables;
  RETURN_IF_ERROR(gates_.hold(unit));
  units_.push_back(std::move(unit));
  return {};
}

Status Identifier::judge(PlannedUnit unit, const KnownUnit* known) {
  unit.known.reset();
  const UnitContent& content = *unit.content;
  if (content.readiness == UnitContent::Readiness::elsewhere) {
    ++found_.not_data;
    std::ranges::move(unit.documents, std::back_inserter(found_.documents));
    return {};
  }
  if (content.readiness == UnitContent::Readiness::wait) {
    unit.standing = Standing::waiting;
    unit.why = content.why;
    unit.holds = false;  // it may never end
    units_.push_back(std::move(unit));
    return {};
  }
  const bool same = known != nullptr && known->version == unit.version;
  const bool applied = known != nullptr && known->state == UnitState::applied;
  if (same || (applied && content.readiness == UnitContent::Readiness::skip)) {
    nothing_new(std::move(unit));
    return {};
  }
  if (content.readiness == UnitContent::Readiness::skip) {
    decide(unit, UnitState::ignored, content.why, found_);
    return {};
  }
  unit.standing = applied ? Standing::changed : Standing::fresh;
  unit.why = applied ? "what its document says changed since it was applied" : "not in the ledger";
  if (known != nullptr) unit.known = *known;
  bool news = true;
  if (applied) RETURN_IF_ERROR(judge_changed(unit, &news));
  if (!news) {
    nothing_new(std::move(unit));
    return {};
  }
  RETURN_IF_ERROR(gates_.hold(unit));
  units_.push_back(std::move(unit));
  return {};
}

// Of a unit that grows only what is new is read, and what it no longer has is taken back. A part of
// a table is replaced whole.
Status Identifier::judge_changed(PlannedUnit& unit, bool* news) {
  if (!feed_.unit.grows || clears_part(feed_, *unit.content)) return {};
  ASSIGN_OR_RETURN(auto entries, pipeline_.target->live_files_of(pipeline_.name, unit.name.name));
  UnitContent content = *unit.content;
  std::erase_if(content.files, [&](const UnitFile& file) {
    const std::string key = pipeline_.store->ledger_key(file.key);
    const auto known = std::ranges::find_if(entries, [&](const FileEntry& entry) {
      return entry.store_key == key && (!file.size || entry.size == *file.size) &&
             !entry.fingerprint.empty() && entry.fingerprint == file.fingerprint();
    });
    if (known == entries.end()) return false;
    entries.erase(known);
    return true;
  });
  *news = !content.files.empty() || !entries.empty();
  unit.taken_back = std::move(entries);
  content.rows.reset();  // of all its files, not of these
  unit.content = std::make_shared<const UnitContent>(std::move(content));
  return {};
}

Status Identifier::run() {
  RETURN_IF_ERROR(read_documents());
  RETURN_IF_ERROR(compare());
  RETURN_IF_ERROR(add_pieces());
  found_.units = std::move(units_);
  return settle_parts(pipeline_, found_);
}

}  // namespace

Status see_documents(const Pipeline& pipeline, std::vector<PlannedUnit> documents,
                     const std::function<std::optional<Duration>(const PlannedUnit&)>& settles_in,
                     Discovery& found) {
  std::vector<std::string> keys;
  for (const PlannedUnit& document : documents) keys.push_back(document.object.key);
  std::ranges::sort(keys);
  ASSIGN_OR_RETURN(const auto known, pipeline.target->known_documents(pipeline.name, keys));
  std::map<std::string_view, const DocumentEntry*> by_key;
  for (const DocumentEntry& document : known) by_key[document.key] = &document;
  for (PlannedUnit& document : documents) {
    const auto match = by_key.find(document.object.key);
    if (match != by_key.end() && match->second->version == document.object.version) {
      document.standing = Standing::applied;
      document.known = KnownUnit{.unit = match->second->unit};
    } else if ((document.settles_in = settles_in(document))) {
      document.standing = Standing::waiting;
      document.why = "it was written a moment ago and may still be growing";
    }
    if (pipeline.feed.cleans_source)
      found.listed_documents.push_back(
          {.key = document.object.key, .version = document.object.version});
    found.units.push_back(std::move(document));
  }
  return {};
}

Status identify(const Pipeline& pipeline, Time now, Discovery& found) {
  return Identifier(pipeline, now, found).run();
}

}  // namespace forebay
