#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <utility>

#include "base/check.h"
#include "base/fault.h"
#include "engine/database.h"
#include "engine/engines.h"
#include "target/duckdb_apply.h"
#include "target/duckdb_audit.h"
#include "target/duckdb_file_rows.h"
#include "target/duckdb_history.h"
#include "target/duckdb_ledger.h"
#include "target/ledger_schema.h"
#include "target/little_memory.h"
#include "target/targets.h"

namespace forebay {
namespace {

// Below this many holes (about a row group) a table is not worth compacting.
constexpr std::uint64_t kMinHoles = 100'000;
constexpr int kCompactionTasks = 100;

class DuckdbTarget final : public Target {
 public:
  explicit DuckdbTarget(DuckdbTargetOptions options) : options_(std::move(options)) {}

  Status open();

  TargetPromises promises() const override {
    return {.name = "DuckDB " + duckdb::library_version(),
            .atomic = true,
            .many_units = true,
            .concurrent_readers = false,
            .max_columns = {}};
  }
  std::string display() const override { return "duckdb:" + options_.path; }
  std::string default_schema() const override { return "main"; }
  Engine& engine() override { return *engine_; }

  Result<LedgerHead> head(const std::string& pipeline) override;
  Result<std::vector<KnownUnit>> known(const std::string& pipeline,
                                       const std::vector<std::string>& names) override;
  Result<std::vector<KnownFile>> known_files(const std::string& pipeline, const TableName& table,
                                             const std::vector<std::string>& store_keys) override;
  Result<std::vector<StandingFile>> standing_files(const std::string& pipeline,
                                                   const TableName& table,
                                                   const std::optional<TimeRange>& range) override;
  Result<bool> any_expired(const std::string& pipeline, const TableName& table,
                           const Expiry& expiry) override;
  Result<std::vector<DocumentEntry>> known_documents(const std::string& pipeline,
                                                     const std::vector<std::string>& keys) override;
  Result<std::vector<AppliedPart>> newest_of_parts(const std::string& pipeline) override;
  Result<std::vector<FileEntry>> files_of_part(const std::string& pipeline, const TableName& table,
                                               const std::string& part) override;
  Result<std::vector<FileEntry>> live_files_of(const std::string& pipeline,
                                               const std::string& unit) override;
  Result<std::vector<TableState>> describe(const std::string& pipeline,
                                           const std::vector<TableName>& tables) override;
  Result<std::vector<PlacedFile>> files_from(const std::string& pipeline, const TableName& table,
                                             const std::string& place) override;
  Result<std::vector<FileEntry>> live_files(const std::string& pipeline, const TableName& table,
                                            const std::string& from,
                                            const std::string& before) override;
  Result<std::string> keys_decided_by(const TableName& table, const std::vector<std::string>& key,
                                      const std::vector<std::int64_t>& files) override;
  Result<std::vector<FileEntry>> files_of(const std::string& pipeline,
                                          const std::string& unit) override;
  Result<std::map<std::string, std::string>> units_with(
      const std::string& pipeline, const std::vector<std::string>& checksums) override {
    if (!has_ledger_) return std::map<std::string, std::string>{};
    return ledger::units_with(*connection_, pipeline, checksums);
  }
  Result<bool> column_is_all_null(const TableName& table, const std::string& column) override {
    return ledger::column_is_all_null(*connection_, table, column);
  }
  Result<bool> has_rows(const TableName& table, const std::vector<std::int64_t>& files,
                        const std::string& relation,
                        const std::vector<std::string>& columns) override {
    return forebay::has_rows(*connection_, table, files, relation, columns);
  }
  Result<Applied> apply(const Batch& batch) override;
  Status reopen() override;
  Status note_cycle(const std::string& pipeline, const CycleNote& note) override;
  Result<std::vector<HistoryRow>> history(const std::string& pipeline,
                                          const HistoryQuery& query) override;
  Status begin_listing() override { return ledger::begin_listing(*connection_); }
  Status add_listing(const std::vector<ListedKey>& keys) override {
    return ledger::add_listing(*connection_, keys);
  }
  Result<std::vector<FileDifference>> compare_listing(const std::string& pipeline,
                                                      std::size_t most) override;
  Result<TableAudit> audit(const std::string& pipeline, const TableName& table, bool per_file,
                           std::size_t most) override;
  Result<TableFingerprint> fingerprint(const TableName& table,
                                       const std::vector<Column>& columns) override;
  Status reset(const Reset& reset) override;

