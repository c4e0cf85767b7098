#include "target/sql_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/fault.h"
#include "target/ledger_schema.h"
#include "target/table_apply.h"
#include "target/table_history.h"

namespace forebay {

Status SqlTarget::find_ledger() {
  ASSIGN_OR_RETURN(has_ledger_, ledger::exists(session()));
  return has_ledger_ ? ledger::check_version(session()) : Status();
}

Result<LedgerHead> SqlTarget::head(const std::string& pipeline) {
  if (!has_ledger_) return LedgerHead{};
  return ledger::head(session(), pipeline);
}

template <class Entry, class Ask>
Result<std::vector<Entry>> SqlTarget::compared(const std::vector<std::string>& names,
                                               const Ask& ask) {
  CHECK(std::ranges::is_sorted(names));
  std::vector<Entry> found;
  if (!has_ledger_ || names.empty()) return found;
  RETURN_IF_ERROR(compare([&]() -> Status {
    ASSIGN_OR_RETURN(found, ask());
    return {};
  }));
  return found;
}

Result<std::vector<KnownUnit>> SqlTarget::known(const std::string& pipeline,
                                                const std::vector<std::string>& names) {
  return compared<KnownUnit>(names, [&] { return ledger::known(session(), pipeline, names); });
}

Result<std::vector<KnownFile>> SqlTarget::known_files(const std::string& pipeline,
                                                      const TableName& table,
                                                      const std::vector<std::string>& store_keys) {
  return compared<KnownFile>(
      store_keys, [&] { return ledger::known_files(session(), pipeline, table, store_keys); });
}

Result<std::vector<StandingFile>> SqlTarget::standing_files(const std::string& pipeline,
                                                            const TableName& table,
                                                            const std::optional<TimeRange>& range) {
  if (!has_ledger_) return std::vector<StandingFile>{};
  return ledger::standing_files(session(), pipeline, table, range);
}

Result<bool> SqlTarget::any_expired(const std::string& pipeline, const TableName& table,
                                    const Expiry& expiry) {
  if (!has_ledger_) return false;
  ASSIGN_OR_RETURN(const auto rows,
                   session().query(fmt::format("SELECT 1 FROM {} WHERE {} LIMIT 1",
                                               session().qualify(table.schema, table.name),
                                               expired_sql(session().dialect(), pipeline, expiry)),
                                   "look at " + table.display()));
  return !rows.empty();
}

Result<std::vector<DocumentEntry>> SqlTarget::known_documents(
    const std::string& pipeline, const std::vector<std::string>& keys) {
  return compared<DocumentEntry>(
      keys, [&] { return ledger::known_documents(session(), pipeline, keys); });
}

Result<std::vector<AppliedPart>> SqlTarget::newest_of_parts(const std::string& pipeline) {
  if (!has_ledger_) return std::vector<AppliedPart>{};
  return ledger::newest_of_parts(session(), pipeline);
}

Result<std::vector<FileEntry>> SqlTarget::files_of_part(const std::string& pipeline,
                                                        const TableName& table,
                                                        const std::string& part) {
  if (!has_ledger_) return std::vector<FileEntry>{};
  return ledger::files_of_part(session(), pipeline, table, part);
}

Result<std::vector<FileEntry>> SqlTarget::live_files_of(const std::string& pipeline,
                                                        const std::string& unit) {
  if (!has_ledger_) return std::vector<FileEntry>{};
  return ledger::live_files_of(session(), pipeline, unit);
}

Result<std::vector<TableState>> SqlTarget::describe(const std::string& pipeline,
                                                    const std::vector<TableName>& tables) {
  std::vector<TableState> states;
  for (const TableName& table : tables) {
    ASSIGN_OR_RETURN(TableState state, ledger::stands(session(), table));
    if (has_ledger_) RETURN_IF_ERROR(ledger::add_history(session(), pipeline, table, state));
    states.push_back(std::move(state));
  }
  return states;
}

Result<std::vector<PlacedFile>> SqlTarget::files_from(const std::string& pipeline,
                                                      const TableName& table,
                                                      const std::string& place) {
  if (!has_ledger_) return std::vector<PlacedFile>{};
  return ledger::files_from(session(), pipeline, table, place);
}

Result<std::vector<FileEntry>> SqlTarget::live_files(const std::string& pipeline,
                                                     const TableName& table,
                                                     const std::string& from,
                                                     const std::string& before) {
  if (!has_ledger_) return std::vector<FileEntry>{};
  return ledger::live_files(session(), pipeline, table, from, before);
}

Result<std::vector<FileEntry>> SqlTarget::files_of(const std::string& pipeline,
                                                   const std::string& unit) {
  if (!has_ledger_) return std::vector<FileEntry>{};
  return ledger::files_of(session(), pipeline, unit);
}

// The ledger is created inside the transaction that writes to it first.
Status SqlTarget::ensure_ledger() {
  if (has_ledger_) return {};
  RETURN_IF_ERROR(fault_point("ledger.create"));
  RETURN_IF_ERROR(session().execute(ledger_ddl(session().dialect()), "create the ledger"));
  return ledger::write_version(session());
}

Result<Applied> SqlTarget::write(const Batch& batch) {
  RETURN_IF_ERROR(ensure_ledger());
  RETURN_IF_ERROR(insert_commit(session(), batch));
  RETURN_IF_ERROR(fence(batch));
  RETURN_IF_ERROR(fault_point("apply.begun"));
  Applied applied;
  for (const TableChange& change : batch.tables) {
    ASSIGN_OR_RETURN(const auto ready, staged(change));
    ASSIGN_OR_RETURN(applied.tables[change.table.display()],
                     apply_table(session(), batch.pipeline, ready ? *ready : change));
  }
  RETURN_IF_ERROR(before_entries(batch, applied));
  RETURN_IF_ERROR(add_gaps(session(), batch, applied));
  RETURN_IF_ERROR(insert_entries(session(), batch, applied));
  RETURN_IF_ERROR(fault_point("apply.before_commit"));
  return applied;
}

// Whatever COMMIT says but success, the transaction may be durable: only the ledger knows.
Status SqlTarget::commit() {
  Status fault = fault_point("apply.commit");
  Status committed = fault ? end() : fail(fault.error());
  if (committed) {
    has_ledger_ = true;
    return {};
  }
  Error error = committed.error();
  error.code = ErrorCode::commit_unknown;
  error.object = display();
  return fail(std::move(error));
}

Result<Applied> SqlTarget::apply(const Batch& batch) {
  RETURN_IF_ERROR(check_open());
  RETURN_IF_ERROR(begin());
  auto applied = write(batch);
  if (!applied) {
    roll_back();
    Error error = std::move(applied).error();
    if (error.object.empty()) error.object = display();
    return fail(std::move(error));
  }
  RETURN_IF_ERROR(commit());
  // Durable, but this process may not know it: the same question to the ledger as after a failed
  // COMMIT.
  if (auto fault = fault_point("apply.committed"); !fault) {
    Error error = fault.error();
    error.code = ErrorCode::commit_unknown;
    return fail(std::move(error));
  }
  return applied;
}

Status SqlTarget::note_cycle(const std::string& pipeline, const CycleNote& note) {
  return in_transaction([&]() -> Status {
    RETURN_IF_ERROR(ledger::insert_cycle(session(), pipeline, note));
    return fault_point("cycle.noted");
  });
}

// All of it or nothing; the ledger is there when `write` begins.
Status SqlTarget::in_transaction(const std::function<Status()>& write) {
  RETURN_IF_ERROR(check_open());
  RETURN_IF_ERROR(begin());
  Status written = ensure_ledger();
  if (written) written = write();
  if (!written) {
    roll_back();
    return written;
  }
  return commit();
}

Result<std::vector<Target::HistoryRow>> SqlTarget::history(const std::string& pipeline,
                                                           const HistoryQuery& query) {
  if (!has_ledger_) return std::vector<HistoryRow>{};
  return ledger::history(session(), pipeline, query);
}

Result<std::vector<FileDifference>> SqlTarget::compare_listing(const std::string& pipeline,
                                                               std::size_t most) {
  if (!has_ledger_) return std::vector<FileDifference>{};
  return ledger::compare_listing(session(), pipeline, most);
}

Result<TableAudit> SqlTarget::audit(const std::string& pipeline, const TableName& table,
                                    bool per_file, std::size_t most) {
  if (!has_ledger_) return TableAudit{};
  ASSIGN_OR_RETURN(const TableState state, ledger::stands(session(), table));
  return ledger::audit(session(), pipeline, table, state, per_file, most);
}

Status SqlTarget::reset(const Reset& reset) {
  return in_transaction([&] { return ledger::write_reset(session(), reset); });
}

}  // namespace forebay
