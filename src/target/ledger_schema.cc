#include "target/ledger_schema.h"

#include <fmt/format.h>

#include "engine/value.h"

namespace forebay {

namespace {

// {text}, {bytes} and so on stand for the target's own types; {row} for what numbers the rows of a
// table where the database does not.
constexpr const char* kTables = R"sql(
CREATE SCHEMA IF NOT EXISTS _forebay;

CREATE TABLE IF NOT EXISTS _forebay.commit_log (
  pipeline {text} NOT NULL,
  commit_no BIGINT NOT NULL,
  decided_at TIMESTAMPTZ NOT NULL,
  mark {text} NOT NULL,
  mark_name {text} NOT NULL,
  mark_place {bytes} NOT NULL,
  mark_time TIMESTAMPTZ,
  last_file_id BIGINT NOT NULL,
  seconds {real} NOT NULL,
  PRIMARY KEY (pipeline, commit_no));

CREATE TABLE IF NOT EXISTS _forebay.commit_tables (
  pipeline {text} NOT NULL,
  commit_no BIGINT NOT NULL,
  table_schema {text} NOT NULL,
  table_name {text} NOT NULL,
  counts {text} NOT NULL);

CREATE TABLE IF NOT EXISTS _forebay.units (
  pipeline {text} NOT NULL,
  unit {text} NOT NULL,
  version {text} NOT NULL,
  kind {text} NOT NULL,
  state {text} NOT NULL,
  files BIGINT NOT NULL,
  rows BIGINT NOT NULL,
  reason {text} NOT NULL,
  unit_time TIMESTAMPTZ,
  commit_no BIGINT NOT NULL,
  decided_at TIMESTAMPTZ NOT NULL,
  place {bytes} NOT NULL,
  digest {text} NOT NULL,
  part {text} NOT NULL{row});

CREATE TABLE IF NOT EXISTS _forebay.file_log (
  file_id BIGINT NOT NULL,
  pipeline {text} NOT NULL,
  unit {text} NOT NULL,
  store_key {text} NOT NULL,
  size BIGINT NOT NULL,
  etag {text} NOT NULL,
  last_modified TIMESTAMPTZ,
  checksum {text} NOT NULL,
  table_schema {text} NOT NULL,
  table_name {text} NOT NULL,
  rows BIGINT NOT NULL,
  applied_at TIMESTAMPTZ NOT NULL,
  place {bytes} NOT NULL,
  commit_no BIGINT NOT NULL,
  fingerprint {text} NOT NULL);

CREATE TABLE IF NOT EXISTS _forebay.documents (
  pipeline {text} NOT NULL,
  key {text} NOT NULL,
  version {text} NOT NULL,
  unit {text} NOT NULL,
  commit_no BIGINT NOT NULL{row});

CREATE TABLE IF NOT EXISTS _forebay.clears (
  pipeline {text} NOT NULL,
  table_schema {text} NOT NULL,
  table_name {text} NOT NULL,
  place {bytes} NOT NULL,
  below_file BIGINT NOT NULL,
  commit_no BIGINT NOT NULL);

CREATE TABLE IF NOT EXISTS _forebay.retractions (
  file_id BIGINT NOT NULL,
  commit_no BIGINT NOT NULL);

CREATE TABLE IF NOT EXISTS _forebay.pipelines (
  pipeline {text} NOT NULL,
  fact {text} NOT NULL,
  subject {text} NOT NULL,
  value {text} NOT NULL,
  commit_no BIGINT NOT NULL,
  set_at TIMESTAMPTZ NOT NULL{row});

CREATE TABLE IF NOT EXISTS _forebay.cycles (
  pipeline {text} NOT NULL,
  finished_at TIMESTAMPTZ NOT NULL,
  outcome {text} NOT NULL,
  exit_code BIGINT NOT NULL,
  message {text} NOT NULL,
  full_listing BOOLEAN NOT NULL,
  waiting BIGINT NOT NULL,
  list_requests BIGINT NOT NULL,
  stopped_at {text} NOT NULL{row});
)sql";

constexpr const char* kViews = R"sql(
CREATE {view} _forebay.commits AS
SELECT l.pipeline, l.commit_no, l.decided_at, l.mark,
  coalesce(t.tables, CAST('{{}}' AS JSON)) AS tables, l.last_file_id, l.seconds
FROM _forebay.commit_log l
LEFT JOIN (SELECT pipeline, commit_no,
             {group_json}(table_schema || '.' || table_name, CAST(counts AS JSON)) AS tables
           FROM _forebay.commit_tables GROUP BY pipeline, commit_no) t
  ON t.pipeline = l.pipeline AND t.commit_no = l.commit_no;

CREATE {view} _forebay.resets AS
SELECT pipeline, subject, max(commit_no) AS commit_no
FROM _forebay.pipelines WHERE fact = 'reset' GROUP BY pipeline, subject;

CREATE {view} _forebay.files AS
SELECT f.file_id, f.pipeline, f.unit, f.store_key, f.size, f.etag, f.last_modified, f.checksum,
  f.table_schema, f.table_name, f.rows, f.applied_at, f.fingerprint,
  CASE WHEN r.file_id IS NOT NULL OR f.place < c.place
            OR (f.place = CAST('' AS {bytes}) AND f.file_id < c.below_file)
            OR f.commit_no <= whole.commit_no OR f.commit_no <= part.commit_no
       THEN 'retracted' ELSE 'live' END AS state
FROM _forebay.file_log f
LEFT JOIN (SELECT c.pipeline, c.table_schema, c.table_name, {greatest_place} AS place,
                  max(c.below_file) AS below_file
           FROM _forebay.clears c
           LEFT JOIN _forebay.resets w ON w.pipeline = c.pipeline AND w.subject = ''
           LEFT JOIN _forebay.resets p ON p.pipeline = c.pipeline
             AND p.subject = c.table_schema || '.' || c.table_name
           WHERE c.commit_no > greatest(coalesce(w.commit_no, 0), coalesce(p.commit_no, 0))
           GROUP BY c.pipeline, c.table_schema, c.table_name) c
  ON c.pipeline = f.pipeline AND c.table_schema = f.table_schema AND c.table_name = f.table_name
LEFT JOIN (SELECT DISTINCT file_id FROM _forebay.retractions) r ON r.file_id = f.file_id
LEFT JOIN _forebay.resets whole ON whole.pipeline = f.pipeline AND whole.subject = ''
LEFT JOIN _forebay.resets part ON part.pipeline = f.pipeline
  AND part.subject = f.table_schema || '.' || f.table_name;
)sql";

}  // namespace

std::string ledger_ddl(const SqlDialect& dialect) {
  const LedgerWords words = dialect.ledger_words();
  return fmt::format(fmt::runtime(std::string(kTables) + kViews + words.more),
                     fmt::arg("text", words.text), fmt::arg("bytes", words.bytes),
                     fmt::arg("real", words.real), fmt::arg("row", words.row),
                     fmt::arg("view", words.view), fmt::arg("group_json", words.group_json),
                     fmt::arg("greatest_place", dialect.at_greatest("c.place", {"c.place"})));
}

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
