#include "target/ledger_schema.h"

#include <fmt/format.h>

#include "engine/value.h"

namespace forebay {

namespace {

constexpr const char* kTables = R"sql(
CREATE SCHEMA IF NOT EXISTS _forebay;

CREATE TABLE IF NOT EXISTS _forebay.commit_log (
  pipeline VARCHAR NOT NULL,
  commit_no BIGINT NOT NULL,
  decided_at TIMESTAMPTZ NOT NULL,
  mark VARCHAR NOT NULL,
  mark_name VARCHAR NOT NULL,
  mark_place BLOB NOT NULL,
  mark_time TIMESTAMPTZ,
  last_file_id BIGINT NOT NULL,
  seconds DOUBLE NOT NULL,
  PRIMARY KEY (pipeline, commit_no));

CREATE TABLE IF NOT EXISTS _forebay.commit_tables (
  pipeline VARCHAR NOT NULL,
  commit_no BIGINT NOT NULL,
  table_schema VARCHAR NOT NULL,
  table_name VARCHAR NOT NULL,
  counts VARCHAR NOT NULL);

CREATE TABLE IF NOT EXISTS _forebay.units (
  pipeline VARCHAR NOT NULL,
  unit VARCHAR NOT NULL,
  version VARCHAR NOT NULL,
  kind VARCHAR NOT NULL,
  state VARCHAR NOT NULL,
  files BIGINT NOT NULL,
  rows BIGINT NOT NULL,
  reason VARCHAR NOT NULL,
  unit_time TIMESTAMPTZ,
  commit_no BIGINT NOT NULL,
  decided_at TIMESTAMPTZ NOT NULL,
  place BLOB NOT NULL,
  digest VARCHAR NOT NULL,
  part VARCHAR NOT NULL);

CREATE TABLE IF NOT EXISTS _forebay.file_log (
  file_id BIGINT NOT NULL,
  pipeline VARCHAR NOT NULL,
  unit VARCHAR NOT NULL,
  store_key VARCHAR NOT NULL,
  size BIGINT NOT NULL,
  etag VARCHAR NOT NULL,
  last_modified TIMESTAMPTZ,
  checksum VARCHAR NOT NULL,
  table_schema VARCHAR NOT NULL,
  table_name VARCHAR NOT NULL,
  rows BIGINT NOT NULL,
  applied_at TIMESTAMPTZ NOT NULL,
  place BLOB NOT NULL,
  commit_no BIGINT NOT NULL,
  fingerprint VARCHAR NOT NULL);

CREATE TABLE IF NOT EXISTS _forebay.documents (
  pipeline VARCHAR NOT NULL,
  key VARCHAR NOT NULL,
  version VARCHAR NOT NULL,
  unit VARCHAR NOT NULL,
  commit_no BIGINT NOT NULL);

CREATE TABLE IF NOT EXISTS _forebay.clears (
  pipeline VARCHAR NOT NULL,
  table_schema VARCHAR NOT NULL,
  table_name VARCHAR NOT NULL,
  place BLOB NOT NULL,
  below_file BIGINT NOT NULL,
  commit_no BIGINT NOT NULL);

CREATE TABLE IF NOT EXISTS _forebay.retractions (
  file_id BIGINT NOT NULL,
  commit_no BIGINT NOT NULL);

CREATE TABLE IF NOT EXISTS _forebay.pipelines (
  pipeline VARCHAR NOT NULL,
  fact VARCHAR NOT NULL,
  subject VARCHAR NOT NULL,
  value VARCHAR NOT NULL,
  commit_no BIGINT NOT NULL,
  set_at TIMESTAMPTZ NOT NULL);

CREATE TABLE IF NOT EXISTS _forebay.cycles (
  pipeline VARCHAR NOT NULL,
  finished_at TIMESTAMPTZ NOT NULL,
  outcome VARCHAR NOT NULL,
  exit_code BIGINT NOT NULL,
  message VARCHAR NOT NULL,
  full_listing BOOLEAN NOT NULL,
  waiting BIGINT NOT NULL,
  list_requests BIGINT NOT NULL,
  stopped_at VARCHAR NOT NULL);
)sql";

constexpr const char* kViews = R"sql(
CREATE VIEW IF NOT EXISTS _forebay.commits AS
SELECT l.pipeline, l.commit_no, l.decided_at, l.mark, coalesce(t.tables, '{}'::JSON) AS tables,
  l.last_file_id, l.seconds
FROM _forebay.commit_log l
LEFT JOIN (SELECT pipeline, commit_no,
             json_group_object(table_schema || '.' || table_name, counts::JSON) AS tables
           FROM _forebay.commit_tables GROUP BY ALL) t
  USING (pipeline, commit_no);

CREATE VIEW IF NOT EXISTS _forebay.resets AS
SELECT pipeline, subject, max(commit_no) AS commit_no
FROM _forebay.pipelines WHERE fact = 'reset' GROUP BY ALL;

CREATE VIEW IF NOT EXISTS _forebay.files AS
SELECT f.* EXCLUDE (place, commit_no),
  CASE WHEN r.file_id IS NOT NULL OR f.place < c.place
            OR (f.place = ''::BLOB AND f.file_id < c.below_file)
            OR f.commit_no <= whole.commit_no OR f.commit_no <= part.commit_no
       THEN 'retracted' ELSE 'live' END AS state
FROM _forebay.file_log f
LEFT JOIN (SELECT c.pipeline, c.table_schema, c.table_name, max(c.place) AS place,
                  max(c.below_file) AS below_file
           FROM _forebay.clears c
           LEFT JOIN _forebay.resets w ON w.pipeline = c.pipeline AND w.subject = ''
           LEFT JOIN _forebay.resets p ON p.pipeline = c.pipeline
             AND p.subject = c.table_schema || '.' || c.table_name
           WHERE c.commit_no > greatest(coalesce(w.commit_no, 0), coalesce(p.commit_no, 0))
           GROUP BY ALL) c
  USING (pipeline, table_schema, table_name)
LEFT JOIN (SELECT DISTINCT file_id FROM _forebay.retractions) r USING (file_id)
LEFT JOIN _forebay.resets whole ON whole.pipeline = f.pipeline AND whole.subject = ''
LEFT JOIN _forebay.resets part ON part.pipeline = f.pipeline
  AND part.subject = f.table_schema || '.' || f.table_name;
)sql";

}  // namespace

std::string ledger_ddl() { return std::string(kTables) + kViews; }

std::string reset_commit(const std::string& pipeline, const TableName* table) {
  return fmt::format(
      "coalesce((SELECT max(commit_no) FROM _forebay.pipelines WHERE pipeline = {} AND fact = "
      "'reset' AND subject IN ('', {})), 0)",
      duckdb::literal(pipeline), duckdb::literal(table == nullptr ? "" : table->display()));
}

std::string gone_table(const TableName& table) {
  return duckdb::quote(kLedgerSchema, table.display() + "__gone");
}

}  // namespace forebay
