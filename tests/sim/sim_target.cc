#include "sim/sim_target.h"

#include <utility>

namespace forebay::sim {

Status SimTarget::enter(const char* what) {
  sim_.step(loader_, what);
  if (unknown_) sim_.violate(std::string(what) + " after a COMMIT of unknown outcome");
  if (!sim_.strikes(Fault::target_fails)) return {};
  return fail({.code = ErrorCode::unavailable,
               .operation = what,
               .object = display(),
               .cause = "drawn by the simulator"});
}

Result<LedgerHead> SimTarget::head(const std::string& pipeline) {
  RETURN_IF_ERROR(enter("head"));
  return inner_.head(pipeline);
}

Result<std::vector<KnownUnit>> SimTarget::known(const std::string& pipeline,
                                                const std::vector<std::string>& names) {
  RETURN_IF_ERROR(enter("known"));
  if (sim_.options().wrong != WrongLoader::high_water_mark) return inner_.known(pipeline, names);
  ASSIGN_OR_RETURN(const LedgerHead head, inner_.head(pipeline));
  return below_mark(head, names);
}

// What a loader believes that keeps nothing but its mark: all below it is loaded as it stands.
std::vector<KnownUnit> SimTarget::below_mark(const LedgerHead& head,
                                             const std::vector<std::string>& names) const {
  std::vector<KnownUnit> known;
  const std::string begin = sim_.feed_kind() == FeedKind::documents ? "_batches/" : "";
  for (const std::string& name : names) {
    const auto version = store_.shown().find(begin + name);
    if (name > head.mark_name || version == store_.shown().end()) continue;
    known.push_back({.unit = name, .version = version->second, .applied = true});
  }
  return known;
}

Result<std::vector<KnownFile>> SimTarget::known_files(const std::string& pipeline,
                                                      const TableName& table,
                                                      const std::vector<std::string>& store_keys) {
  RETURN_IF_ERROR(enter("known_files"));
  return inner_.known_files(pipeline, table, store_keys);
}

Result<std::vector<DocumentEntry>> SimTarget::known_documents(
    const std::string& pipeline, const std::vector<std::string>& keys) {
  RETURN_IF_ERROR(enter("known_documents"));
  return inner_.known_documents(pipeline, keys);
}

Result<std::vector<AppliedPart>> SimTarget::newest_of_parts(const std::string& pipeline) {
  RETURN_IF_ERROR(enter("newest_of_parts"));
  return inner_.newest_of_parts(pipeline);
}

Result<std::vector<FileEntry>> SimTarget::files_of_part(const std::string& pipeline,
                                                        const TableName& table,
                                                        const std::string& part) {
  RETURN_IF_ERROR(enter("files_of_part"));
  return inner_.files_of_part(pipeline, table, part);
}

Result<std::vector<FileEntry>> SimTarget::live_files_of(const std::string& pipeline,
                                                        const std::string& unit) {
  RETURN_IF_ERROR(enter("live_files_of"));
  return inner_.live_files_of(pipeline, unit);
}

Result<std::vector<TableState>> SimTarget::describe(const std::string& pipeline,
                                                    const std::vector<TableName>& tables) {
  RETURN_IF_ERROR(enter("describe"));
  return inner_.describe(pipeline, tables);
}

Result<std::vector<PlacedFile>> SimTarget::files_from(const std::string& pipeline,
                                                      const TableName& table,
                                                      const std::string& place) {
  RETURN_IF_ERROR(enter("files_from"));
  return inner_.files_from(pipeline, table, place);
}

Result<std::vector<FileEntry>> SimTarget::live_files(const std::string& pipeline,
                                                     const TableName& table,
                                                     const std::string& from,
                                                     const std::string& before) {
  RETURN_IF_ERROR(enter("live_files"));
  return inner_.live_files(pipeline, table, from, before);
}

Result<std::string> SimTarget::keys_decided_by(const TableName& table,
                                               const std::vector<std::string>& key,
                                               const std::vector<std::int64_t>& files) {
  RETURN_IF_ERROR(enter("keys_decided_by"));
  return inner_.keys_decided_by(table, key, files);
}

Result<std::vector<StandingFile>> SimTarget::standing_files(const std::string& pipeline,
                                                            const TableName& table,
                                                            const std::optional<TimeRange>& range) {
  RETURN_IF_ERROR(enter("standing_files"));
  return inner_.standing_files(pipeline, table, range);
}

Result<bool> SimTarget::any_expired(const std::string& pipeline, const TableName& table,
                                    const Expiry& expiry) {
  RETURN_IF_ERROR(enter("any_expired"));
  return inner_.any_expired(pipeline, table, expiry);
}

Result<std::vector<FileEntry>> SimTarget::files_of(const std::string& pipeline,
                                                   const std::string& unit) {
  RETURN_IF_ERROR(enter("files_of"));
  return inner_.files_of(pipeline, unit);
}

Result<std::map<std::string, std::string>> SimTarget::units_with(
    const std::string& pipeline, const std::vector<std::string>& checksums) {
  RETURN_IF_ERROR(enter("units_with"));
  return inner_.units_with(pipeline, checksums);
}

Result<bool> SimTarget::column_is_all_null(const TableName& table, const std::string& column) {
  RETURN_IF_ERROR(enter("column_is_all_null"));
  return inner_.column_is_all_null(table, column);
}

Result<bool> SimTarget::has_rows(const TableName& table, const std::vector<std::int64_t>& files,
                                 const std::string& relation,
                                 const std::vector<std::string>& columns) {
  RETURN_IF_ERROR(enter("has_rows"));
  return inner_.has_rows(table, files, relation, columns);
}

Result<Applied> SimTarget::apply(const Batch& batch) {
  auto applied = apply_once(batch);
  const bool unknown = !applied && applied.error().code == ErrorCode::commit_unknown;
  if (unknown && sim_.options().wrong != WrongLoader::none)
    applied = apply_wrongly(batch, std::move(applied).error());
  return applied;
}

void SimTarget::acknowledge(const Batch& batch) {
  for (const UnitEntry& unit : batch.units)
    acknowledged_.units += unit.state == UnitState::applied ? 1 : 0;
  acknowledged_.files += batch.files.size();
  for (const FileEntry& file : batch.files) acknowledged_.rows += file.rows;
}

// A COMMIT that reports an error has done its work or not; nobody can tell from what it says.
Result<Applied> SimTarget::apply_once(const Batch& batch) {
  RETURN_IF_ERROR(enter("apply"));
  const bool lies = sim_.strikes(Fault::commit_unknown);
  const bool lost = lies && sim_.draw().one_in(2);
  auto applied = lost ? Result<Applied>() : inner_.apply(batch);
  if (!applied) return applied;
  sim_.step(loader_, lost ? "lost" : "committed");
  if (!lies) {
    acknowledge(batch);
    return applied;
  }
  sim_.note(loader_, lost ? "COMMIT fails" : "COMMIT says that it failed");
  unknown_ = true;
  return fail({.code = ErrorCode::commit_unknown,
               .operation = "commit",
               .object = display(),
               .cause = "drawn by the simulator"});
}

Result<Applied> SimTarget::apply_wrongly(const Batch& batch, Error error) {
  const WrongLoader wrong = sim_.options().wrong;
  if (wrong != WrongLoader::believes_unknown && wrong != WrongLoader::repeats_unknown)
    return fail(std::move(error));
  unknown_ = false;
  if (wrong == WrongLoader::believes_unknown) return Applied();
  ASSIGN_OR_RETURN(const LedgerHead head, inner_.head(batch.pipeline));
  Batch again = batch;
  again.commit_no = head.commit_no + 1;
  for (TableChange& change : again.tables) {
    ASSIGN_OR_RETURN(const auto states, inner_.describe(batch.pipeline, {change.table}));
    change.create = !states[0].exists;
    change.counts.clear();  // and does not check what it wrote
    if (states[0].exists) change.added.clear();
  }
  return inner_.apply(again);
}

Status SimTarget::reopen() {
  sim_.step(loader_, "reopen");
  if (sim_.strikes(Fault::target_fails))
    return fail({.code = ErrorCode::unavailable,
                 .operation = "reopen",
                 .object = display(),
                 .cause = "drawn by the simulator"});
  unknown_ = false;
  return inner_.reopen();
}

// Closing a cycle may come after a reopen() that failed: then there is nobody to write to.
Status SimTarget::note_cycle(const std::string& pipeline, const CycleNote& note) {
  if (unknown_) {
    sim_.step(loader_, "note_cycle");
    return fail({.code = ErrorCode::unavailable,
                 .operation = "note the cycle",
                 .object = display(),
                 .cause = "the database is not open"});
  }
  RETURN_IF_ERROR(enter("note_cycle"));
  return inner_.note_cycle(pipeline, note);
}

Result<std::vector<Target::HistoryRow>> SimTarget::history(const std::string& pipeline,
                                                           const HistoryQuery& query) {
  RETURN_IF_ERROR(enter("history"));
  return inner_.history(pipeline, query);
}

Status SimTarget::begin_listing() {
  RETURN_IF_ERROR(enter("begin_listing"));
  return inner_.begin_listing();
}

Status SimTarget::add_listing(const std::vector<ListedKey>& keys) {
  RETURN_IF_ERROR(enter("add_listing"));
  return inner_.add_listing(keys);
}

Result<std::vector<FileDifference>> SimTarget::compare_listing(const std::string& pipeline,
                                                               std::size_t most) {
  RETURN_IF_ERROR(enter("compare_listing"));
  return inner_.compare_listing(pipeline, most);
}

Result<TableAudit> SimTarget::audit(const std::string& pipeline, const TableName& table,
                                    bool per_file, std::size_t most) {
  RETURN_IF_ERROR(enter("audit"));
  return inner_.audit(pipeline, table, per_file, most);
}

Result<TableFingerprint> SimTarget::fingerprint(const TableName& table,
                                                const std::vector<Column>& columns) {
  RETURN_IF_ERROR(enter("fingerprint"));
  return inner_.fingerprint(table, columns);
}

Status SimTarget::reset(const Reset& reset) {
  RETURN_IF_ERROR(enter("reset"));
  return inner_.reset(reset);
}

}  // namespace forebay::sim
