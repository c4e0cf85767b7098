#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "target/target.h"

namespace forebay::test {

// A target whose tables can have so many columns and no more; all else is the inner one's.
class NarrowTarget final : public Target {
 public:
  NarrowTarget(Target& inner, std::size_t max_columns) : inner_(inner), max_columns_(max_columns) {}

  TargetPromises promises() const override {
    TargetPromises promises = inner_.promises();
    promises.max_columns = max_columns_;
    return promises;
  }
  std::string display() const override { return inner_.display(); }
  std::string default_schema() const override { return inner_.default_schema(); }
  Engine& engine() override { return inner_.engine(); }
  Result<LedgerHead> head(const std::string& pipeline) override { return inner_.head(pipeline); }
  Result<std::vector<KnownUnit>> known(const std::string& pipeline,
                                       const std::vector<std::string>& names) override {
    return inner_.known(pipeline, names);
  }
  Result<std::vector<KnownFile>> known_files(const std::string& pipeline, const TableName& table,
                                             const std::vector<std::string>& store_keys) override {
    return inner_.known_files(pipeline, table, store_keys);
  }
  Result<std::vector<DocumentEntry>> known_documents(
      const std::string& pipeline, const std::vector<std::string>& keys) override {
    return inner_.known_documents(pipeline, keys);
  }
  Result<std::vector<AppliedPart>> newest_of_parts(const std::string& pipeline) override {
    return inner_.newest_of_parts(pipeline);
  }
  Result<std::vector<FileEntry>> files_of_part(const std::string& pipeline, const TableName& table,
                                               const std::string& part) override {
    return inner_.files_of_part(pipeline, table, part);
  }
  Result<std::vector<FileEntry>> live_files_of(const std::string& pipeline,
                                               const std::string& unit) override {
    return inner_.live_files_of(pipeline, unit);
  }
  Result<std::vector<TableState>> describe(const std::string& pipeline,
                                           const std::vector<TableName>& tables) override {
    return inner_.describe(pipeline, tables);
  }
  Result<std::vector<PlacedFile>> files_from(const std::string& pipeline, const TableName& table,
                                             const std::string& place) override {
    return inner_.files_from(pipeline, table, place);
  }
  Result<std::vector<FileEntry>> live_files(const std::string& pipeline, const TableName& table,
                                            const std::string& from,
                                            const std::string& before) override {
    return inner_.live_files(pipeline, table, from, before);
  }
  Result<std::string> keys_decided_by(const TableName& table, const std::vector<std::string>& key,
                                      const std::vector<std::int64_t>& files) override {
    return inner_.keys_decided_by(table, key, files);
  }
  Result<std::vector<StandingFile>> standing_files(const std::string& pipeline,
                                                   const TableName& table,
                                                   const std::optional<TimeRange>& range) override {
    return inner_.standing_files(pipeline, table, range);
  }
  Result<bool> any_expired(const std::string& pipeline, const TableName& table,
                           const Expiry& expiry) override {
    return inner_.any_expired(pipeline, table, expiry);
  }
  Result<std::vector<FileEntry>> files_of(const std::string& pipeline,
                                          const std::string& unit) override {
    return inner_.files_of(pipeline, unit);
  }
  Result<std::map<std::string, std::string>> units_with(
      const std::string& pipeline, const std::vector<std::string>& checksums) override {
    return inner_.units_with(pipeline, checksums);
  }
  Result<bool> column_is_all_null(const TableName& table, const std::string& column) override {
    return inner_.column_is_all_null(table, column);
  }
  Result<bool> has_rows(const TableName& table, const std::vector<std::int64_t>& files,
                        const std::string& relation,
                        const std::vector<std::string>& columns) override {
    return inner_.has_rows(table, files, relation, columns);
  }
  Result<Applied> apply(const Batch& batch) override { return inner_.apply(batch); }
  Status reopen() override { return inner_.reopen(); }
  Status note_cycle(const std::string& pipeline, const CycleNote& note) override {
    return inner_.note_cycle(pipeline, note);
  }
  Result<std::vector<HistoryRow>> history(const std::string& pipeline,
                                          const HistoryQuery& query) override {
    return inner_.history(pipeline, query);
  }
  Status begin_listing() override { return inner_.begin_listing(); }
  Status add_listing(const std::vector<ListedKey>& keys) override {
    return inner_.add_listing(keys);
  }
  Result<std::vector<FileDifference>> compare_listing(const std::string& pipeline,
                                                      std::size_t most) override {
    return inner_.compare_listing(pipeline, most);
  }
  Result<TableAudit> audit(const std::string& pipeline, const TableName& table, bool per_file,
                           std::size_t most) override {
    return inner_.audit(pipeline, table, per_file, most);
  }
  Result<TableFingerprint> fingerprint(const TableName& table,
                                       const std::vector<Column>& columns) override {
    return inner_.fingerprint(table, columns);
  }
  Status reset(const Reset& reset) override { return inner_.reset(reset); }

 private:
  Target& inner_;
  std::size_t max_columns_;
};

}  // namespace forebay::test
