#include "target/ledger_audit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "engine/engine.h"
#include "engine/value.h"
#include "target/ledger_queries.h"
#include "target/ledger_schema.h"
#include "target/table_apply.h"

namespace forebay::ledger {
namespace {

using duckdb::integer;
using duckdb::literal;
using duckdb::quote;
using duckdb::Row;
using duckdb::text;

std::uint64_t count_of(const duckdb::Value& value) {
  return static_cast<std::uint64_t>(integer(value));
}

Result<bool> any_table_was_reset(SqlSession& session, const std::string& pipeline) {
  ASSIGN_OR_RETURN(const auto rows,
                   session.query(fmt::format("SELECT count(*) FROM _forebay.resets WHERE "
                                             "pipeline = {} AND subject <> ''",
                                             literal(pipeline)),
                                 "read the ledger"));
  return integer(rows[0][0]) > 0;
}

}  // namespace

Status add_reset_tables(SqlSession& session, const std::string& pipeline,
                        const std::vector<std::string>& names, std::vector<KnownUnit>& units) {
  ASSIGN_OR_RETURN(const bool any, any_table_was_reset(session, pipeline));
  if (!any) return {};
  ASSIGN_OR_RETURN(const std::string listed, session.list_names(names, "read the ledger"));
  ASSIGN_OR_RETURN(
      const auto rows,
      session.query(
          fmt::format(
              "SELECT DISTINCT l.unit, l.table_name FROM _forebay.file_log l "
              "JOIN {} n ON n.unit = l.unit "
              "JOIN _forebay.resets r ON r.pipeline = l.pipeline AND r.subject = l.table_schema || "
              "'.' || l.table_name "
              "WHERE l.pipeline = {} AND l.commit_no <= r.commit_no AND l.commit_no > {} "
              "AND NOT EXISTS (SELECT 1 FROM _forebay.file_log again WHERE again.pipeline = "
              "l.pipeline AND "
              "again.unit = l.unit AND again.table_schema = l.table_schema AND again.table_name = "
              "l.table_name AND again.commit_no > r.commit_no) ORDER BY 1, 2",
              listed, literal(pipeline), reset_commit(pipeline)),
          "read the ledger"));
  std::map<std::string, std::vector<std::string>> tables;
  for (const Row& row : rows) tables[text(row[0])].push_back(text(row[1]));
  for (KnownUnit& unit : units) {
    if (const auto found = tables.find(unit.unit); found != tables.end()) {
      unit.reset_tables = found->second;
    }
  }
  return {};
}

Status begin_listing(SqlSession& session) {
  const SqlDialect& dialect = session.dialect();
  const std::string text = dialect.type({.kind = TypeKind::text});
  RETURN_IF_ERROR(session.execute(
      dialect.temporary_columns("forebay_listed",
                                fmt::format("store_key {0} NOT NULL, version {0} NOT NULL", text)),
      "compare the listing"));
  return {};
}

Status add_listing(SqlSession& session, const std::vector<ListedKey>& keys) {
  std::vector<Row> rows;
  rows.reserve(keys.size());
  for (const ListedKey& key : keys) rows.push_back({key.store_key, key.version});
  return session.append("", "forebay_listed", rows, "compare the listing");
}

// A version that was looked at and found to be the same bytes again is no difference, and of one
// that was loaded in several versions the newest is compared.
Result<std::vector<FileDifference>> compare_listing(SqlSession& session,
                                                    const std::string& pipeline, std::size_t most) {
  ASSIGN_OR_RETURN(
      const auto rows,
      session.query(
          fmt::format(
              "SELECT f.file_id, f.unit, f.store_key, f.table_schema, f.table_name, "
              "l.store_key IS NULL FROM (SELECT *, max(file_id) OVER (PARTITION BY table_schema, "
              "table_name, store_key) AS newest FROM _forebay.files WHERE pipeline = {0} AND "
              "state = 'live') f LEFT JOIN forebay_listed l ON l.store_key = f.store_key "
              "WHERE f.file_id = f.newest AND (l.version IS NULL OR l.version <> "
              "f.etag) AND NOT EXISTS (SELECT 1 FROM _forebay.units u WHERE u.pipeline = {0} AND "
              "u.unit = "
              "f.unit AND u.version = l.version AND u.reason = {1}) ORDER BY f.store_key LIMIT {2}",
              literal(pipeline), literal(kSameAgain), most),
          "compare the listing"));
  std::vector<FileDifference> differences;
  for (const Row& row : rows) {
    differences.push_back({.file = {.file_id = integer(row[0]),
                                    .unit = text(row[1]),
                                    .store_key = text(row[2]),
                                    .table = {.schema = text(row[3]), .name = text(row[4])}},
                           .gone = duckdb::boolean(row[5])});
  }
  return differences;
}

Result<TableAudit> audit(SqlSession& session, const std::string& pipeline, const TableName& table,
                         const TableState& state, bool per_file, std::size_t most) {
  TableAudit audit{.exists = state.exists, .rows = state.rows};
  const std::string ours =
      fmt::format("pipeline = {} AND table_schema = {} AND table_name = {}", literal(pipeline),
                  literal(table.schema), literal(table.name));
  ASSIGN_OR_RETURN(
      const auto recorded,
      session.query(fmt::format("SELECT CAST(CAST(counts AS JSON)->>'rows_after' AS BIGINT) FROM "
                                "_forebay.commit_tables WHERE {} AND commit_no > {} "
                                "ORDER BY commit_no DESC LIMIT 1",
                                ours, reset_commit(pipeline, &table)),
                    "read the ledger"));
  if (!recorded.empty()) audit.recorded = count_of(recorded[0][0]);
  if (!per_file || !state.exists) return audit;
  ASSIGN_OR_RETURN(
      const auto rows,
      session.query(
          fmt::format("SELECT coalesce(l.file_id, t.file_id, 0), coalesce(l.unit, ''), "
                      "coalesce(l.store_key, ''), coalesce(l.rows, 0), coalesce(t.n, 0) "
                      "FROM (SELECT * FROM _forebay.files WHERE {} AND state = 'live') l "
                      "FULL JOIN (SELECT {} AS file_id, count(*) AS n FROM {} GROUP BY 1) t "
                      "ON t.file_id = l.file_id WHERE coalesce(l.rows, 0) <> coalesce(t.n, 0) "
                      "ORDER BY 1 LIMIT {}",
                      ours, quote(kFileColumn), session.qualify(table.schema, table.name), most),
          "count the rows of " + table.display()));
  for (const Row& row : rows) {
    audit.wrong.push_back({.file_id = integer(row[0]),
                           .unit = text(row[1]),
                           .store_key = text(row[2]),
                           .recorded = count_of(row[3]),
                           .found = count_of(row[4])});
  }
  return audit;
}

// Tombstones are the ledger's word on a table, so they go with it.
Status write_reset(SqlSession& session, const Reset& reset) {
  Batch batch{
      .pipeline = reset.pipeline, .commit_no = reset.commit_no, .decided_at = reset.decided_at};
  if (!reset.whole) {
    ASSIGN_OR_RETURN(const LedgerHead before, head(session, reset.pipeline));
    batch.mark = before.mark;
    batch.mark_name = before.mark_name;
    batch.mark_place = before.mark_place;
    batch.mark_time = before.mark_time;
  }
  ASSIGN_OR_RETURN(const auto last,
                   session.query("SELECT coalesce(max(last_file_id), 0) FROM _forebay.commit_log",
                                 "read the ledger"));
  batch.last_file_id = integer(last[0][0]);
  if (reset.whole) batch.facts.push_back({.name = "reset"});
  for (const TableName& table : reset.tables) {
    if (!reset.whole) batch.facts.push_back({.name = "reset", .subject = table.display()});
  }
  RETURN_IF_ERROR(insert_commit(session, batch));
  RETURN_IF_ERROR(insert_entries(session, batch, {}));
  for (const TableName& table : reset.tables) {
    std::string sql = fmt::format("DROP TABLE IF EXISTS {};", gone_table(table));
    if (reset.drop_tables) {
      sql += fmt::format("DROP TABLE IF EXISTS {};", session.qualify(table.schema, table.name));
    }
    RETURN_IF_ERROR(session.execute(sql, "forget " + table.display()));
  }
  return {};
}

Result<bool> column_is_all_null(SqlSession& session, const TableName& table,
                                const std::string& column) {
  ASSIGN_OR_RETURN(
      const auto rows,
      session.query(fmt::format("SELECT count(*) FROM (SELECT 1 FROM {} WHERE {} IS NOT NULL "
                                "LIMIT 1) v",
                                session.qualify(table.schema, table.name), quote(column)),
                    "look at " + table.display()));
  return duckdb::integer(rows[0][0]) == 0;
}

}  // namespace forebay::ledger
