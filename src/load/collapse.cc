#include "load/collapse.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/check.h"
#include "load/evolve.h"
#include "load/identity.h"

namespace forebay {
namespace {

// One file of one table, with its unit's place.
struct Arrival {
  const LoadedUnit* unit;
  const StagedFile* file;

  const std::string& place() const { return unit->planned.name.place; }
  bool clears() const { return file->file.effect.clear_table; }
};

// The places that one table's batch has to compare, as numbers that grow with them.
class Ranks {
 public:
  void add(const std::string& place) { places_.insert(place); }
  std::int64_t of(const std::string& place) const {
    return std::distance(places_.begin(), places_.find(place));
  }

 private:
  std::set<std::string> places_;
};

// Collapses the files of one table.
class TableCollapse {
 public:
  TableCollapse(const Pipeline& pipeline, const LedgerHead& head, TableName table,
                std::vector<Arrival> arrivals, const TableRetake* retake, TableState state,
                const BornColumns& born)
      : pipeline_(pipeline),
        head_(head),
        table_(std::move(table)),
        arrivals_(std::move(arrivals)),
        retake_(retake),
        state_(std::move(state)),
        born_(born) {
    state_.names = column_names(head, table_);
  }

  Result<TableChange> run(std::int64_t first_file_id, Collapsed& collapsed);

 private:
  void find_clear();
  Status find_newer();
  bool acts(const Arrival& arrival) const;
  Result<Evolution> evolve_columns();
  Result<CollapseRequest> request(const Evolution& evolution, std::int64_t first_file_id);
  Status add_earlier(const Evolution& evolution, CollapseRequest& request);
  FileEntry entry(const Arrival& arrival, std::int64_t file_id) const;

