#include "target/table_apply.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/ascii.h"
#include "base/check.h"
#include "base/fault.h"
#include "engine/value.h"
#include "target/ledger_schema.h"
#include "target/table_file_rows.h"
#include "target/table_history.h"
#include "target/table_versions.h"

namespace forebay {
namespace {

using duckdb::quote;

// Everything one table's statements need: names, quoted once.
class TableWork {
 public:
  TableWork(SqlSession& session, const std::string& pipeline, const TableChange& change)
      : db_(session),
        dialect_(session.dialect()),
        pipeline_(pipeline),
        change_(change),
        table_(session.qualify(change.table.schema, change.table.name)),
        gone_(gone_table(change.table)) {}

  Result<TableCounts> run();

 private:
  Status create();
  Status alter();
  Status widen_versions();
  Status load_newer();
  Status take_back();
  Status keep_history();
  Status clear();
  Status drop_older();
  Status delete_hits();
  Status insert();
  Status add_missing();
  Status expire();
  Status bury();
  Status account();

  bool keyed() const { return !change_.key.empty(); }
  bool has_newer() const { return !change_.newer.empty(); }
  // Where places decide and the batch sorts after all that stands there is nothing to compare.
  bool compares() const {
    return !starts_empty() && (has_newer() || !change_.order.empty() || change_.first_stays);
  }
  bool has_rows() const { return !change_.delta.rows.empty(); }
  bool is_put() const { return has_rows() && change_.delta.kind == Delta::Kind::put; }
  // A table that was emptied whole, or is new, has nothing that a row could meet.
  bool starts_empty() const { return change_.create || (change_.clear && !has_newer()); }

  std::string what(const char* step) const {
    return fmt::format("{} {}", step, change_.table.display());
  }
  std::string key_list(const char* alias) const { return forebay::key_list(change_.key, alias); }
  std::string key_equal(const char* left, const char* right) const {
    return forebay::key_equal(change_.key, left, right);
  }
  std::string standing_sql() const;
  std::string decided_sql() const;
  std::string column_list() const;
  bool hides_rowid() const;
  Result<std::uint64_t> execute(const std::string& sql, const char* step) {
    return db_.execute(sql, what(step));
  }

