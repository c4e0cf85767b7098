#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/fault.h"
#include "engine/database.h"
#include "engine/engines.h"
#include "target/ledger_schema.h"
#include "target/postgres_copy.h"
#include "target/postgres_session.h"
#include "target/sql_target.h"
#include "target/table_file_rows.h"
#include "target/table_history.h"
#include "target/table_versions.h"
#include "target/targets.h"

namespace forebay {
namespace {

// What PostgreSQL cuts names off at, without a word.
constexpr std::size_t kNameBytes = 63;

Error refused(const TableName& table, std::string cause, std::string hint) {
  return {.code = ErrorCode::refused,
          .operation = "load into PostgreSQL",
          .object = table.display(),
          .cause = std::move(cause),
          .hint = std::move(hint)};
}

class PostgresTarget final : public SqlTarget {
 public:
  explicit PostgresTarget(PostgresTargetOptions options, std::string display)
      : options_(std::move(options)), display_(std::move(display)) {}

  Status open();

  TargetPromises promises() const override {
    return {.name = session_ ? session_->server() : "PostgreSQL",
            .atomic = true,
            .many_units = true,
            .concurrent_readers = true,
            .fingerprints = false};
  }
  std::string display() const override { return display_; }
  std::string default_schema() const override { return "public"; }
  Engine& engine() override { return *engine_; }
  Result<std::string> keys_decided_by(const TableName& table, const std::vector<std::string>& key,
                                      const std::vector<std::int64_t>& files) override;
  Result<bool> has_rows(const TableName& table, const std::vector<std::int64_t>& files,
                        const std::string& relation,
                        const std::vector<std::string>& columns) override;
  Result<TableFingerprint> fingerprint(const TableName& table,
                                       const std::vector<Column>& columns) override;
  Status reopen() override;

 protected:
  SqlSession& session() override { return *session_; }
  Status check_open() const override;
  Status begin() override {
    RETURN_IF_ERROR(session_->execute(
        options_.mode == TargetMode::read ? "BEGIN READ ONLY" : "BEGIN", "begin"));
    return {};
  }
  Status end() override { return session_->execute_uninterrupted("COMMIT", "commit"); }
  void roll_back() override {
    ignore_error(session_->execute("ROLLBACK", "roll back"), "the transaction may be gone");
  }
  Status fence(const Batch& batch) override;
  Result<std::optional<TableChange>> staged(const TableChange& change) override;
  Status before_entries(const Batch& batch, Applied& applied) override;

 private:
  Status check_change(const TableChange& change);
  Status check_retyped(const TableChange& change);
  Status remember_types(const TableName& table, const std::vector<Column>& columns);

