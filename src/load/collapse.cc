#include "load/collapse.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "base/check.h"
#include "load/evolve.h"
#include "load/explain.h"
#include "load/gapless.h"
#include "load/identity.h"
#include "load/joins.h"
#include "load/named_columns.h"
#include "load/object_columns.h"
#include "load/ranks.h"
#include "load/record.h"
#include "load/splice.h"
#include "load/told_key.h"
#include "load/versions.h"
#include "load/window_collapse.h"

namespace forebay {
namespace {

// One file of one table, with its unit's place.
struct Arrival {
  const LoadedUnit* unit;
  const StagedFile* file;

  const std::string& place() const { return unit->planned.name.place; }
  bool clears() const { return file->file.effect.clear_table; }
  // What is cleared came before this place.
  const std::string& clear_place() const {
    return file->file.effect.clear_generation ? unit->planned.name.generation : place();
  }
};

std::vector<const StagedFile*> files_of(const std::vector<Arrival>& arrivals) {
  std::vector<const StagedFile*> files;
  for (const Arrival& arrival : arrivals) files.push_back(arrival.file);
  return files;
}

// Collapses the files of one table.
class TableCollapse {
 public:
  TableCollapse(const Pipeline& pipeline, const LedgerHead& head, TableName table, const Feed& feed,
                std::vector<Arrival> arrivals, const TableRetake* retake, TableState state,
                const BornColumns& born)
      : pipeline_(pipeline),
        head_(head),
        table_(std::move(table)),
        own_(with_told_key(feed, files_of(arrivals))),
        feed_(own_ ? *own_ : feed),
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
  Status check_clear() const;
  bool acts(const Arrival& arrival) const;
  void find_repeats(std::int64_t first_file_id);
  Result<Evolution> evolve_columns();
  Result<CollapseRequest> request(const Evolution& evolution, std::int64_t first_file_id);
  Status add_earlier(const Evolution& evolution, CollapseRequest& request);
  HistoryChange history(const Evolution& evolution, std::int64_t first_file_id) const;
  bool keeps_history() const { return feed_.keeps_history(); }
  FileEntry entry(const Arrival& arrival, std::int64_t file_id) const;

