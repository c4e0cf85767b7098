#include "target/ledger_queries.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "engine/engine.h"
#include "target/ledger_audit.h"
#include "target/ledger_schema.h"

namespace forebay::ledger {
namespace {

using duckdb::integer;
using duckdb::literal;
using duckdb::Row;
using duckdb::text;

// The ledger's version stands among the facts, under no pipeline's name.
constexpr const char* kVersionFact = "ledger_version";

// The columns of a KnownUnit, in the order in which read_unit() takes them.
std::string unit_columns(const SqlSession& session) {
  return fmt::format(
      "u.unit, u.version, u.state, u.place, u.digest, u.reason, u.kind, u.commit_no, u.files, "
      "u.rows, {} AS unit_time, {} AS decided_at",
      session.dialect().micros("u.unit_time"), session.dialect().micros("u.decided_at"));
}

KnownUnit read_unit(const Row& row) {
  const auto state = unit_state(text(row[2]));
  CHECK(state.has_value());
  return {.unit = text(row[0]),
          .version = text(row[1]),
          .state = *state,
          .place = text(row[3]),
          .digest = text(row[4]),
          .reason = text(row[5]),
          .kind = text(row[6]),
          .commit_no = integer(row[7]),
          .files = integer(row[8]),
          .rows = integer(row[9]),
          .unit_time = duckdb::optional_time(row[10]),
          .decided_at = duckdb::time(row[11])};
}

CycleNote read_cycle(const Row& row) {
  return {.finished_at = duckdb::time(row[0]),
          .outcome = text(row[1]),
          .exit_code = static_cast<int>(integer(row[2])),
          .message = text(row[3]),
          .full_listing = duckdb::boolean(row[4]),
          .waiting = integer(row[5]),
          .list_requests = integer(row[6]),
          .stopped_at = text(row[7])};
}

Status read_commit(SqlSession& session, const std::string& pipeline, LedgerHead& head) {
  ASSIGN_OR_RETURN(
      const auto rows,
      session.query(fmt::format("SELECT commit_no, mark, mark_name, mark_place, {} "
                                "FROM _forebay.commit_log WHERE pipeline = {} "
                                "ORDER BY commit_no DESC LIMIT 1",
                                session.dialect().micros("mark_time"), literal(pipeline)),
                    "read the ledger"));
  if (!rows.empty()) {
    head.commit_no = integer(rows[0][0]);
    head.mark = text(rows[0][1]);
    head.mark_name = text(rows[0][2]);
    head.mark_place = text(rows[0][3]);
    head.mark_time = duckdb::optional_time(rows[0][4]);
  }
  ASSIGN_OR_RETURN(const auto last,
                   session.query("SELECT coalesce(max(last_file_id), 0) FROM _forebay.commit_log",
                                 "read the ledger"));
  head.next_file_id = integer(last[0][0]) + 1;
  return {};
}

Result<std::optional<CycleNote>> read_last_cycle(SqlSession& session, const std::string& where) {
  ASSIGN_OR_RETURN(
      const auto rows,
      session.query(fmt::format("SELECT {}, outcome, exit_code, message, full_listing, "
                                "waiting, list_requests, stopped_at FROM _forebay.cycles WHERE {} "
                                "ORDER BY finished_at DESC, rowid DESC LIMIT 1",
                                session.dialect().micros("finished_at"), where),
                    "read the ledger"));
  return rows.empty() ? std::nullopt : std::optional(read_cycle(rows[0]));
}

Status read_cycles(SqlSession& session, const std::string& pipeline, LedgerHead& head) {
  // A reset has no cycle; what was noted before it counts no longer, whatever it was about.
  const std::string ours = fmt::format(
      "pipeline = {0} AND finished_at > coalesce((SELECT max(set_at) FROM _forebay.pipelines "
      "WHERE pipeline = {0} AND fact = 'reset'), CAST('-infinity' AS TIMESTAMPTZ))",
      literal(pipeline));
  ASSIGN_OR_RETURN(head.last_cycle, read_last_cycle(session, ours));
  ASSIGN_OR_RETURN(head.last_full_cycle, read_last_cycle(session, ours + " AND full_listing"));
  ASSIGN_OR_RETURN(
      const auto first,
      session.query(fmt::format("SELECT {} FROM (SELECT least((SELECT min(finished_at) FROM "
                                "_forebay.cycles WHERE {}), (SELECT min(decided_at) FROM "
                                "_forebay.commit_log WHERE pipeline = {} AND commit_no > {})) AS "
                                "seen) f",
                                session.dialect().micros("seen"), ours, literal(pipeline),
                                reset_commit(pipeline)),
                    "read the ledger"));
  head.first_seen = duckdb::optional_time(first[0][0]);
  return {};
}

Status read_facts(SqlSession& session, const std::string& pipeline, LedgerHead& head) {
  ASSIGN_OR_RETURN(
      const auto rows,
      session.query(fmt::format("SELECT f.fact, f.subject, {} "
                                "FROM _forebay.pipelines f LEFT JOIN _forebay.resets r "
                                "ON r.pipeline = f.pipeline AND r.subject = f.subject "
                                "WHERE f.pipeline = {} AND f.fact <> 'reset' AND f.commit_no > "
                                "greatest({}, coalesce(r.commit_no, 0)) "
                                "GROUP BY f.fact, f.subject ORDER BY f.fact, f.subject",
                                session.dialect().at_greatest("f.value", {"f.rowid"}),
                                literal(pipeline), reset_commit(pipeline)),
                    "read the ledger"));
  for (const Row& row : rows)
    head.facts.push_back({.name = text(row[0]), .subject = text(row[1]), .value = text(row[2])});
  return {};
}

}  // namespace

Result<bool> exists(SqlSession& session) { return session.has({kLedgerSchema, "commit_log"}); }

Status check_version(SqlSession& session) {
  ASSIGN_OR_RETURN(
      const auto rows,
      session.query(fmt::format("SELECT max(CAST(value AS BIGINT)) FROM _forebay.pipelines "
                                "WHERE pipeline = '' AND fact = '{}'",
                                kVersionFact),
                    "read the ledger's version"));
  if (!duckdb::is_null(rows[0][0]) && integer(rows[0][0]) <= kLedgerVersion) return {};
  return fail({.code = ErrorCode::invalid_config,
               .operation = "open",
               .object = "the ledger in schema _forebay",
               .cause = fmt::format("it is not of version {} or older", kLedgerVersion),
               .hint = "use the forebay that wrote it, or a newer one"});
}

Status write_version(SqlSession& session) {
  RETURN_IF_ERROR(session.execute(
      fmt::format("INSERT INTO _forebay.pipelines VALUES ('', '{}', '', '{}', 0, now())",
                  kVersionFact, kLedgerVersion),
      "create the ledger"));
  return {};
}

Result<LedgerHead> head(SqlSession& session, const std::string& pipeline) {
  LedgerHead head;
  RETURN_IF_ERROR(read_commit(session, pipeline, head));
  RETURN_IF_ERROR(read_cycles(session, pipeline, head));
  RETURN_IF_ERROR(read_facts(session, pipeline, head));
  return head;
}

Result<std::vector<KnownUnit>> known(SqlSession& session, const std::string& pipeline,
                                     const std::vector<std::string>& names) {
  ASSIGN_OR_RETURN(const std::string listed, session.list_names(names, "compare names"));
  std::vector<KnownUnit> units;
  RETURN_IF_ERROR(session.query_each(
      fmt::format("SELECT * FROM (SELECT {}, bool_or(u.state = 'applied') OVER (PARTITION BY "
                  "u.unit) AS applied, row_number() OVER (PARTITION BY u.unit "
                  "ORDER BY u.commit_no DESC, u.rowid DESC) AS newest "
                  "FROM _forebay.units u JOIN {} n ON n.unit = u.unit "
                  "WHERE u.pipeline = {} AND u.commit_no > {} AND u.unit BETWEEN {} AND {}) k "
                  "WHERE newest = 1",
                  unit_columns(session), listed, literal(pipeline), reset_commit(pipeline),
                  literal(names.front()), literal(names.back())),
      "compare names", [&](const Row& row) -> Status {
        units.push_back(read_unit(row));
        units.back().applied = duckdb::boolean(row[12]);
        return {};
      }));
  RETURN_IF_ERROR(add_reset_tables(session, pipeline, names, units));
  return units;
}

Result<std::vector<DocumentEntry>> known_documents(SqlSession& session, const std::string& pipeline,
                                                   const std::vector<std::string>& keys) {
  ASSIGN_OR_RETURN(const std::string listed, session.list_names(keys, "compare documents"));
  ASSIGN_OR_RETURN(
      const auto rows,
      session.query(fmt::format("SELECT key, version, unit FROM (SELECT d.key, d.version, d.unit, "
                                "row_number() OVER (PARTITION BY d.key ORDER BY d.commit_no "
                                "DESC, d.rowid DESC) AS newest FROM _forebay.documents d "
                                "JOIN {} n ON d.key = n.unit WHERE d.pipeline = {} "
                                "AND d.commit_no > {} AND d.key BETWEEN {} AND {}) k "
                                "WHERE newest = 1",
                                listed, literal(pipeline), reset_commit(pipeline),
                                literal(keys.front()), literal(keys.back())),
                    "compare documents"));
  std::vector<DocumentEntry> documents;
  for (const Row& row : rows)
    documents.push_back({.key = text(row[0]), .version = text(row[1]), .unit = text(row[2])});
  return documents;
}

Result<std::vector<AppliedPart>> newest_of_parts(SqlSession& session, const std::string& pipeline) {
  ASSIGN_OR_RETURN(
      const auto rows,
      session.query(fmt::format("SELECT part, kind, {2}, {3} FROM "
                                "_forebay.units WHERE pipeline = {0} AND state = 'applied' AND "
                                "part <> '' AND commit_no > greatest({1}, coalesce((SELECT "
                                "max(r.commit_no) FROM _forebay.resets r WHERE r.pipeline = {0} "
                                "AND substr(r.subject, strpos(r.subject, '.') + 1) = "
                                "split_part(part, chr(10), 1)), 0)) GROUP BY part, kind",
                                literal(pipeline), reset_commit(pipeline),
                                session.dialect().at_greatest("place", {"place"}),
                                session.dialect().at_greatest("unit", {"place"})),
                    "read the ledger"));
  std::vector<AppliedPart> parts;
  for (const Row& row : rows) {
    parts.push_back(
        {.part = text(row[0]), .kind = text(row[1]), .place = text(row[2]), .unit = text(row[3])});
  }
  return parts;
}

Result<std::vector<PlacedFile>> files_from(SqlSession& session, const std::string& pipeline,
                                           const TableName& table, const std::string& place) {
  ASSIGN_OR_RETURN(
      const auto rows,
      session.query(fmt::format("SELECT file_id, place FROM _forebay.file_log WHERE pipeline = {} "
                                "AND table_schema = {} AND table_name = {} AND place >= {} "
                                "AND commit_no > {}",
                                literal(pipeline), literal(table.schema), literal(table.name),
                                session.dialect().bytes(place), reset_commit(pipeline, &table)),
                    "read the ledger"));
  std::vector<PlacedFile> files;
  for (const Row& row : rows) files.push_back({.file_id = integer(row[0]), .place = text(row[1])});
  return files;
}

Result<std::vector<Target::HistoryRow>> history(SqlSession& session, const std::string& pipeline,
                                                const Target::HistoryQuery& query) {
  std::string where = fmt::format("u.pipeline = {} AND u.commit_no > {}", literal(pipeline),
                                  reset_commit(pipeline));
  if (!query.states.empty()) {
    std::string states;
    for (const UnitState state : query.states)
      states += fmt::format("{}'{}'", states.empty() ? "" : ", ", to_string(state));
    // What was applied stays so; every other decision counts only as long as it is the newest.
    where += fmt::format(
        " AND u.state IN ({}) AND (u.state = 'applied' OR NOT EXISTS (SELECT 1 FROM _forebay.units "
        "later "
        "WHERE later.pipeline = u.pipeline AND later.unit = u.unit AND (later.commit_no > "
        "u.commit_no OR (later.commit_no = u.commit_no AND later.rowid > u.rowid))))",
        states);
  }
  if (query.since)
    where += fmt::format(" AND u.decided_at >= {}", session.dialect().time(*query.since));
  const std::string limit = query.limit == 0 ? "" : fmt::format(" LIMIT {}", query.limit);
  ASSIGN_OR_RETURN(
      const auto rows,
      session.query(fmt::format("SELECT {}, c.seconds FROM _forebay.units u "
                                "JOIN _forebay.commit_log c USING (pipeline, commit_no) WHERE {} "
                                "ORDER BY u.commit_no DESC, u.place DESC, u.rowid DESC{}",
                                unit_columns(session), where, limit),
                    "read the ledger"));
  std::vector<Target::HistoryRow> history;
  for (const Row& row : rows)
    history.push_back({.unit = read_unit(row), .seconds = duckdb::real(row[12])});
  return history;
}

Result<std::uint64_t> count_before(SqlSession& session, const std::string& pipeline,
                                   const TableName& table, const char* count) {
  ASSIGN_OR_RETURN(
      const auto rows,
      session.query(fmt::format("SELECT coalesce(CAST(CAST(counts AS JSON)->>'{}' AS BIGINT), 0) "
                                "FROM _forebay.commit_tables WHERE pipeline = {} AND "
                                "table_schema = {} AND table_name = {} AND commit_no > {} "
                                "ORDER BY commit_no DESC LIMIT 1",
                                count, literal(pipeline), literal(table.schema),
                                literal(table.name), reset_commit(pipeline, &table)),
                    "read the ledger"));
  return rows.empty() ? 0U : static_cast<std::uint64_t>(integer(rows[0][0]));
}

Status insert_cycle(SqlSession& session, const std::string& pipeline, const CycleNote& note) {
  return session.append(
      kLedgerSchema, "cycles",
      {{pipeline, duckdb::from_time(note.finished_at), note.outcome, std::int64_t{note.exit_code},
        note.message, note.full_listing, note.waiting, note.list_requests, note.stopped_at}},
      "note the cycle");
}

}  // namespace forebay::ledger