  PostgresTargetOptions options_;
  std::string display_;
  std::unique_ptr<duckdb::Database> local_;
  std::unique_ptr<duckdb::Connection> connection_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<PostgresSession> session_;
};

Status PostgresTarget::open() {
  ASSIGN_OR_RETURN(local_, duckdb::Database::open({.threads = options_.threads,
                                                   .memory_limit = options_.memory_limit,
                                                   .spill_folder = options_.spill_folder}));
  ASSIGN_OR_RETURN(connection_, local_->connect());
  engine_ = make_duckdb_engine(*connection_);
  const auto read_types =
      [this](const std::vector<std::string>& names) -> Result<std::vector<ColumnType>> {
    std::vector<ColumnType> types;
    if (names.empty()) return types;
    std::vector<std::string> casts;
    for (const std::string& name : names) casts.push_back(fmt::format("CAST(NULL AS {})", name));
    ASSIGN_OR_RETURN(
        const auto columns,
        connection_->describe(fmt::format("SELECT {}", fmt::join(casts, ", ")), "read types"));
    for (const Column& column : columns) types.push_back(column.type);
    return types;
  };
  ASSIGN_OR_RETURN(session_, PostgresSession::connect(options_.url, read_types));
  return find_ledger();
}

// Relations of the engine go with it: after an unknown COMMIT everything is made anew.
Status PostgresTarget::reopen() {
  session_.reset();
  engine_.reset();
  connection_.reset();
  local_.reset();
  RETURN_IF_ERROR(fault_point("target.reopen"));
  return open();
}

Status PostgresTarget::check_open() const {
  if (session_) return {};
  return fail({.code = ErrorCode::unavailable,
               .operation = "write to",
               .object = display(),
               .cause = "it could not be reached again after an error",
               .hint = "run again: the ledger tells what was committed"});
}

// The commit number keeps two loaders of one pipeline apart; the ids of files are one row of
// numbers for all pipelines, and two of them may have planned the same. Whoever comes second waits
// for the first here, and is busy if that one commits.
Status PostgresTarget::fence(const Batch& batch) {
  if (batch.files.empty()) return {};
  const auto [first, last] = std::ranges::minmax_element(batch.files, {}, &FileEntry::file_id);
  const auto taken = session_->execute(
      fmt::format("INSERT INTO _forebay.file_ranges VALUES (int8range({}, {}, '[]'))",
                  first->file_id, last->file_id),
      "take numbers for files");
  if (taken) return {};
  Error error = taken.error();
  if (error.code == ErrorCode::busy) {
    error.cause = "another pipeline gave out the same numbers for its files in the meantime";
    error.hint = "run again";
  }
  return fail(std::move(error));
}

Status PostgresTarget::check_retyped(const TableChange& change) {
  if (change.retyped.empty()) return {};
  constexpr std::array kPrintAlike{TypeKind::boolean, TypeKind::int16,  TypeKind::int32,
                                   TypeKind::int64,   TypeKind::uint32, TypeKind::uint64,
                                   TypeKind::uuid,    TypeKind::text,   TypeKind::null_type,
                                   TypeKind::uint16,  TypeKind::int8,   TypeKind::uint8};
  ASSIGN_OR_RETURN(const auto standing, session_->columns(change.table));
  if (!standing) return {};
  for (const Column& column : change.retyped) {
    const auto before = std::ranges::find(*standing, column.name, &Column::name);
    if (column.type.kind != TypeKind::text || before == standing->end()) continue;
    if (std::ranges::find(kPrintAlike, before->type.kind) == kPrintAlike.end())
      return fail(refused(change.table,
                          fmt::format("column '{}' would change from {} to text, which prints "
                                      "otherwise in PostgreSQL",
                                      column.name, to_sql(before->type)),
                          "declare the column as text and reset the table"));
  }
  return {};
}

Status PostgresTarget::check_change(const TableChange& change) {
  std::vector<std::string> names = {change.table.schema, change.table.name,
                                    change.table.display() + "__gone",
                                    history_table(change.table).name};
  for (const Column& column : change.columns) names.push_back(column.name);
  for (const OrderTerm& term : change.order.terms)
    names.push_back(fmt::format("{}.{}", kVersionColumn, term.name));
  for (const std::string& name : names) {
    if (name.size() > kNameBytes)
      return fail(refused(change.table,
                          fmt::format("the name '{}' has more than {} bytes", name, kNameBytes),
                          "name the table or the column otherwise (table, rename)"));
  }
  for (const Column& column : change.columns) {
    if (const std::string why = unstorable_in_postgres(column.type); !why.empty())
      return fail(refused(change.table, fmt::format("column '{}': {}", column.name, why),
                          "declare it as text, drop it, or load into a DuckDB target"));
  }
  return check_retyped(change);
}

Result<std::optional<TableChange>> PostgresTarget::staged(const TableChange& change) {
  RETURN_IF_ERROR(check_change(change));
  if (change.delta.rows.empty()) return std::nullopt;
  TableChange staged = change;
  staged.delta.rows = "forebay_delta";
  RETURN_IF_ERROR(copy_to_postgres(*connection_, change.delta.rows, *session_, staged.delta.rows,
                                   "load into " + change.table.display()));
  return staged;
}

// What a column is to the engine; of several rows for one the newest counts.
Status PostgresTarget::remember_types(const TableName& table, const std::vector<Column>& columns) {
  std::vector<duckdb::Row> rows;
  for (const Column& column : columns)
    rows.push_back({table.schema, table.name, column.name, to_sql(column.type)});
  return session_->append(kLedgerSchema, "column_types", rows, "write the ledger");
}

Status PostgresTarget::before_entries(const Batch& batch, Applied& /*applied*/) {
  for (const TableChange& change : batch.tables) {
    if (change.create || !change.added.empty() || !change.retyped.empty() ||
        change.version_widened) {
      std::vector<Column> columns = change.columns;
      for (const std::size_t i : terms_beside(session_->dialect(), change.order, change.columns)) {
        const OrderTerm& term = change.order.terms[i];
        columns.push_back({fmt::format("{}.{}", kVersionColumn, term.name), term.type});
      }
      RETURN_IF_ERROR(remember_types(change.table, columns));
    }
    const auto& history = change.history;
    if (history && (history->create || !history->added.empty() || !history->retyped.empty()))
      RETURN_IF_ERROR(remember_types(history_table(change.table), history->columns));
  }
  return {};
}

// The keys come into the engine as values of the types that the table's columns have there.
Result<std::string> PostgresTarget::keys_decided_by(const TableName& table,
                                                    const std::vector<std::string>& key,
                                                    const std::vector<std::int64_t>& files) {
  const std::string what = "find the keys of " + table.display();
  ASSIGN_OR_RETURN(const auto columns, session_->columns(table));
  ASSIGN_OR_RETURN(const std::string select, keys_sql(*session_, table, key, files));
  std::vector<std::string> texts;
  std::vector<std::string> names;
  std::vector<std::string> casts;
  for (const std::string& name : key) {
    const auto column = std::ranges::find(*columns, name, &Column::name);
    const bool bytes = column->type.kind == TypeKind::blob;
    const std::string quoted = duckdb::quote(name);
    texts.push_back(bytes ? fmt::format("encode({}, 'hex')", quoted)
                          : fmt::format("CAST({} AS text)", quoted));
    names.push_back(quoted + " VARCHAR");
    casts.push_back(bytes ? fmt::format("unhex({0}) AS {0}", quoted)
                          : fmt::format("CAST({0} AS {1}) AS {0}", quoted, to_sql(column->type)));
  }
  ASSIGN_OR_RETURN(
      const auto rows,
      session_->query(fmt::format("SELECT {} FROM ({}) k", fmt::join(texts, ", "), select), what));
  RETURN_IF_ERROR(connection_->execute(
      fmt::format("CREATE OR REPLACE TEMP TABLE forebay_key_texts ({})", fmt::join(names, ", ")),
      what));
  RETURN_IF_ERROR(connection_->append("", "forebay_key_texts", rows, what));
  RETURN_IF_ERROR(connection_->execute(
      fmt::format("CREATE OR REPLACE TEMP TABLE forebay_keys AS SELECT {} FROM forebay_key_texts",
                  fmt::join(casts, ", ")),
      what));
  return "forebay_keys";
}

Result<bool> PostgresTarget::has_rows(const TableName& table,
                                      const std::vector<std::int64_t>& files,
                                      const std::string& relation,
                                      const std::vector<std::string>& columns) {
  RETURN_IF_ERROR(copy_to_postgres(*connection_, relation, *session_, "forebay_compared",
                                   "compare rows of " + table.display()));
  return forebay::has_rows(*session_, table, files, "forebay_compared", columns);
}

Result<TableFingerprint> PostgresTarget::fingerprint(const TableName& table,
                                                     const std::vector<Column>& /*columns*/) {
  return fail(refused(table, "PostgreSQL targets cannot be compared row by row yet",
                      "run verify without --deep"));
}

}  // namespace

Result<std::unique_ptr<Target>> open_postgres_target(PostgresTargetOptions options) {
  ASSIGN_OR_RETURN(std::string display, postgres_display(options.url));
  auto target = std::make_unique<PostgresTarget>(std::move(options), std::move(display));
  RETURN_IF_ERROR(target->open());
  return target;
}

}  // namespace forebay