  const Pipeline& pipeline_;
  const LedgerHead& head_;
  const TableName table_;
  const std::optional<Feed> own_;  // its key stands in its documents
  const Feed& feed_;               // what holds for this table
  const std::vector<Arrival> arrivals_;
  const TableRetake* retake_;  // null: nothing is taken back
  TableState state_;
  const BornColumns& born_;
  TableChange change_;
  Ranks ranks_;
  std::vector<PlacedFile> compared_;  // files of the table whose places have a rank
  std::string lowest_;                // place of this batch
  bool decides_snapshots_ = false;    // what the history says of snapshots has to be decided anew
  std::string since_;                 // then the snapshot below all that changes
};

// The last clear of the batch counts, unless the table was cleared at a later place before.
void TableCollapse::find_clear() {
  for (const Arrival& arrival : arrivals_) {
    const std::string& place = arrival.clear_place();
    if (!arrival.clears() || place < state_.cleared_place) continue;
    const bool same_generation =
        arrival.file->file.effect.clear_generation && place == state_.cleared_place;
    if (same_generation || place < change_.clear_place) continue;
    change_.clear = true;
    change_.clear_place = place;
  }
}

// A snapshot decides every key of its table at its own place: files before it bring no rows.
bool TableCollapse::acts(const Arrival& arrival) const {
  if (arrival.place() < state_.cleared_place) return false;
  return !change_.clear || arrival.place() >= change_.clear_place;
}

// What was cleared cannot be compared any more: a version that a cleared one kept out is lost.
Status TableCollapse::check_clear() const {
  if (!change_.clear || change_.order.empty() || change_.newer.empty()) return {};
  return fail({.code = ErrorCode::refused,
               .operation = "clear",
               .object = table_.display(),
               .cause = "newer units were loaded already, and their versions were compared with "
                        "rows that this snapshot removes",
               .hint = "load the table anew"});
}

// Nothing needs to be compared when the batch sorts after all that was applied, as nearly always
// where places decide. With a history, what happened since the snapshot below is put in order again
// when something is late or a snapshot comes.
Status TableCollapse::find_newer() {
  std::string lowest = arrivals_.empty() ? std::string() : arrivals_.front().place();
  for (const Arrival& arrival : arrivals_) ranks_.add(arrival.place());
  if (change_.clear) ranks_.add(change_.clear_place);
  if (retake_ != nullptr) {
    for (const FileEntry& entry : retake_->entries) {
      ranks_.add(entry.place);
      lowest = std::min(lowest, entry.place);
    }
  }
  const bool late =
      state_.exists && !lowest.empty() && (!feed_.ordered() || lowest < head_.mark_place);
  const bool clears = std::ranges::any_of(arrivals_, &Arrival::clears);
  decides_snapshots_ = keeps_history() && feed_.ordered() && (late || clears);
  std::string from = lowest;
  if (decides_snapshots_) {
    for (const std::string& place : state_.snapshots) {
      if (place < lowest) since_ = place;
    }
    from = since_;
    if (!since_.empty()) ranks_.add(since_);
  }
  if (state_.exists && (late || decides_snapshots_)) {
    ASSIGN_OR_RETURN(compared_, pipeline_.target->files_from(pipeline_.name, table_, from));
  }
  for (const PlacedFile& file : compared_) ranks_.add(file.place);
  for (const PlacedFile& file : compared_) {
    if (file.place > lowest) change_.newer.emplace_back(file.file_id, ranks_.of(file.place));
  }
  if (change_.clear) change_.clear_rank = ranks_.of(change_.clear_place);
  lowest_ = std::move(lowest);
  return {};
}

HistoryChange TableCollapse::history(const Evolution& evolution, std::int64_t first_file_id) const {
  HistoryChange history{.create = !state_.has_history,
                        .columns = evolution.read.columns,
                        .added = evolution.read.added,
                        .retyped = evolution.read.retyped};
  if (!feed_.check.consecutive.empty()) history.consecutive = feed_.check.consecutive.front();
  if (!decides_snapshots_) return history;
  std::map<std::string, SnapshotPlace> snapshots;
  const auto add = [&](const std::string& place, std::int64_t file_id, bool fresh) {
    SnapshotPlace& snapshot =
        snapshots.try_emplace(place, SnapshotPlace{place, ranks_.of(place), file_id, fresh})
            .first->second;
    snapshot.file_id = std::min(snapshot.file_id, file_id);
  };
  const std::set<std::string> standing(state_.snapshots.begin(), state_.snapshots.end());
  for (const PlacedFile& file : compared_) {
    history.places.emplace_back(file.file_id, ranks_.of(file.place));
    if (file.place > lowest_ && standing.contains(file.place)) add(file.place, file.file_id, false);
  }
  for (std::size_t i = 0; i < arrivals_.size(); ++i) {
    const std::int64_t file_id = first_file_id + static_cast<std::int64_t>(i);
    history.places.emplace_back(file_id, ranks_.of(arrivals_[i].place()));
    if (arrivals_[i].clears()) add(arrivals_[i].place(), file_id, true);
  }
  for (auto& [place, snapshot] : snapshots) history.snapshots.push_back(std::move(snapshot));
  if (!since_.empty()) history.since_rank = ranks_.of(since_);
  return history;
}

Result<Evolution> TableCollapse::evolve_columns() {
  std::vector<const StagedFile*> files;
  if (retake_ != nullptr) {
    for (const StagedFile& file : retake_->earlier) files.push_back(&file);
  }
  std::ranges::copy(files_of(arrivals_), std::back_inserter(files));
  ASSIGN_OR_RETURN(const auto schemas, file_schemas(files, pipeline_.target->engine()));
  return evolve(table_, state_, feed_, schemas, born_, *pipeline_.target);
}

// Files whose rows may stand already.
void TableCollapse::find_repeats(std::int64_t first_file_id) {
  for (std::size_t i = 0; i < arrivals_.size(); ++i) {
    const Effect& effect = arrivals_[i].file->file.effect;
    if (effect.once.empty()) continue;
    change_.once.columns = effect.once;
    change_.once.files.push_back(first_file_id + static_cast<std::int64_t>(i));
  }
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
                             .layout = evolution.layout_of.at(file.footer.schema_fingerprint),
                             .constants = object_values(pipeline_, file)});
  }
  return {};
}

