#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/fault.h"
#include "engine/value.h"
#include "target/ledger_schema.h"
#include "target/table_apply.h"

namespace forebay {
namespace {

using duckdb::from_time;
using duckdb::Row;
using duckdb::Value;

Value number(std::uint64_t value) { return Value(static_cast<std::int64_t>(value)); }

std::vector<Row> unit_rows(const Batch& batch) {
  std::vector<Row> rows;
  for (const UnitEntry& unit : batch.units) {
    rows.push_back({batch.pipeline, unit.unit, unit.version, unit.kind,
                    std::string(to_string(unit.state)), unit.files, unit.rows, unit.reason,
                    from_time(unit.unit_time), batch.commit_no, from_time(batch.decided_at),
                    unit.place, unit.digest, unit.part});
  }
  return rows;
}

std::vector<Row> file_rows(const Batch& batch) {
  std::vector<Row> rows;
  for (const FileEntry& file : batch.files) {
    rows.push_back({file.file_id, batch.pipeline, file.unit, file.store_key, number(file.size),
                    file.etag, from_time(file.last_modified), file.checksum, file.table.schema,
                    file.table.name, number(file.rows), from_time(batch.decided_at), file.place,
                    batch.commit_no, file.fingerprint});
  }
  return rows;
}

std::vector<Row> document_rows(const Batch& batch) {
  std::vector<Row> rows;
  for (const DocumentEntry& document : batch.documents)
    rows.push_back(
        {batch.pipeline, document.key, document.version, document.unit, batch.commit_no});
  return rows;
}

std::vector<Row> fact_rows(const Batch& batch) {
  std::vector<Row> rows;
  for (const Fact& fact : batch.facts) {
    rows.push_back({batch.pipeline, fact.name, fact.subject, fact.value, batch.commit_no,
                    from_time(batch.decided_at)});
  }
  return rows;
}

// A clear is one row, whatever the number of files whose rows it removes.
std::vector<Row> clear_rows(const Batch& batch) {
  std::vector<Row> rows;
  for (const TableChange& change : batch.tables) {
    const auto add = [&](const std::string& place) {
      rows.push_back({batch.pipeline, change.table.schema, change.table.name, place,
                      change.clear_below_file, batch.commit_no});
    };
    if (change.clear && !change.history) add(change.clear_place);
    if (!change.history) continue;
    // A history wants all of them, also those that a later one undid.
    for (const SnapshotPlace& snapshot : change.history->snapshots) {
      if (snapshot.fresh) add(snapshot.place);
    }
  }
  return rows;
}

std::vector<Row> retraction_rows(const Batch& batch) {
  std::vector<Row> rows;
  for (const TableChange& change : batch.tables) {
    for (const std::int64_t file_id : change.retract) rows.push_back({file_id, batch.commit_no});
  }
  return rows;
}

std::string counts_json(const TableCounts& counts) {
  nlohmann::ordered_json json;
  json["inserted"] = counts.inserted;
  json["updated"] = counts.updated;
  json["deleted"] = counts.deleted;
  json["ignored"] = counts.ignored;
  json["rows_after"] = counts.rows_after;
  json["holes"] = counts.holes;
  if (counts.gaps) json["gaps"] = *counts.gaps;
  return json.dump();
}

std::vector<Row> table_rows(const Batch& batch, const Applied& applied) {
  std::vector<Row> rows;
  for (const TableChange& change : batch.tables) {
    rows.push_back({batch.pipeline, batch.commit_no, change.table.schema, change.table.name,
                    counts_json(applied.tables.at(change.table.display()))});
  }
  return rows;
}

}  // namespace

Status insert_commit(SqlSession& session, const Batch& batch) {
  std::int64_t last_file = batch.last_file_id;
  for (const FileEntry& file : batch.files) last_file = std::max(last_file, file.file_id);
  const auto inserted = session.execute(
      fmt::format("INSERT INTO _forebay.commit_log VALUES ({}, {}, {}, {}, {}, {}, {}, {}, {})",
                  duckdb::literal(batch.pipeline), batch.commit_no,
                  session.dialect().time(batch.decided_at), duckdb::literal(batch.mark),
                  duckdb::literal(batch.mark_name), session.dialect().bytes(batch.mark_place),
                  batch.mark_time ? session.dialect().time(*batch.mark_time) : "NULL", last_file,
                  batch.seconds),
      "record the commit");
  if (inserted) return {};
  Error error = inserted.error();
  if (error.code == ErrorCode::busy) {
    error.cause = fmt::format("another loader made commit {} of pipeline '{}' in the meantime",
                              batch.commit_no, batch.pipeline);
    error.hint = "run again: what it loaded will be skipped";
  }
  return fail(std::move(error));
}

Status insert_entries(SqlSession& session, const Batch& batch, const Applied& applied) {
  const auto append = [&](const char* table, const std::vector<Row>& rows) {
    return session.append(kLedgerSchema, table, rows, "write the ledger");
  };
  RETURN_IF_ERROR(append("units", unit_rows(batch)));
  RETURN_IF_ERROR(fault_point("record.entry_written"));
  RETURN_IF_ERROR(append("file_log", file_rows(batch)));
  RETURN_IF_ERROR(append("documents", document_rows(batch)));
  RETURN_IF_ERROR(append("clears", clear_rows(batch)));
  RETURN_IF_ERROR(append("retractions", retraction_rows(batch)));
  RETURN_IF_ERROR(append("pipelines", fact_rows(batch)));
  return append("commit_tables", table_rows(batch, applied));
}

}  // namespace forebay