  SqlSession& db_;
  const SqlDialect& dialect_;
  const std::string& pipeline_;
  const TableChange& change_;
  const std::string table_;
  const std::string gone_;
  TableCounts counts_;
  RepeatedRows again_;
  std::uint64_t older_puts_ = 0;
  std::uint64_t older_deletes_ = 0;
};

// A column of this name takes the place of the database's own.
bool TableWork::hides_rowid() const {
  return std::ranges::any_of(
      change_.columns, [&](const Column& column) { return dialect_.hides_place(column.name); });
}

std::string TableWork::column_list() const {
  std::string list;
  for (const Column& column : change_.columns) list += quote(column.name) + ", ";
  return list + quote(kFileColumn);
}

Status TableWork::create() {
  std::string columns;
  for (const Column& column : change_.columns)
    columns += fmt::format("{} {}, ", quote(column.name), dialect_.type(column.type));
  RETURN_IF_ERROR(execute(
      fmt::format("CREATE SCHEMA IF NOT EXISTS {}; CREATE TABLE {} ({}{}{} BIGINT)",
                  quote(change_.table.schema), table_, columns,
                  version_definition(dialect_, change_.order, change_.columns), quote(kFileColumn)),
      "create"));
  if (!keyed()) return {};
  std::string key_columns;
  for (const Column& column : change_.columns) {
    if (std::ranges::find(change_.key, column.name) != change_.key.end())
      key_columns += fmt::format("{} {}, ", quote(column.name), dialect_.type(column.type));
  }
  RETURN_IF_ERROR(
      execute(fmt::format("CREATE TABLE {} ({}{}{} BIGINT)", gone_, key_columns,
                          version_definition(dialect_, change_.order, {}), quote(kFileColumn)),
              "create tombstones of"));
  return {};
}

Status TableWork::alter() {
  for (const Column& column : change_.added) {
    RETURN_IF_ERROR(execute(fmt::format("ALTER TABLE {} ADD COLUMN {} {}", table_,
                                        quote(column.name), dialect_.type(column.type)),
                            "add a column to"));
  }
  for (const Column& column : change_.retyped) {
    RETURN_IF_ERROR(execute(dialect_.retype(table_, column), "widen a column of"));
    if (std::ranges::find(change_.key, column.name) != change_.key.end())
      RETURN_IF_ERROR(execute(dialect_.retype(gone_, column), "widen a key of"));
  }
  return change_.version_widened ? widen_versions() : Status();
}

Status TableWork::widen_versions() {
  const auto widen = [&](const std::string& table, const std::vector<Column>& columns) -> Status {
    for (const auto& sql : widen_version_sql(dialect_, change_.order, columns, table))
      RETURN_IF_ERROR(execute(sql, "widen versions of"));
    return {};
  };
  RETURN_IF_ERROR(widen(table_, change_.columns));
  return widen(gone_, {});
}

// The files that decided something after some row of this batch, with the rank of their place.
Status TableWork::load_newer() {
  if (!has_newer() && change_.order.empty() && !change_.first_stays) return {};
  RETURN_IF_ERROR(execute(
      dialect_.temporary_columns("forebay_newer", "file_id BIGINT, rank BIGINT"), "compare"));
  std::vector<duckdb::Row> rows;
  for (const auto& [file_id, rank] : change_.newer) rows.push_back({file_id, rank});
  return db_.append("", "forebay_newer", rows, what("compare"));
}

Status TableWork::take_back() {
  if (change_.retract.empty()) return {};
  const std::string files =
      fmt::format("{} IN ({})", quote(kFileColumn), fmt::join(change_.retract, ", "));
  ASSIGN_OR_RETURN(
      const std::uint64_t rows,
      execute(fmt::format("DELETE FROM {} WHERE {}", table_, files), "take back from"));
  counts_.deleted += rows;
  if (!keyed()) return {};
  RETURN_IF_ERROR(execute(fmt::format("DELETE FROM {} WHERE {}", gone_, files), "take back from"));
  return {};
}

// The history takes all that the batch brings; what follows is about each key's last action.
Status TableWork::keep_history() {
  if (!change_.history) return {};
  RETURN_IF_ERROR(apply_history(db_, change_, counts_));
  if (!change_.delta.history) return {};
  RETURN_IF_ERROR(
      execute(fmt::format("DELETE FROM {} WHERE NOT \"_forebay_current\"", change_.delta.rows),
              "collapse"));
  return {};
}

// A snapshot decides every key at its own place: what was decided before it goes.
Status TableWork::clear() {
  if (!change_.clear || change_.create) return {};
  const std::string kept =
      has_newer()
          ? fmt::format(" WHERE {} NOT IN (SELECT file_id FROM forebay_newer WHERE rank > {})",
                        quote(kFileColumn), change_.clear_rank)
          : std::string();
  ASSIGN_OR_RETURN(const std::uint64_t rows,
                   execute(fmt::format("DELETE FROM {}{}", table_, kept), "clear"));
  counts_.deleted += rows;
  if (!keyed()) return {};
  RETURN_IF_ERROR(execute(fmt::format("DELETE FROM {}{}", gone_, kept), "clear tombstones of"));
  return {};
}

// What decided each key last, in the table or among the gone, with the terms of its version.
std::string TableWork::standing_sql() const {
  const auto select = [&](const char* alias, const std::vector<Column>& columns) {
    std::string sql = fmt::format("SELECT {}, {}.{}", key_list(alias), alias, quote(kFileColumn));
    const duckdb::TermSql value = terms_in(dialect_, change_.order, columns, alias);
    for (std::size_t i = 0; i < change_.order.terms.size(); ++i)
      sql += fmt::format(", {} AS {}", value(i), duckdb::term_column(i));
    return sql;
  };
  return fmt::format("{} FROM {} t UNION ALL {} FROM {} g", select("t", change_.columns), table_,
                     select("g", {}), gone_);
}

// Whether what stands (s, with its place n where that is not below the whole batch) decides against
// the batch's row d.
std::string TableWork::decided_sql() const {
  if (change_.first_stays) return "n.rank IS NULL OR n.rank < d.\"_forebay_rank\"";
  const std::string later = "n.rank > d.\"_forebay_rank\"";
  if (change_.order.empty()) return later;
  return duckdb::newer_sql(change_.order, 0, duckdb::terms_of("s"), duckdb::terms_of("d"),
                           fmt::format("coalesce({}, false)", later), dialect_.comparables());
}

// A row acts only if it is newer than what decided its key last: other rows leave the delta.
Status TableWork::drop_older() {
  if (!is_put() || !compares()) return {};
  const std::string& delta = change_.delta.rows;
  RETURN_IF_ERROR(execute(
      dialect_.temporary(
          "forebay_older",
          fmt::format("SELECT {}, d.\"_forebay_delete\" "
                      "FROM {} d JOIN ({}) s ON {} LEFT JOIN forebay_newer n ON n.file_id = s.{} "
                      "WHERE {}",
                      key_list("d"), delta, standing_sql(), key_equal("d", "s"), quote(kFileColumn),
                      decided_sql())),
      "compare"));
  ASSIGN_OR_RETURN(const auto rows, db_.query("SELECT count(*) FILTER (WHERE NOT _forebay_delete), "
                                              "count(*) FILTER (WHERE _forebay_delete) "
                                              "FROM forebay_older",
                                              what("compare")));
  older_puts_ = static_cast<std::uint64_t>(duckdb::integer(rows[0][0]));
  older_deletes_ = static_cast<std::uint64_t>(duckdb::integer(rows[0][1]));
  if (older_puts_ + older_deletes_ == 0) return {};
  counts_.ignored["older"] += older_puts_ + older_deletes_;
  RETURN_IF_ERROR(execute(
      fmt::format("DELETE FROM {} d USING forebay_older o WHERE {}", delta, key_equal("d", "o")),
      "compare"));
  return {};
}

// Takes out the rows that the delta replaces or deletes, and counts which is which.
Status TableWork::delete_hits() {
  if (!is_put()) return {};
  const std::uint64_t deletes = change_.delta.deletes - older_deletes_;
  if (starts_empty()) {
    if (deletes > 0) counts_.ignored["unknown_key"] += deletes;
    return {};
  }
  const bool by_place = !hides_rowid();
  RETURN_IF_ERROR(execute(
      dialect_.temporary("forebay_hits",
                         fmt::format("SELECT {} AS place, d.\"_forebay_delete\" AS is_delete "
                                     "FROM {} t JOIN {} d ON {}",
                                     by_place ? dialect_.row_place("t.") : "0", table_,
                                     change_.delta.rows, key_equal("t", "d"))),
      "find rows of"));
  ASSIGN_OR_RETURN(
      const auto hits,
      db_.query("SELECT count(*) FILTER (WHERE NOT is_delete), count(*) FILTER (WHERE is_delete) "
                "FROM forebay_hits",
                what("count rows of")));
  const auto updated = static_cast<std::uint64_t>(duckdb::integer(hits[0][0]));
  const auto deleted = static_cast<std::uint64_t>(duckdb::integer(hits[0][1]));
  counts_.updated += updated;
  counts_.deleted += deleted;
  if (deletes > deleted) counts_.ignored["unknown_key"] += deletes - deleted;
  if (updated + deleted == 0) return {};
  const std::string which =
      by_place ? fmt::format("WHERE {} IN (SELECT place FROM forebay_hits)", dialect_.row_place(""))
               : fmt::format("t USING {} d WHERE {}", change_.delta.rows, key_equal("t", "d"));
  ASSIGN_OR_RETURN(const std::uint64_t gone,
                   execute(fmt::format("DELETE FROM {} {}", table_, which), "delete from"));
  if (gone == updated + deleted) return {};
  return fail({ErrorCode::busy, what("delete from"), table_,
               fmt::format("of {} rows to replace {} went", updated + deleted, gone),
               "run again: somebody changes them, or a trigger or policy keeps them"});
}

// Rows that were read before stand already, each as often as it was read.
Status TableWork::add_missing() {
  ASSIGN_OR_RETURN(const std::uint64_t inserted, insert_missing(db_, change_));
  if (inserted > change_.delta.puts)
    return fail({.code = ErrorCode::damaged,
                 .operation = what("insert into"),
                 .cause = fmt::format("{} rows were read where {} were counted before", inserted,
                                      change_.delta.puts),
                 .hint = "a file changed while it was read; run again"});
  counts_.inserted += inserted;
  if (inserted < change_.delta.puts) counts_.ignored["stored"] += change_.delta.puts - inserted;
  return {};
}

Status TableWork::expire() {
  ASSIGN_OR_RETURN(const std::uint64_t expired, delete_expired(db_, pipeline_, change_));
  ASSIGN_OR_RETURN(const std::uint64_t old, delete_generations(db_, change_));
  counts_.deleted += expired + old;
  return {};
}

Status TableWork::insert() {
  if (!has_rows()) return {};
  if (change_.delta.kind == Delta::Kind::add_missing) return add_missing();
  ASSIGN_OR_RETURN(const std::string rows, rows_once(db_, change_, again_));
  const std::string columns = column_list();
  const std::string only_puts = is_put() ? " WHERE NOT d.\"_forebay_delete\"" : "";
  const std::string version = version_value(dialect_, change_.order, change_.columns, "d");
  ASSIGN_OR_RETURN(const std::uint64_t inserted,
                   execute(fmt::format("INSERT INTO {} ({}{}) SELECT {}{} FROM {} d{}", table_,
                                       version_names(dialect_, change_.order, change_.columns),
                                       columns, version, columns, rows, only_puts),
                           "insert into"));
  std::uint64_t expected = change_.delta.puts - older_puts_;
  for (const auto& [file, count] : again_) {
    expected -= count;
    counts_.ignored["collapsed"] += count;
  }
  if (inserted != expected) {
    return fail(
        {.code = ErrorCode::damaged,
         .operation = what("insert into"),
         .cause = fmt::format("{} rows were read where {} were counted before", inserted, expected),
         .hint = "a file changed while it was read; run again"});
  }
  counts_.inserted += inserted - counts_.updated;
  return {};
}

// Keeps the tombstones: a key that was put stands in the table, a key that was deleted among the
// gone.
Status TableWork::bury() {
  if (!keyed() || !has_rows()) return {};
  const std::string& delta = change_.delta.rows;
  if (!starts_empty()) {
    RETURN_IF_ERROR(execute(
        fmt::format("DELETE FROM {} g USING {} d WHERE {}", gone_, delta, key_equal("g", "d")),
        "update tombstones of"));
  }
  if (!is_put() || change_.delta.deletes == older_deletes_) return {};
  const std::string version = version_value(dialect_, change_.order, {}, "d");
  RETURN_IF_ERROR(
      execute(fmt::format("INSERT INTO {} ({}, {}{}) SELECT {}, {}{} FROM {} d WHERE "
                          "d.\"_forebay_delete\"",
                          gone_, key_names(change_.key), version_names(dialect_, change_.order, {}),
                          quote(kFileColumn), key_list("d"), version, quote(kFileColumn), delta),
              "add tombstones of"));
  return {};
}

// Every row that was read is accounted for: put, deleted, collapsed or left out.
Status TableWork::account() {
  const Delta& delta = change_.delta;
  std::uint64_t filtered = 0;
  for (const auto& [reason, rows] : delta.filtered) {
    filtered += rows;
    if (rows > 0) counts_.ignored[reason] += rows;
  }
  CHECK(delta.read ==
        delta.puts + delta.deletes + delta.collapsed + delta.left_out + delta.skipped + filtered);
  if (delta.skipped > 0) counts_.ignored["skipped"] += delta.skipped;
  if (delta.left_out > 0) counts_.ignored["deleted_in_snapshot"] += delta.left_out;
  if (delta.collapsed > 0) counts_.ignored["collapsed"] += delta.collapsed;
  ASSIGN_OR_RETURN(const auto rows,
                   db_.query(fmt::format("SELECT count(*) FROM {}", table_), what("count")));
  counts_.rows_after = static_cast<std::uint64_t>(duckdb::integer(rows[0][0]));
  return {};
}

Result<TableCounts> TableWork::run() {
  RETURN_IF_ERROR(change_.create ? create() : alter());
  RETURN_IF_ERROR(load_newer());
  RETURN_IF_ERROR(take_back());
  RETURN_IF_ERROR(keep_history());
  RETURN_IF_ERROR(clear());
  RETURN_IF_ERROR(drop_older());
  RETURN_IF_ERROR(delete_hits());
  RETURN_IF_ERROR(insert());
  RETURN_IF_ERROR(expire());
  RETURN_IF_ERROR(bury());
  RETURN_IF_ERROR(count_rows_of_files(db_, change_, again_));
  RETURN_IF_ERROR(account());
  RETURN_IF_ERROR(fault_point("apply.table_done"));
  return counts_;
}

}  // namespace

Result<TableCounts> apply_table(SqlSession& session, const std::string& pipeline,
                                const TableChange& change) {
  return TableWork(session, pipeline, change).run();
}

}  // namespace forebay
