#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/model_database.h"
#include "sim/model_engine.h"
#include "target/target.h"

namespace forebay::sim {

// Target over a database in memory that several of them share, as connections to one server do.
// apply() is a transaction: it works on what stood when it began, and its COMMIT fails when
// somebody else has taken the commit number since. Methods that simulated feeds do not need are
// internal errors.
class ModelTarget final : public Target {
 public:
  // How loaders go wrong that break their word; `none` keeps it.
  enum class Wrong {
    none,
    records_first,  // ledger and rows are two transactions, the ledger's first
    no_fence,       // whoever comes second just takes the next commit number
  };

  // `step` is called inside of apply(), where others may go on; empty: nobody may. `committed` is
  // told what became durable, before anybody goes on.
  struct Hooks {
    std::function<void(const char* what)> step;
    std::function<void(const Batch& batch)> committed;
    Wrong wrong = Wrong::none;
  };
  ModelTarget(ModelDatabase& database, Hooks hooks)
      : durable_(database), hooks_(std::move(hooks)) {}

  TargetPromises promises() const override { return {.name = "model"}; }
  std::string display() const override { return "model"; }
  std::string default_schema() const override { return "main"; }
  Engine& engine() override { return engine_; }
  Result<LedgerHead> head(const std::string& pipeline) override;
  Result<std::vector<KnownUnit>> known(const std::string& pipeline,
                                       const std::vector<std::string>& names) override;
  Result<std::vector<KnownFile>> known_files(const std::string& pipeline, const TableName& table,
                                             const std::vector<std::string>& store_keys) override;
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
  Result<std::vector<StandingFile>> standing_files(const std::string& pipeline,
                                                   const TableName& table,
                                                   const std::optional<TimeRange>& range) override;
  Result<bool> any_expired(const std::string& pipeline, const TableName& table,
                           const Expiry& expiry) override;
  Result<std::vector<FileEntry>> files_of(const std::string& pipeline,
                                          const std::string& unit) override;
  Result<std::map<std::string, std::string>> units_with(
      const std::string& pipeline, const std::vector<std::string>& checksums) override;
  Result<bool> column_is_all_null(const TableName& table, const std::string& column) override;
  Result<bool> has_rows(const TableName& table, const std::vector<std::int64_t>& files,
                        const std::string& relation,
                        const std::vector<std::string>& columns) override;
  Result<Applied> apply(const Batch& batch) override;
  Status reopen() override { return engine_.release(); }
  Status note_cycle(const std::string& pipeline, const CycleNote& note) override;
  Result<std::vector<HistoryRow>> history(const std::string& pipeline,
                                          const HistoryQuery& query) override;
  Status begin_listing() override;
  Status add_listing(const std::vector<ListedKey>& keys) override;
  Result<std::vector<FileDifference>> compare_listing(const std::string& pipeline,
                                                      std::size_t most) override;
  Result<TableAudit> audit(const std::string& pipeline, const TableName& table, bool per_file,
                           std::size_t most) override;
  Result<TableFingerprint> fingerprint(const TableName& table,
                                       const std::vector<Column>& columns) override;
  Status reset(const Reset& reset) override;

 private:
  void step(const char* what) const {
    if (hooks_.step) hooks_.step(what);
  }
  Result<Applied> apply_in_two(const Batch& batch);
  Result<Applied> apply_without_fence(Batch batch);
  Status commit(ModelDatabase next, const Batch& batch);

  ModelDatabase& durable_;
  Hooks hooks_;
  ModelEngine engine_;
};

// What a batch does to the tables of a transaction, and what it writes into the ledger.
Result<TableCounts> change_table(ModelDatabase& database, const ModelEngine& engine,
                                 const TableChange& change);
void write_ledger(ModelDatabase& database, const Batch& batch);

}  // namespace forebay::sim
