#pragma once

#include "base/result.h"
#include "target/batch.h"
#include "target/sql_session.h"
#include "target/target.h"

namespace forebay {

// Lets DuckDB's checkpoint rewrite row groups when it pays. Doing it each time costs as much as the
// load itself; never doing it lets the file grow, by the holes that replaced and deleted rows leave
// and by the blocks of its own that every commit gives to each table it writes to, the ledger's
// among them.
//
// So it is done when the holes of a table make up a third of it, and at every kCommitsBetween-th
// commit of a pipeline: then its cost is shared by what made it necessary. Lives as long as the
// database is open, since the checkpoint may come only when that is closed.
class Compaction {
 public:
  // A commit leaves a block of 256 KiB in each of some five tables: 5 MB in all.
  static constexpr std::int64_t kCommitsBetween = 4;

  // Counts holes into `applied`, and sets up the checkpoint that may follow.
  Status before_commit(SqlSession& session, const Batch& batch, Applied& applied);

 private:
  bool pays_ = false;
};

}  // namespace forebay
