#include "target/table_history.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/check.h"
#include "engine/value.h"
#include "target/ledger_queries.h"
#include "target/ledger_schema.h"
#include "target/table_versions.h"

namespace forebay {
namespace {

using duckdb::quote;

class HistoryWork {
 public:
  HistoryWork(SqlSession& session, const TableChange& change, TableCounts& counts)
      : db_(session),
        dialect_(session.dialect()),
        change_(change),
        history_(*change.history),
        order_(change.order),
        counts_(counts),
        name_(history_table(change.table)),
        table_(session.qualify(name_.schema, name_.name)) {}

  Status run();

 private:
  Status create();
  Status alter();
  Status take_back();
  Status merge();
  Status insert(const std::string& from);
  Status decide_snapshots();
  Status decide_snapshot(std::int64_t since, const SnapshotPlace& snapshot);
  Result<std::int64_t> count_gaps(bool all) const;

  Result<std::uint64_t> execute(const std::string& sql, const char* step) {
    return db_.execute(sql, fmt::format("{} {}", step, name_.display()));
  }
  std::string same(const std::string& left, const duckdb::TermSql& left_terms,
                   const std::string& right, const duckdb::TermSql& right_terms) const {
    return fmt::format("{} AND {}", key_equal(change_.key, left, right),
                       duckdb::same_version_sql(order_, left_terms, right_terms));
  }