 private:
  Status in_transaction(const std::function<Status()>& write);
  Status check_open() const;
  Status ensure_ledger();
  Result<Applied> write(const Batch& batch);
  Status compact_when_it_pays(const Batch& batch, Applied& applied);
  Status commit();
  void roll_back() {
    ignore_error(connection_->execute("ROLLBACK", "roll back"), "the transaction may be gone");
  }

  DuckdbTargetOptions options_;
  std::unique_ptr<duckdb::Database> database_;
  std::unique_ptr<duckdb::Connection> connection_;
  std::unique_ptr<Engine> engine_;
  bool has_ledger_ = false;
};

Status DuckdbTarget::open() {
  duckdb::OpenOptions options{.path = options_.path,
                              .read_only = options_.mode == TargetMode::read,
                              .threads = options_.threads,
                              .memory_limit = options_.memory_limit,
                              .spill_folder = options_.spill_folder};
  std::error_code ignored;
  if (options.read_only && !std::filesystem::exists(options.path, ignored)) {
    options.path.clear();  // reads as empty
    options.read_only = false;
  }
  ASSIGN_OR_RETURN(database_, duckdb::Database::open(options));
  ASSIGN_OR_RETURN(connection_, database_->connect());
  engine_ = make_duckdb_engine(*connection_);
  ASSIGN_OR_RETURN(has_ledger_, ledger::exists(*connection_));
  return has_ledger_ ? ledger::check_version(*connection_) : Status();
}

Status DuckdbTarget::reopen() {
  engine_.reset();
  connection_.reset();
  database_.reset();
  RETURN_IF_ERROR(fault_point("target.reopen"));
  return open();
}

// Between a reopen() that failed and one that succeeds there is no database.
Status DuckdbTarget::check_open() const {
  if (connection_) return {};
  return fail({.code = ErrorCode::unavailable,
               .operation = "write to",
               .object = display(),
               .cause = "it could not be opened again after an error",
               .hint = "run again: the ledger tells what was committed"});
}

Result<LedgerHead> DuckdbTarget::head(const std::string& pipeline) {
  if (!has_ledger_) return LedgerHead{};
  return ledger::head(*connection_, pipeline);
}

Result<std::vector<KnownUnit>> DuckdbTarget::known(const std::string& pipeline,
                                                   const std::vector<std::string>& names) {
  CHECK(std::ranges::is_sorted(names));
  if (!has_ledger_ || names.empty()) return std::vector<KnownUnit>{};
  return ledger::in_little_memory(*connection_, options_.memory_limit,
                                  [&] { return ledger::known(*connection_, pipeline, names); });
}

Result<std::vector<KnownFile>> DuckdbTarget::known_files(
    const std::string& pipeline, const TableName& table,
    const std::vector<std::string>& store_keys) {
  CHECK(std::ranges::is_sorted(store_keys));
  if (!has_ledger_ || store_keys.empty()) return std::vector<KnownFile>{};
  return ledger::in_little_memory(*connection_, options_.memory_limit, [&] {
    return ledger::known_files(*connection_, pipeline, table, store_keys);
  });
}

Result<std::vector<StandingFile>> DuckdbTarget::standing_files(
    const std::string& pipeline, const TableName& table, const std::optional<TimeRange>& range) {
  if (!has_ledger_) return std::vector<StandingFile>{};
  return ledger::standing_files(*connection_, pipeline, table, range);
}

Result<bool> DuckdbTarget::any_expired(const std::string& pipeline, const TableName& table,
                                       const Expiry& expiry) {
  if (!has_ledger_) return false;
  ASSIGN_OR_RETURN(const auto rows,
                   connection_->query(fmt::format("SELECT 1 FROM {} WHERE {} LIMIT 1",
                                                  connection_->qualify(table.schema, table.name),
                                                  expired_sql(pipeline, expiry)),
                                      "look at " + table.display()));
  return !rows.empty();
}

Result<std::vector<DocumentEntry>> DuckdbTarget::known_documents(
    const std::string& pipeline, const std::vector<std::string>& keys) {
  CHECK(std::ranges::is_sorted(keys));
  if (!has_ledger_ || keys.empty()) return std::vector<DocumentEntry>{};
  return ledger::in_little_memory(*connection_, options_.memory_limit, [&] {
    return ledger::known_documents(*connection_, pipeline, keys);
  });
}

Result<std::vector<AppliedPart>> DuckdbTarget::newest_of_parts(const std::string& pipeline) {
  if (!has_ledger_) return std::vector<AppliedPart>{};
  return ledger::newest_of_parts(*connection_, pipeline);
}

Result<std::vector<FileEntry>> DuckdbTarget::files_of_part(const std::string& pipeline,
                                                           const TableName& table,
                                                           const std::string& part) {
  if (!has_ledger_) return std::vector<FileEntry>{};
  return ledger::files_of_part(*connection_, pipeline, table, part);
}

Result<std::vector<FileEntry>> DuckdbTarget::live_files_of(const std::string& pipeline,
                                                           const std::string& unit) {
  if (!has_ledger_) return std::vector<FileEntry>{};
  return ledger::live_files_of(*connection_, pipeline, unit);
}

Result<std::vector<TableState>> DuckdbTarget::describe(const std::string& pipeline,
                                                       const std::vector<TableName>& tables) {
  std::vector<TableState> states;
  for (const TableName& table : tables) {
    ASSIGN_OR_RETURN(TableState state, ledger::stands(*connection_, table));
    if (has_ledger_) RETURN_IF_ERROR(ledger::add_history(*connection_, pipeline, table, state));
    states.push_back(std::move(state));
  }
  return states;
}

Result<std::vector<PlacedFile>> DuckdbTarget::files_from(const std::string& pipeline,
                                                         const TableName& table,
                                                         const std::string& place) {
  if (!has_ledger_) return std::vector<PlacedFile>{};
  return ledger::files_from(*connection_, pipeline, table, place);
}

Result<std::vector<FileEntry>> DuckdbTarget::live_files(const std::string& pipeline,
                                                        const TableName& table,
                                                        const std::string& from,
                                                        const std::string& before) {
  if (!has_ledger_) return std::vector<FileEntry>{};
  return ledger::live_files(*connection_, pipeline, table, from, before);
}

Result<std::string> DuckdbTarget::keys_decided_by(const TableName& table,
                                                  const std::vector<std::string>& key,
                                                  const std::vector<std::int64_t>& files) {
  return list_keys(*connection_, table, key, files);
}

Result<std::vector<FileEntry>> DuckdbTarget::files_of(const std::string& pipeline,
                                                      const std::string& unit) {
  if (!has_ledger_) return std::vector<FileEntry>{};
  return ledger::files_of(*connection_, pipeline, unit);
}

// The ledger is created inside the transaction that writes to it first.
Status DuckdbTarget::ensure_ledger() {
  if (has_ledger_) return {};
  RETURN_IF_ERROR(fault_point("ledger.create"));
  RETURN_IF_ERROR(connection_->execute(ledger_ddl(), "create the ledger"));
  return ledger::write_version(*connection_);
}

// DuckDB's checkpoint can rewrite row groups to close the holes that replaced and deleted rows
// leave. Doing it each time costs as much as the load itself; never doing it lets the file grow. It
// is done when the holes of a table make up a third of it, so that its cost is shared by what made
// them.
Status DuckdbTarget::compact_when_it_pays(const Batch& batch, Applied& applied) {
  bool pays = false;
  for (const TableChange& change : batch.tables) {
    TableCounts& counts = applied.tables[change.table.display()];
    std::uint64_t before = 0;
    if (!change.clear && !change.create) {
      ASSIGN_OR_RETURN(before,
                       ledger::count_before(*connection_, batch.pipeline, change.table, "holes"));
      counts.holes = before + counts.updated + counts.deleted;
    }
    if (counts.holes < kMinHoles || counts.holes < counts.rows_after / 2) continue;
    pays = true;
    counts.holes = 0;
  }
  RETURN_IF_ERROR(
      connection_->execute(fmt::format("SET max_vacuum_tasks = {}", pays ? kCompactionTasks : 0),
                           "set up the checkpoint"));
  return {};
}

Result<Applied> DuckdbTarget::write(const Batch& batch) {
  RETURN_IF_ERROR(ensure_ledger());
  RETURN_IF_ERROR(insert_commit(*connection_, batch));
  RETURN_IF_ERROR(fault_point("apply.begun"));
  Applied applied;
  for (const TableChange& change : batch.tables) {
    ASSIGN_OR_RETURN(applied.tables[change.table.display()],
                     apply_table(*connection_, batch.pipeline, change));
  }
  RETURN_IF_ERROR(compact_when_it_pays(batch, applied));
  RETURN_IF_ERROR(add_gaps(*connection_, batch, applied));
  RETURN_IF_ERROR(insert_entries(*connection_, batch, applied));
  RETURN_IF_ERROR(fault_point("apply.before_commit"));
  return applied;
}

// Whatever COMMIT says but success, the transaction may be durable: only the ledger knows.
Status DuckdbTarget::commit() {
  Status fault = fault_point("apply.commit");
  const auto committed = fault ? connection_->execute_uninterrupted("COMMIT", "commit")
                               : Result<std::uint64_t>(fail(fault.error()));
  if (committed) {
    has_ledger_ = true;
    return {};
  }
  Error error = committed.error();
  error.code = ErrorCode::commit_unknown;
  error.object = display();
  return fail(std::move(error));
}

Result<Applied> DuckdbTarget::apply(const Batch& batch) {
  RETURN_IF_ERROR(check_open());
  RETURN_IF_ERROR(connection_->execute("BEGIN", "begin"));
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

Status DuckdbTarget::note_cycle(const std::string& pipeline, const CycleNote& note) {
  return in_transaction([&]() -> Status {
    RETURN_IF_ERROR(ledger::insert_cycle(*connection_, pipeline, note));
    return fault_point("cycle.noted");
  });
}

// All of it or nothing; the ledger is there when `write` begins.
Status DuckdbTarget::in_transaction(const std::function<Status()>& write) {
  RETURN_IF_ERROR(check_open());
  RETURN_IF_ERROR(connection_->execute("BEGIN", "begin"));
  Status written = ensure_ledger();
  if (written) written = write();
  if (!written) {
    roll_back();
    return written;
  }
  return commit();
}

Result<std::vector<Target::HistoryRow>> DuckdbTarget::history(const std::string& pipeline,
                                                              const HistoryQuery& query) {
  if (!has_ledger_) return std::vector<HistoryRow>{};
  return ledger::history(*connection_, pipeline, query);
}

Result<std::vector<FileDifference>> DuckdbTarget::compare_listing(const std::string& pipeline,
                                                                  std::size_t most) {
  if (!has_ledger_) return std::vector<FileDifference>{};
  return ledger::compare_listing(*connection_, pipeline, most);
}

Result<TableAudit> DuckdbTarget::audit(const std::string& pipeline, const TableName& table,
                                       bool per_file, std::size_t most) {
  if (!has_ledger_) return TableAudit{};
  ASSIGN_OR_RETURN(const TableState state, ledger::stands(*connection_, table));
  return ledger::audit(*connection_, pipeline, table, state, per_file, most);
}

Result<TableFingerprint> DuckdbTarget::fingerprint(const TableName& table,
                                                   const std::vector<Column>& columns) {
  ASSIGN_OR_RETURN(const TableState state, ledger::stands(*connection_, table));
  return ledger::fingerprint(*connection_, table, state, columns);
}

Status DuckdbTarget::reset(const Reset& reset) {
  return in_transaction([&] { return ledger::write_reset(*connection_, reset); });
}

}  // namespace

Result<std::unique_ptr<Target>> open_duckdb_target(DuckdbTargetOptions options) {
  auto target = std::make_unique<DuckdbTarget>(std::move(options));
  RETURN_IF_ERROR(target->open());
  return target;
}

}  // namespace forebay
