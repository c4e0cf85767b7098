#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "target/ledger_audit.h"
#include "target/ledger_queries.h"
#include "target/sql_session.h"
#include "target/target.h"

namespace forebay {

// What all databases have in common that speak SQL: the ledger's queries and the order of a
// transaction. What differs is a session (sql_session.h) and the steps below.
class SqlTarget : public Target {
 public:
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
  Result<std::vector<FileEntry>> files_of(const std::string& pipeline,
                                          const std::string& unit) override;
  Result<std::map<std::string, std::string>> units_with(
      const std::string& pipeline, const std::vector<std::string>& checksums) override {
    if (!has_ledger_) return std::map<std::string, std::string>{};
    return ledger::units_with(session(), pipeline, checksums);
  }
  Result<bool> column_is_all_null(const TableName& table, const std::string& column) override {
    return ledger::column_is_all_null(session(), table, column);
  }
  Result<Applied> apply(const Batch& batch) override;
  Status note_cycle(const std::string& pipeline, const CycleNote& note) override;
  Result<std::vector<HistoryRow>> history(const std::string& pipeline,
                                          const HistoryQuery& query) override;
  Status begin_listing() override { return ledger::begin_listing(session()); }
  Status add_listing(const std::vector<ListedKey>& keys) override {
    return ledger::add_listing(session(), keys);
  }
  Result<std::vector<FileDifference>> compare_listing(const std::string& pipeline,
                                                      std::size_t most) override;
  Result<TableAudit> audit(const std::string& pipeline, const TableName& table, bool per_file,
                           std::size_t most) override;
  Status reset(const Reset& reset) override;

 protected:
  virtual SqlSession& session() = 0;
  // unavailable: there is no connection, because a reopen() failed.
  virtual Status check_open() const = 0;
  virtual Status begin() = 0;
  // Whatever it says but success, the transaction may be durable.
  virtual Status end() = 0;
  virtual void roll_back() = 0;

  // Runs a comparison of many names.
  virtual Status compare(const std::function<Status()>& run) { return run(); }
  // After the commit number is taken: what else keeps two loaders apart.
  virtual Status fence(const Batch& /*batch*/) { return {}; }
  // The change with a delta that the session can read; nothing: it can read the change's own.
  virtual Result<std::optional<TableChange>> staged(const TableChange& /*change*/) {
    return std::nullopt;
  }
  // After the rows are written, before the entries.
  virtual Status before_entries(const Batch& /*batch*/, Applied& /*applied*/) { return {}; }

  // Looks for a ledger, after the session was opened.
  Status find_ledger();

 private:
  // What the ledger says of these sorted names.
  template <class Entry, class Ask>
  Result<std::vector<Entry>> compared(const std::vector<std::string>& names, const Ask& ask);
  Status in_transaction(const std::function<Status()>& write);
  Status ensure_ledger();
  Result<Applied> write(const Batch& batch);
  Status commit();

  bool has_ledger_ = false;
};

}  // namespace forebay