  const Pipeline& pipeline_;
  const LedgerHead& head_;
  const TableName table_;
  const std::vector<Arrival> arrivals_;
  const TableRetake* retake_;  // null: nothing is taken back
  TableState state_;
  const BornColumns& born_;
  TableChange change_;
  Ranks ranks_;
};

// The last clear of the batch counts, unless the table was cleared at a later place before.
void TableCollapse::find_clear() {
  for (const Arrival& arrival : arrivals_) {
    if (!arrival.clears() || arrival.place() < state_.cleared_place) continue;
    change_.clear = true;
    change_.clear_place = arrival.place();
  }
}

// A snapshot decides every key of its table at its own place: files before it bring no rows.
bool TableCollapse::acts(const Arrival& arrival) const {
  if (arrival.place() < state_.cleared_place) return false;
  return !change_.clear || arrival.place() >= change_.clear_place;
}

// Nothing needs to be compared when the batch sorts after all that was applied, as nearly always.
Status TableCollapse::find_newer() {
  std::vector<PlacedFile> newer;
  if (!arrivals_.empty()) {
    const std::string& lowest = arrivals_.front().place();
    if (!lowest.empty() && lowest < head_.mark_place && state_.exists) {
      ASSIGN_OR_RETURN(newer, pipeline_.target->files_after(pipeline_.name, table_, lowest));
    }
  }
  for (const Arrival& arrival : arrivals_) ranks_.add(arrival.place());
  if (retake_ != nullptr) {
    for (const FileEntry& entry : retake_->entries) ranks_.add(entry.place);
  }
  for (const PlacedFile& file : newer) ranks_.add(file.place);
  for (const PlacedFile& file : newer)
    change_.newer.emplace_back(file.file_id, ranks_.of(file.place));
  if (change_.clear) change_.clear_rank = ranks_.of(change_.clear_place);
  return {};
}

Result<Evolution> TableCollapse::evolve_columns() {
  std::vector<const StagedFile*> files;
  if (retake_ != nullptr) {
    for (const StagedFile& file : retake_->earlier) files.push_back(&file);
  }
  for (const Arrival& arrival : arrivals_) files.push_back(arrival.file);
  ASSIGN_OR_RETURN(const auto schemas, file_schemas(files, pipeline_.target->engine()));
  return evolve(table_, state_, pipeline_.feed, schemas, born_, *pipeline_.target);
}

// The keys that the files taken back decided are decided anew by what was there before.
Status TableCollapse::add_earlier(const Evolution& evolution, CollapseRequest& request) {
  if (retake_ == nullptr || retake_->earlier.empty()) return {};
  ASSIGN_OR_RETURN(request.known_keys,
                   pipeline_.target->keys_decided_by(table_, request.key, retake_->files));
  for (std::size_t i = 0; i < retake_->earlier.size(); ++i) {
    const StagedFile& file = retake_->earlier[i];
    const FileEntry& known = retake_->entries[i];
    request.files.push_back({.file_id = known.file_id,
                             .rank = ranks_.of(known.place),
                             .path = file.bytes->path(),
                             .object = file.object,
                             .rows = file.footer.rows,
                             .snapshot = !file.file.effect.put,
                             .known_keys_only = true,
                             .layout = evolution.layout_of.at(file.footer.schema_fingerprint)});
  }
  return {};
}

Result<CollapseRequest> TableCollapse::request(const Evolution& evolution,
                                               std::int64_t first_file_id) {
  CollapseRequest request{
      .table = table_.display(),
      .columns = evolution.columns,
      .layouts = evolution.layouts,
      .key = pipeline_.feed.rows.key,
      .meets_nothing = change_.newer.empty() && (change_.create || change_.clear)};
  RETURN_IF_ERROR(add_earlier(evolution, request));
  for (std::size_t i = 0; i < arrivals_.size(); ++i) {
    const Arrival& arrival = arrivals_[i];
    if (!acts(arrival)) continue;
    const StagedFile& file = *arrival.file;
    request.files.push_back({.file_id = first_file_id + static_cast<std::int64_t>(i),
                             .rank = ranks_.of(arrival.place()),
                             .path = file.bytes->path(),
                             .object = file.object,
                             .rows = file.footer.rows,
                             .snapshot = !file.file.effect.put,
                             .layout = evolution.layout_of.at(file.footer.schema_fingerprint)});
  }
  return request;
}

FileEntry TableCollapse::entry(const Arrival& arrival, std::int64_t file_id) const {
  const ObjectInfo& info = arrival.file->bytes->info();
  return {.file_id = file_id,
          .unit = arrival.unit->planned.name.name,
          .store_key = pipeline_.store->ledger_key(arrival.file->file.key),
          .size = info.size,
          .etag = info.version,
          .last_modified = info.last_modified,
          .checksum = arrival.file->checksum,
          .table = table_,
          .rows = arrival.file->footer.rows,
          .place = arrival.place()};
}

Result<TableChange> TableCollapse::run(std::int64_t first_file_id, Collapsed& collapsed) {
  change_.table = table_;
  change_.create = !state_.exists;
  change_.key = pipeline_.feed.rows.key;
  change_.clear_below_file = first_file_id;
  if (retake_ != nullptr) change_.retract = retake_->files;
  find_clear();
  RETURN_IF_ERROR(find_newer());
  ASSIGN_OR_RETURN(Evolution evolution, evolve_columns());
  ASSIGN_OR_RETURN(const CollapseRequest wanted, request(evolution, first_file_id));
  ASSIGN_OR_RETURN(change_.delta, pipeline_.target->engine().collapse(wanted));
  change_.columns = std::move(evolution.columns);
  change_.added = std::move(evolution.added);
  change_.retyped = std::move(evolution.retyped);
  change_.names = std::move(evolution.names);
  for (std::size_t i = 0; i < arrivals_.size(); ++i)
    collapsed.files.push_back(entry(arrivals_[i], first_file_id + static_cast<std::int64_t>(i)));
  if (!evolution.born.empty()) collapsed.births[table_] = std::move(evolution.born);
  std::ranges::move(evolution.warnings, std::back_inserter(collapsed.warnings));
  if (change_.delta.left_out > 0)
    collapsed.warnings.push_back(
        fmt::format("{}: {} rows of a snapshot are flagged as deleted and were left out",
                    table_.display(), change_.delta.left_out));
  return std::move(change_);
}

}  // namespace

std::vector<TableName> table_names(const Pipeline& pipeline,
                                   const std::vector<const LoadedUnit*>& units,
                                   const Retake& retake) {
  std::set<TableName> names;
  for (const LoadedUnit* unit : units) {
    for (const StagedFile& file : unit->files) names.insert({pipeline.schema, file.file.table});
  }
  for (const auto& [table, part] : retake) names.insert(table);
  return {names.begin(), names.end()};
}

Result<Collapsed> collapse(const Pipeline& pipeline, const LedgerHead& head,
                           const std::vector<const LoadedUnit*>& units, const Retake& retake,
                           std::vector<TableState> states, const Births& births) {
  static const BornColumns kNone;
  std::map<TableName, std::vector<Arrival>> by_table;
  for (const TableName& table : table_names(pipeline, units, retake)) by_table[table] = {};
  CHECK(states.size() == by_table.size());
  for (const LoadedUnit* unit : units) {
    for (const StagedFile& file : unit->files)
      by_table[{pipeline.schema, file.file.table}].push_back({unit, &file});
  }
  Collapsed collapsed;
  std::int64_t next_file_id = head.next_file_id;
  std::size_t i = 0;
  for (auto& [name, arrivals] : by_table) {
    const auto count = static_cast<std::int64_t>(arrivals.size());
    const auto taken = retake.find(name);
    const auto born = births.find(name);
    TableCollapse table(pipeline, head, name, std::move(arrivals),
                        taken == retake.end() ? nullptr : &taken->second, std::move(states[i++]),
                        born == births.end() ? kNone : born->second);
    ASSIGN_OR_RETURN(TableChange change, table.run(next_file_id, collapsed));
    collapsed.tables.push_back(std::move(change));
    next_file_id += count;
  }
  collapsed.last_file_id = next_file_id - 1;
  return collapsed;
}

}  // namespace forebay
