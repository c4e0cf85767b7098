#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/fault.h"
#include "base/transfer_limits.h"
#include "engine/database.h"
#include "engine/engines.h"
#include "target/duckdb_compaction.h"
#include "target/duckdb_session.h"
#include "target/sql_target.h"
#include "target/table_file_rows.h"
#include "target/table_history.h"
#include "target/targets.h"

namespace forebay {
namespace {

class DuckdbTarget final : public SqlTarget {
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

  Result<std::string> keys_decided_by(const TableName& table, const std::vector<std::string>& key,
                                      const std::vector<std::int64_t>& files) override;
  Result<bool> has_rows(const TableName& table, const std::vector<std::int64_t>& files,
                        const std::string& relation,
                        const std::vector<std::string>& columns) override {
    return forebay::has_rows(*session_, table, files, relation, columns);
  }
  Status reopen() override;
  Result<TableFingerprint> fingerprint(const TableName& table,
                                       const std::vector<Column>& columns) override;

 protected:
  SqlSession& session() override { return *session_; }
  Status check_open() const override;
  Status begin() override {
    RETURN_IF_ERROR(connection_->execute("BEGIN", "begin"));
    return {};
  }
  Status end() override {
    RETURN_IF_ERROR(connection_->execute_uninterrupted("COMMIT", "commit"));
    return {};
  }
  void roll_back() override {
    ignore_error(connection_->execute("ROLLBACK", "roll back"), "the transaction may be gone");
  }
  Status compare(const std::function<Status()>& run) override;
  Status before_entries(const Batch& batch, Applied& applied) override {
    return compaction_.before_commit(*session_, batch, applied);
  }

 private:
  Status limit_memory(std::uint64_t bytes);

  DuckdbTargetOptions options_;
  std::unique_ptr<duckdb::Database> database_;
  std::unique_ptr<duckdb::Connection> connection_;
  std::optional<DuckdbSession> session_;
  std::unique_ptr<Engine> engine_;
  Compaction compaction_;
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
  session_.emplace(*connection_);
  return find_ledger();
}

Status DuckdbTarget::reopen() {
  engine_.reset();
  session_.reset();
  connection_.reset();
  database_.reset();
  compaction_ = {};
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

Status DuckdbTarget::limit_memory(std::uint64_t bytes) {
  RETURN_IF_ERROR(
      connection_->execute(fmt::format("SET memory_limit = '{}B'", bytes), "limit the memory"));
  return {};
}

// With little memory for the engine, so that what it reads of the ledger does not pile up there. A
// limit of 0 is the engine's own, which stays.
Status DuckdbTarget::compare(const std::function<Status()>& run) {
  if (options_.memory_limit <= kCompareMemory) return run();
  RETURN_IF_ERROR(limit_memory(kCompareMemory));
  Status compared = run();
  RETURN_IF_ERROR(limit_memory(options_.memory_limit));
  return compared;
}

Result<std::string> DuckdbTarget::keys_decided_by(const TableName& table,
                                                  const std::vector<std::string>& key,
                                                  const std::vector<std::int64_t>& files) {
  ASSIGN_OR_RETURN(const std::string select, keys_sql(*session_, table, key, files));
  RETURN_IF_ERROR(connection_->execute(session_->dialect().temporary("forebay_keys", select),
                                       "find the keys of " + table.display()));
  return "forebay_keys";
}

Result<TableFingerprint> DuckdbTarget::fingerprint(const TableName& table,
                                                   const std::vector<Column>& columns) {
  ASSIGN_OR_RETURN(const TableState state, ledger::stands(*session_, table));
  std::vector<std::string> values;
  for (const Column& column : columns) {
    const bool has =
        std::ranges::find(state.columns, column.name, &Column::name) != state.columns.end();
    values.push_back(
        fmt::format("{}::{}", has ? duckdb::quote(column.name) : "NULL", to_sql(column.type)));
  }
  if (!state.exists) return TableFingerprint{.hash = "0"};
  ASSIGN_OR_RETURN(
      const auto rows,
      connection_->query(
          fmt::format("SELECT count(*), coalesce(sum(hash(row({}))::HUGEINT), 0)::VARCHAR FROM {}",
                      fmt::join(values, ", "), connection_->qualify(table.schema, table.name)),
          "compare the rows of " + table.display()));
  return TableFingerprint{.rows = static_cast<std::uint64_t>(duckdb::integer(rows[0][0])),
                          .hash = duckdb::text(rows[0][1])};
}

}  // namespace

Result<std::unique_ptr<Target>> open_duckdb_target(DuckdbTargetOptions options) {
  auto target = std::make_unique<DuckdbTarget>(std::move(options));
  RETURN_IF_ERROR(target->open());
  return target;
}

}  // namespace forebay
