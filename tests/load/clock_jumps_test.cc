#include <gtest/gtest.h>

#include "support/append_fixture.h"
#include "support/files_feed_fixture.h"
#include "support/twisp_files.h"

// Aim: a clock that jumps a day back or forth, as after a wrong setting or a machine that slept,
// loses nothing, repeats nothing and moves no mark where it should not. Method: loads in process
// with a clock of the test's own; files come before and after each jump.
namespace forebay::test {
namespace {

using std::chrono::hours;

class ClockJumpsByDay : public WatchedFilesTest {
 protected:
  ClockJumpsByDay() { option("partition", "dt={date:%Y-%m-%d}/"); }
};

TEST_F(ClockJumpsByDay, DaysThatLieAheadForAWhileAreFoundWhenTheClockIsRight) {
  put_file("dt=2026-12-31/a.parquet", 1);
  load();
  pipeline_.clock().advance(-hours(24));
  put_file("dt=2026-12-30/b.parquet", 2);
  put_file("dt=2026-12-31/c.parquet", 3);
  load();
  pipeline_.clock().advance(hours(24));
  load();
  EXPECT_EQ(rows(), (Lines{"1", "2", "3"}));
  pipeline_.clock().advance(hours(24));
  put_file("dt=2026-12-31/d.parquet", 4);
  put_file("dt=2027-01-01/e.parquet", 5);
  load();
  pipeline_.clock().advance(-hours(24));
  put_file("dt=2026-12-30/f.parquet", 6);
  load();
  EXPECT_EQ(load().outcome, Outcome::nothing_new);
  EXPECT_EQ(rows(), (Lines{"1", "2", "3", "4", "5", "6"}));
}

class ClockJumps : public FilesTest {
 protected:
  ClockJumps() { wait_until_all_settled(); }
};

// Decisions are in the order of commits, whatever their times say.
TEST_F(ClockJumps, AFileThatIsMendedIsTriedAndARewrittenOneReplacedWhateverTheClockSays) {
  option("on_rewrite", "replace");
  put_file("a.parquet", "SELECT 1 AS n");
  folder_.write("in/b.parquet", "not Parquet");
  load(3);
  pipeline_.clock().advance(-hours(24));
  put_file("a.parquet", "SELECT 10 AS n");
  put_file("b.parquet", "SELECT 2 AS n");
  load();
  EXPECT_EQ(rows(), (Lines{"2", "10"}));
  pipeline_.clock().advance(hours(48));
  EXPECT_EQ(load().outcome, Outcome::nothing_new);
  EXPECT_EQ(query("SELECT max(commit_no) = count(*) FROM _forebay.commit_log"), (Lines{"true"}));
}

class ClockJumpsRollerup : public RollerupTest {
 protected:
  void deliver_rows(int quarter, std::vector<FeedRow> rows) {
    deliver(batch(batch_name(quarter), {{.table = "visits", .rows = std::move(rows)}}));
  }
};

TEST_F(ClockJumpsRollerup, MarkersAreAppliedInTheirOwnOrder) {
  deliver_rows(1, {put("a", {1, "one"}), put("b", {1, "one"})});
  load();
  pipeline_.clock().advance(-hours(24));
  deliver_rows(2, {put("a", {2, "two"})});
  load();
  pipeline_.clock().advance(hours(48));
  deliver_rows(3, {put("b", {3, "three"})});
  load();
  EXPECT_EQ(rows("visits"), (Lines{"a|2|two", "b|3|three"}));
  EXPECT_EQ(load().outcome, Outcome::nothing_new);
}

class ClockJumpsAppend : public AppendTest {};

// The mark is a time of the rows; the machine's clock only bounds it.
TEST_F(ClockJumpsAppend, TheMarkFollowsTheRows) {
  put_file("a.parquet", "SELECT TIMESTAMP '2026-01-01' AS t");
  load();
  pipeline_.clock().advance(-hours(24));
  put_file("b.parquet", "SELECT TIMESTAMP '2026-01-02' AS t");
  load();
  pipeline_.clock().advance(hours(48));
  put_file("c.parquet", "SELECT TIMESTAMP '2026-01-03' AS t");
  load();
  EXPECT_EQ(column(), (Lines{"2026-01-01 00:00:00", "2026-01-02 00:00:00", "2026-01-03 00:00:00"}));
  EXPECT_EQ(load().outcome, Outcome::nothing_new);
}

class ClockJumpsTwisp : public TwispTest {};

TEST_F(ClockJumpsTwisp, VersionsDecideAndHoursDoNot) {
  put_file("2026/07/29/10", "entry", "batch-1", select_versions({{"a", 1, "ALIVE", "one"}}));
  load();
  pipeline_.clock().advance(-hours(24));
  put_file("2026/07/29/11", "entry", "batch-2", select_versions({{"a", 3, "ALIVE", "three"}}));
  load();
  pipeline_.clock().advance(hours(48));
  put_file("2026/07/29/10", "entry", "batch-3", select_versions({{"a", 2, "ALIVE", "two"}}));
  load();
  EXPECT_EQ(current(), (Lines{"a 3 ALIVE three"}));
  EXPECT_EQ(history(), (Lines{"a 1 ALIVE one", "a 2 ALIVE two", "a 3 ALIVE three"}));
}

}  // namespace
}  // namespace forebay::test