Result<CollapseRequest> TableCollapse::request(const Evolution& evolution,
                                               std::int64_t first_file_id) {
  CollapseRequest request{
      .table = table_.display(),
      .columns = evolution.read.columns,
      .layouts = evolution.layouts,
      .key = feed_.rows.key,
      .order = change_.order,
      .first_stays = change_.first_stays,
      .operations = {.remove = feed_.rows.deletes.is,
                     .put = feed_.rows.deletes.others,
                     .skip = feed_.rows.deletes.skip,
                     .insert = feed_.rows.deletes.insert,
                     .absent_puts = feed_.rows.deletes.absent_puts},
      .history = keeps_history(),
      .meets_nothing = change_.newer.empty() && (change_.create || change_.clear)};
  for (const OneValueRule& rule : feed_.check.one_value) {
    if (std::ranges::find(request.columns, rule.column, &Column::name) == request.columns.end())
      continue;
    request.one_value.push_back(
        {.name = rule.column + rule.path +
                 (rule.per_table ? fmt::format(" of {}", table_.display()) : ""),
         .column = rule.column,
         .path = rule.path});
  }
  RETURN_IF_ERROR(add_earlier(evolution, request));
  for (std::size_t i = 0; i < arrivals_.size(); ++i) {
    const Arrival& arrival = arrivals_[i];
    if (!acts(arrival) && !keeps_history()) continue;
    const StagedFile& file = *arrival.file;
    request.files.push_back(
        {.file_id = first_file_id + static_cast<std::int64_t>(i),
         .rank = ranks_.of(arrival.place()),
         .path = file.bytes->path(),
         .object = file.object,
         .rows = file.footer.rows,
         .snapshot = !file.file.effect.put,
         .removes = file.file.effect.remove,
         .acts = acts(arrival),
         .layout = evolution.layout_of.at(file.footer.schema_fingerprint),
         .version = arrival.unit->content.version,
         .constants = object_values(pipeline_, file, &arrival.unit->planned.name)});
  }
  std::ranges::stable_sort(request.files, {}, &InputFile::rank);
  return request;
}

FileEntry TableCollapse::entry(const Arrival& arrival, std::int64_t file_id) const {
  FileEntry entry = file_entry(pipeline_, table_, *arrival.unit, *arrival.file);
  entry.file_id = file_id;
  return entry;
}

