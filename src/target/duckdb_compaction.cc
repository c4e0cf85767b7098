#include "target/duckdb_compaction.h"

#include <fmt/format.h>

#include "target/ledger_queries.h"

namespace forebay {
namespace {

// Below this many holes (about a row group) a table is not worth compacting.
constexpr std::uint64_t kMinHoles = 100'000;
constexpr int kTasks = 100;

}  // namespace

Status Compaction::before_commit(SqlSession& session, const Batch& batch, Applied& applied) {
  pays_ = pays_ || batch.commit_no % kCommitsBetween == 0;
  for (const TableChange& change : batch.tables) {
    TableCounts& counts = applied.tables[change.table.display()];
    std::uint64_t before = 0;
    if (!change.clear && !change.create) {
      ASSIGN_OR_RETURN(before,
                       ledger::count_before(session, batch.pipeline, change.table, "holes"));
      counts.holes = before + counts.updated + counts.deleted;
    }
    if (counts.holes < kMinHoles || counts.holes < counts.rows_after / 2) continue;
    pays_ = true;
    counts.holes = 0;
  }
  RETURN_IF_ERROR(session.execute(fmt::format("SET max_vacuum_tasks = {}", pays_ ? kTasks : 0),
                                  "set up the checkpoint"));
  return {};
}

}  // namespace forebay
