#include "load/named_columns.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "load/reset.h"
#include "support/run_fixture.h"

// Aim: rule 6 of the feed `rivet` for `mode: incremental`: of two rows of a key the one whose
// cursor is newest stays, then that of the run that started last. Method: runs that name their
// cursor's column, in orders of appearance and of cursors that contradict each other.
namespace forebay::test {
namespace {

class RivetCursor : public RunTest {
 protected:
  explicit RivetCursor(std::vector<std::pair<std::string, std::string>> more = {})
      : RunTest(with(std::move(more))) {}

  static std::vector<std::pair<std::string, std::string>> with(
      std::vector<std::pair<std::string, std::string>> more) {
    more.emplace_back("mode", "incremental");
    more.emplace_back("primary_key", "id");
    return more;
  }

  static ExportRun run(int hour, const std::string& rows, const std::string& cursor = "c") {
    ExportRun run{.id = "orders_" + std::to_string(hour),
                  .started_at = "2026-11-30T" + std::to_string(hour) + ":00:00Z",
                  .strategy = "incremental",
                  .parts = {{.rows = rows}}};
    if (!cursor.empty())
      run.change = [cursor](auto& json) { json["source"]["extraction"]["cursor_column"] = cursor; };
    return run;
  }
  void add(const ExportRun& run) {
    runs_.write_parts(run);
    runs_.write_copy(run);
  }
};

TEST_F(RivetCursor, ALateRunWithAnOlderCursorDoesNotWin) {
  add(run(10, "SELECT 1 AS id, 5 AS c, 'five' AS v UNION ALL SELECT 2, 5, 'five'"));
  load();
  // Started later, and read the source as it was before.
  add(run(11, "SELECT 1 AS id, 4 AS c, 'four' AS v UNION ALL SELECT 3, 4, 'four'"));
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1|5|five", "2|5|five", "3|4|four"}));
  expect_quiet();
}

TEST_F(RivetCursor, TheSameInOneBatch) {
  add(run(10, "SELECT 1 AS id, 5 AS c, 'five' AS v"));
  add(run(11, "SELECT 1 AS id, 4 AS c, 'four' AS v"));
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1|5|five"}));
}

TEST_F(RivetCursor, OfEqualCursorsTheRunThatStartedLastWins) {
  add(run(11, "SELECT 1 AS id, 5 AS c, 'new' AS v"));
  load();
  add(run(10, "SELECT 1 AS id, 5 AS c, 'old' AS v"));
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1|5|new"}));
  add(run(12, "SELECT 1 AS id, 5 AS c, 'newest' AS v"));
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1|5|newest"}));
}

// By value, not by text; times too.
TEST_F(RivetCursor, CursorsAreComparedByTheirType) {
  add(run(10, "SELECT 1 AS id, 10::BIGINT AS c, 'ten' AS v"));
  load();
  add(run(11, "SELECT 1 AS id, 9::BIGINT AS c, 'nine' AS v"));
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1|10|ten"}));
}

TEST_F(RivetCursor, NoCursorIsTheLowest) {
  add(run(10, "SELECT 1 AS id, 5 AS c, 'five' AS v UNION ALL SELECT 2, NULL, 'none'"));
  load();
  add(run(11, "SELECT 1 AS id, NULL::INT AS c, 'none' AS v UNION ALL SELECT 2, 1, 'one'"));
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1|5|five", "2|1|one"}));
}

// An idle run, or one that read the whole table, names no column: its rows have cursors all the
// same.
TEST_F(RivetCursor, ARunThatNamesNoColumnIsComparedByTheTablesOwn) {
  add(run(10, "SELECT 1 AS id, 5 AS c, 'five' AS v"));
  load();
  add(run(11, "SELECT 1 AS id, 4 AS c, 'four' AS v UNION ALL SELECT 2, 4, 'four'", ""));
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1|5|five", "2|4|four"}));
}

TEST_F(RivetCursor, TheColumnMayBecomeKnownLater) {
  add(run(10, "SELECT 1 AS id, 5 AS c, 'five' AS v", ""));
  load();
  add(run(11, "SELECT 1 AS id, 4 AS c, 'four' AS v"));
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1|5|five"}));
  add(run(12, "SELECT 1 AS id, 6::BIGINT AS c, 'six' AS v"));
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1|6|six"}));
  add(run(13, "SELECT 1 AS id, 5::BIGINT AS c, 'five' AS v"));
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1|6|six"}));
}

TEST_F(RivetCursor, WithoutAnyColumnTheRunsDecide) {
  add(run(11, "SELECT 1 AS id, 4 AS c", ""));
  load();
  add(run(10, "SELECT 1 AS id, 5 AS c", ""));
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1|4"}));
}

TEST_F(RivetCursor, ASecondColumnIsRefusedUntilTheTableIsReset) {
  add(run(10, "SELECT 1 AS id, 5 AS c, 1 AS d"));
  load();
  add(run(11, "SELECT 1 AS id, 6 AS c, 0 AS d", "d"));
  const CycleReport report = load(5);
  ASSERT_TRUE(report.error);
  EXPECT_EQ(report.error->cause,
            "/source/extraction/cursor_column is 'd' here, and was 'c' for what was loaded");
  EXPECT_EQ(rows("orders"), (Lines{"1|5|1"}));
}

// Two exports, two columns: each table has its own.
TEST_F(RivetCursor, EachTableHasItsOwnColumn) {
  add(run(10, "SELECT 1 AS id, 5 AS c, 0 AS d"));
  ExportRun other = run(10, "SELECT 1 AS id, 0 AS c, 5 AS d", "d");
  other.folder = other.export_name = "visits";
  add(other);
  load();
  other = run(11, "SELECT 1 AS id, 9 AS c, 4 AS d", "d");
  other.folder = other.export_name = "visits";
  add(other);
  load();
  EXPECT_EQ(rows("visits"), (Lines{"1|0|5"}));
}

// Text files have text alone: numbers among it are compared as numbers.
TEST_F(RivetCursor, CursorsOfTextFilesAreComparedAsTheNumbersTheyAre) {
  const auto text_run = [&](int hour, const std::string& cursor) {
    ExportRun text = run(hour, "SELECT 1 AS id");
    text.parts[0].path = "part-" + std::to_string(hour) + ".csv";
    text.parts[0].told = false;
    const std::string bytes = "id,c\n1," + cursor + "\n";
    text.change = [bytes](auto& json) {
      json["source"]["extraction"]["cursor_column"] = "c";
      json["parts"][0]["size_bytes"] = bytes.size();
    };
    runs_.write(RunMaker::part_key(text, 0), bytes);
    runs_.write_copy(text);
  };
  text_run(10, "10");
  load();
  text_run(11, "9");
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1|10"}));
  text_run(12, "11");
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1|11"}));
}

class RivetCursorHistory : public RivetCursor {
 protected:
  RivetCursorHistory() : RivetCursor({{"keep", "both"}}) {}
};

TEST_F(RivetCursorHistory, AHistoryHasEachCursorOfAKeyOnce) {
  add(run(10, "SELECT 1 AS id, 5 AS c, 'five' AS v"));
  add(run(11, "SELECT 1 AS id, 4 AS c, 'four' AS v"));
  load();
  add(run(12, "SELECT 1 AS id, 5 AS c, 'again' AS v"));
  load();
  EXPECT_EQ(query("SELECT id, c, v, _forebay_op FROM raw.orders__history ORDER BY c"),
            (Lines{"1|4|four|put", "1|5|again|put"}));
  EXPECT_EQ(rows("orders"), (Lines{"1|5|again"}));
}

class RivetAppended : public RunTest {
 protected:
  RivetAppended() : RunTest({{"mode", "incremental"}, {"append_only", "true"}}) {}
};

// `append_only`: every row of every run, whatever its key; what a repair superseded goes.
TEST_F(RivetAppended, IncrementalRunsMayBeAppended) {
  ExportRun run{.id = "orders_1",
                .strategy = "incremental",
                .parts = {{.rows = "SELECT 1 AS id, 5 AS c, 1 AS _rivet_row_hash"}}};
  runs_.deliver(run);
  run.id = "orders_2";
  run.started_at = "2026-11-30T11:00:00Z";
  run.parts = {{.rows = "SELECT 1 AS id, 6 AS c, 2 AS _rivet_row_hash"}};
  runs_.deliver(run);
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1|5", "1|6"}));
  expect_quiet();
  run.parts[0].status = "superseded";
  run.parts.push_back({.rows = "SELECT 1 AS id, 7 AS c, 3 AS _rivet_row_hash"});
  runs_.deliver(run);
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1|5", "1|7"}));
}

}  // namespace
}  // namespace forebay::test
