#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/sim_store.h"
#include "sim/simulation.h"
#include "target/target.h"

namespace forebay::sim {

// A connection to the database: each call is a step, and may fail, and COMMIT may lie. It also
// turns its loader into one that is wrong on purpose.
class SimTarget final : public Target {
 public:
  SimTarget(Simulation& sim, std::size_t loader, Target& inner, const SimStore& store)
      : sim_(sim), loader_(loader), inner_(inner), store_(store) {}

  // Of the batches whose COMMIT was seen to work.
  struct Acknowledged {
    std::uint64_t units = 0;
    std::uint64_t files = 0;
    std::uint64_t rows = 0;
  };
  const Acknowledged& acknowledged() const { return acknowledged_; }

  TargetPromises promises() const override { return inner_.promises(); }
  std::string display() const override { return inner_.display(); }
  std::string default_schema() const override { return inner_.default_schema(); }
  Engine& engine() override { return inner_.engine(); }
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
  Status reopen() override;
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
  Status enter(const char* what);
  Result<Applied> apply_once(const Batch& batch);
  void acknowledge(const Batch& batch);
  Result<Applied> apply_wrongly(const Batch& batch, Error error);
  std::vector<KnownUnit> below_mark(const LedgerHead& head,
                                    const std::vector<std::string>& names) const;

  Simulation& sim_;
  const std::size_t loader_;
  Target& inner_;
  const SimStore& store_;
  Acknowledged acknowledged_;
  bool unknown_ = false;  // after a COMMIT that failed only reopen() is allowed
};

}  // namespace forebay::sim