Result<TableChange> TableCollapse::run(std::int64_t first_file_id, Collapsed& collapsed) {
  change_.table = table_;
  change_.create = !state_.exists;
  change_.key = feed_.rows.key;
  change_.clear_below_file = first_file_id;
  if (retake_ != nullptr) change_.retract = retake_->files;
  find_clear();
  RETURN_IF_ERROR(find_newer());
  if (own_) RETURN_IF_ERROR(check_told_key(head_, table_, files_of(arrivals_), collapsed.facts));
  ASSIGN_OR_RETURN(Evolution evolution, evolve_columns());
  change_.order = row_order(feed_, evolution.read);
  change_.first_stays = feed_.rows.conflict == Conflict::first;
  change_.version_widened = version_widened(change_.order, state_);
  RETURN_IF_ERROR(check_needed_key(feed_, table_, files_of(arrivals_), evolution.columns));
  RETURN_IF_ERROR(check_clear());
  RETURN_IF_ERROR(check_numbers(feed_, table_, evolution.read));
  ASSIGN_OR_RETURN(CollapseRequest wanted, request(evolution, first_file_id));
  ASSIGN_OR_RETURN(auto shared, splice_small_files(pipeline_.staging_folder, wanted));
  std::ranges::move(shared, std::back_inserter(collapsed.shared));
  const CollapseRequest& read = collapsed.read.emplace_back(std::move(wanted));
  auto delta = pipeline_.target->engine().collapse(read);
  if (!delta && arrivals_.size() == 1)
    return fail(explained(delta.error(), collapsed.read, pipeline_.target->engine()));
  ASSIGN_OR_RETURN(change_.delta, std::move(delta));
  if (auto checked = check_one_value(head_, table_, change_.delta, collapsed.facts);
      !checked && !collapsed.foreign)
    collapsed.foreign = checked.error();
  if (keeps_history()) change_.history = history(evolution, first_file_id);
  change_.columns = std::move(evolution.columns);
  change_.added = std::move(evolution.added);
  change_.retyped = std::move(evolution.retyped);
  change_.names = std::move(evolution.names);
  find_repeats(first_file_id);
  change_.generation = feed_.rows.generation;
  const bool all_stand = feed_.rows.deletes.skip.empty() && change_.generation.empty();
  if (change_.key.empty() && all_stand) {
    for (const InputFile& file : read.files) change_.counts.emplace_back(file.file_id, file.rows);
  }
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
                           const WindowState& window, std::vector<TableState> states,
                           const Births& births) {
  static const BornColumns kNone;
  std::map<TableName, std::vector<Arrival>> by_table;
  const std::vector<TableName> names = table_names(pipeline, units, retake);
  for (const TableName& table : names) by_table[table] = {};
  CHECK(states.size() == by_table.size());
  for (const LoadedUnit* unit : units) {
    for (const StagedFile& file : unit->files)
      by_table[{pipeline.schema, file.file.table}].push_back({unit, &file});
  }
  Collapsed collapsed{.facts = adopted_facts(names, states)};
  std::int64_t next_file_id = head.next_file_id;
  std::size_t i = 0;
  if (pipeline.feed.windowed() && !units.empty()) {
    CHECK(by_table.size() == 1);
    const TableName& table = by_table.begin()->first;
    const auto born = births.find(table);
    ASSIGN_OR_RETURN(
        TableChange change,
        collapse_window(pipeline, head, window, table, std::move(states[0]),
                        born == births.end() ? kNone : born->second, units, collapsed));
    collapsed.tables.push_back(std::move(change));
    collapsed.last_file_id = next_file_id + std::ssize(units) - 1;
    return collapsed;
  }
  for (auto& [name, arrivals] : by_table) {
    const auto count = static_cast<std::int64_t>(arrivals.size());
    const auto taken = retake.find(name);
    const auto born = births.find(name);
    ASSIGN_OR_RETURN(const auto feed, name_columns(pipeline, head, name, units, collapsed.facts));
    check_joins(head, name, units, collapsed);
    TableCollapse table(pipeline, head, name, *feed, std::move(arrivals),
                        taken == retake.end() ? nullptr : &taken->second, std::move(states[i++]),
                        born == births.end() ? kNone : born->second);
    ASSIGN_OR_RETURN(TableChange change, table.run(next_file_id, collapsed));
    collapsed.tables.push_back(std::move(change));
    next_file_id += count;
  }
  collapsed.last_file_id = next_file_id - 1;
  std::vector<const PlannedUnit*> planned;
  for (const LoadedUnit* unit : units) planned.push_back(&unit->planned);
  std::ranges::move(gapless_facts(pipeline.feed, head, planned),
                    std::back_inserter(collapsed.facts));
  return collapsed;
}

}  // namespace forebay