  SqlSession& db_;
  const SqlDialect& dialect_;
  const TableChange& change_;
  const HistoryChange& history_;
  const RowOrder& order_;
  TableCounts& counts_;
  const TableName name_;
  const std::string table_;
};

Status HistoryWork::create() {
  std::string columns;
  for (const Column& column : history_.columns)
    columns += fmt::format("{} {}, ", quote(column.name), dialect_.type(column.type));
  RETURN_IF_ERROR(execute(
      fmt::format("CREATE SCHEMA IF NOT EXISTS {}; CREATE TABLE {} ({}{}\"_forebay_op\" {}, "
                  "{} BIGINT, \"_forebay_row\" BIGINT)",
                  quote(name_.schema), table_, columns,
                  version_definition(dialect_, order_, history_.columns),
                  dialect_.type({.kind = TypeKind::text}), quote(kFileColumn)),
      "create"));
  return {};
}

Status HistoryWork::alter() {
  for (const Column& column : history_.added)
    RETURN_IF_ERROR(execute(fmt::format("ALTER TABLE {} ADD COLUMN {} {}", table_,
                                        quote(column.name), dialect_.type(column.type)),
                            "add a column to"));
  for (const Column& column : history_.retyped)
    RETURN_IF_ERROR(execute(dialect_.retype(table_, column), "widen a column of"));
  return {};
}

Status HistoryWork::insert(const std::string& from) {
  std::string names;
  std::string values;
  for (const Column& column : history_.columns) {
    names += quote(column.name) + ", ";
    values += "d." + quote(column.name) + ", ";
  }
  const std::string version = version_value(dialect_, order_, history_.columns, "d");
  names += version_names(dialect_, order_, history_.columns);
  RETURN_IF_ERROR(execute(
      fmt::format("INSERT INTO {0} ({1}\"_forebay_op\", {2}, \"_forebay_row\") SELECT {3}{4}"
                  "CASE WHEN d.\"_forebay_delete\" THEN 'delete' ELSE 'put' END, d.{2}, "
                  "d.\"_forebay_row\" FROM {5}",
                  table_, names, quote(kFileColumn), values, version, from),
      "insert into"));
  return {};
}

// What files that are taken back brought; earlier files bring again what they had, too.
Status HistoryWork::take_back() {
  if (change_.retract.empty() || history_.create) return {};
  RETURN_IF_ERROR(execute(fmt::format("DELETE FROM {} WHERE {} IN ({})", table_, quote(kFileColumn),
                                      fmt::join(change_.retract, ", ")),
                          "take back from"));
  return {};
}

// Of two rows with one version of a key one stays: the newer by their ties, else by their places.
Status HistoryWork::merge() {
  const std::string& delta = change_.delta.rows;
  if (history_.create) return insert(delta + " d");
  const duckdb::TermSql of_batch = duckdb::terms_of("d");
  const duckdb::TermSql standing = terms_in(dialect_, order_, history_.columns, "h");
  std::string versions;
  for (std::size_t i = 0; i < order_.decisive; ++i)
    versions += ", " + of_batch(i) + " AS " + duckdb::term_column(i);
  RETURN_IF_ERROR(execute(
      dialect_.temporary(
          "forebay_met",
          fmt::format("SELECT {}{}, {} AS wins FROM {} d "
                      "JOIN {} h ON {} LEFT JOIN forebay_newer n ON n.file_id = h.{}",
                      key_list(change_.key, "d"), versions,
                      duckdb::newer_sql(order_, order_.decisive, of_batch, standing,
                                        "coalesce(n.rank < d.\"_forebay_rank\", true)",
                                        dialect_.comparables()),
                      delta, table_, same("d", of_batch, "h", standing), quote(kFileColumn))),
      "compare"));
  const duckdb::TermSql met = duckdb::terms_of("m");
  RETURN_IF_ERROR(execute(fmt::format("DELETE FROM {} h USING forebay_met m WHERE m.wins AND {}",
                                      table_, same("h", standing, "m", met)),
                          "delete from"));
  return insert(
      fmt::format("{} d WHERE NOT EXISTS (SELECT 1 FROM forebay_met m WHERE NOT m.wins AND {})",
                  delta, same("d", of_batch, "m", met)));
}

// Which keys a snapshot removed follows from what happened between it and the one before: those
// that stood and that it does not bring.
Status HistoryWork::decide_snapshot(std::int64_t since, const SnapshotPlace& snapshot) {
  const std::string file = quote(kFileColumn);
  if (!snapshot.fresh)
    RETURN_IF_ERROR(
        execute(fmt::format("DELETE FROM {} WHERE \"_forebay_op\" = 'cleared' AND {} = {}", table_,
                            file, snapshot.file_id),
                "decide a snapshot of"));
  const std::string events = fmt::format(
      "SELECT {0}, {5} AS op FROM "
      "{2} h JOIN forebay_places p ON p.file_id = h.{1} WHERE p.rank >= {3} AND p.rank < {4} AND "
      "h.\"_forebay_op\" <> 'cleared' GROUP BY {0}",
      key_list(change_.key, "h"), file, table_, since, snapshot.rank,
      dialect_.at_greatest("h.\"_forebay_op\"", {"p.rank", "h." + file, "h.\"_forebay_row\""}));
  const std::string brought = fmt::format(
      "SELECT {0} FROM {1} h JOIN forebay_places p ON p.file_id = h.{2} WHERE p.rank = {3} AND "
      "h.\"_forebay_op\" = 'put'",
      key_list(change_.key, "h"), table_, file, snapshot.rank);
  std::vector<std::string> names;
  for (const std::string& key : change_.key) names.push_back(quote(key));
  RETURN_IF_ERROR(
      execute(fmt::format("INSERT INTO {0} ({1}, \"_forebay_op\", {2}) SELECT {3}, 'cleared', {4} "
                          "FROM ({5}) e WHERE e.op = 'put' AND NOT EXISTS (SELECT 1 FROM ({6}) s "
                          "WHERE {7})",
                          table_, fmt::join(names, ", "), file, key_list(change_.key, "e"),
                          snapshot.file_id, events, brought, key_equal(change_.key, "e", "s")),
              "decide a snapshot of"));
  return {};
}

Status HistoryWork::decide_snapshots() {
  if (history_.snapshots.empty()) return {};
  RETURN_IF_ERROR(execute(
      dialect_.temporary_columns("forebay_places", "file_id BIGINT, rank BIGINT"), "compare"));
  std::vector<duckdb::Row> rows;
  for (const auto& [file_id, rank] : history_.places) rows.push_back({file_id, rank});
  RETURN_IF_ERROR(db_.append("", "forebay_places", rows, "compare"));
  std::int64_t since = history_.since_rank;
  for (const SnapshotPlace& snapshot : history_.snapshots) {
    RETURN_IF_ERROR(decide_snapshot(since, snapshot));
    since = snapshot.rank;
  }
  return {};
}

// The versions that are missing between the least and the greatest of each key, of the keys that
// this batch touches or of all.
Result<std::int64_t> HistoryWork::count_gaps(bool all) const {
  const std::string column = quote(history_.consecutive);
  const std::string touched =
      all ? std::string()
          : fmt::format(" WHERE EXISTS (SELECT 1 FROM {} d WHERE {})", change_.delta.rows,
                        key_equal(change_.key, "h", "d"));
  const std::string count =
      order_.decisive == 1 ? "count(*)" : fmt::format("count(DISTINCT h.{})", column);
  ASSIGN_OR_RETURN(
      const auto rows,
      db_.query(fmt::format("SELECT CAST(coalesce(sum(hi - lo + 1 - n), 0) AS BIGINT) FROM (SELECT "
                            "CAST(max(h.{0}) AS {5}) AS hi, CAST(min(h.{0}) AS {5}) AS lo, {1} AS "
                            "n FROM {2} h{3} GROUP BY {4}) k",
                            column, count, table_, touched, key_list(change_.key, "h"),
                            dialect_.type({.kind = TypeKind::int128})),
                "count the gaps of " + name_.display()));
  return duckdb::integer(rows[0][0]);
}

Status HistoryWork::run() {
  RETURN_IF_ERROR(history_.create ? create() : alter());
  const bool has_rows = !change_.delta.rows.empty();
  const bool counts_gaps = !history_.consecutive.empty() && has_rows;
  std::int64_t before = 0;
  if (counts_gaps && !history_.create) {
    ASSIGN_OR_RETURN(before, count_gaps(false));
  }
  RETURN_IF_ERROR(take_back());
  if (has_rows) RETURN_IF_ERROR(order_.empty() ? insert(change_.delta.rows + " d") : merge());
  if (counts_gaps) {
    ASSIGN_OR_RETURN(const std::int64_t after, count_gaps(history_.create));
    counts_.gaps_change = after - before;
  }
  return decide_snapshots();
}

}  // namespace

Result<std::string> keys_sql(SqlSession& session, const TableName& table,
                             const std::vector<std::string>& key,
                             const std::vector<std::int64_t>& files) {
  ASSIGN_OR_RETURN(const TableState state, ledger::stands(session, table));
  const TableName history = history_table(table);
  std::vector<std::string> sources = {session.qualify(table.schema, table.name), gone_table(table)};
  if (state.has_history) sources.push_back(session.qualify(history.schema, history.name));
  for (std::string& source : sources)
    source = fmt::format("SELECT {} FROM {} WHERE {} IN ({})", key_names(key), source,
                         quote(kFileColumn), fmt::join(files, ", "));
  return fmt::format("{}", fmt::join(sources, " UNION ALL "));
}

Status apply_history(SqlSession& session, const TableChange& change, TableCounts& counts) {
  return HistoryWork(session, change, counts).run();
}

Status add_gaps(SqlSession& session, const Batch& batch, Applied& applied) {
  for (const TableChange& change : batch.tables) {
    if (!change.history || change.history->consecutive.empty()) continue;
    TableCounts& counts = applied.tables[change.table.display()];
    ASSIGN_OR_RETURN(const std::uint64_t before,
                     ledger::count_before(session, batch.pipeline, change.table, "gaps"));
    const std::int64_t gaps = static_cast<std::int64_t>(before) + counts.gaps_change;
    CHECK(gaps >= 0);
    counts.gaps = static_cast<std::uint64_t>(gaps);
  }
  return {};
}

}  // namespace forebay
