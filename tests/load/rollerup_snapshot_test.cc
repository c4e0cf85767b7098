#include <gtest/gtest.h>

#include <string>

#include "support/pipeline_fixture.h"

// Aim: rules 5 and 8 of the feed `rollerup`: a snapshot replaces exactly the tables that it lists,
// and a marker that turns up below the mark leaves the tables as if it had come in time. Method:
// the same deliveries in time and late, with the same expectation.
namespace forebay::test {
namespace {

FeedFile visits(std::vector<FeedRow> rows) { return {.table = "visits", .rows = std::move(rows)}; }
FeedFile prices(std::vector<FeedRow> rows) { return {.table = "prices", .rows = std::move(rows)}; }

class RollerupRule5 : public RollerupTest {
 protected:
  void SetUp() override {
    deliver(batch(batch_name(1),
                  {visits({put("a", {1, "old"}), gone("g")}), prices({put("p", {5, "old"})})}));
  }
};

TEST_F(RollerupRule5, ASnapshotReplacesTheTablesItListsAndNoOther) {
  load();
  deliver(snapshot(batch_name(2), {visits({put("b", {2, "new"}), put("c", {3, "new"})})}));
  const CycleReport report = load();
  EXPECT_EQ(rows("visits"), (Lines{"b|2|new", "c|3|new"}));
  EXPECT_EQ(rows("prices"), (Lines{"p|5|old"}));
  EXPECT_EQ(report.tables.at("carwash.visits").deleted, 1U);
  EXPECT_EQ(report.tables.at("carwash.visits").inserted, 2U);
  EXPECT_EQ(query("SELECT count(*) FROM _forebay.\"carwash.visits__gone\""), (Lines{"0"}));
}

// EMPTY-5
TEST_F(RollerupRule5, AnEmptyFileEmptiesItsTable) {
  load();
  deliver(snapshot(batch_name(2), {visits({})}));
  load();
  EXPECT_EQ(rows("visits"), Lines{});
  EXPECT_EQ(rows("prices"), (Lines{"p|5|old"}));
}

// EMPTY-2
TEST_F(RollerupRule5, AnEmptyFileOfATableNeverSeenMakesTheTable) {
  deliver(snapshot(batch_name(2), {{.table = "washes", .rows = {}}}));
  load();
  EXPECT_EQ(rows("washes"), Lines{});
  EXPECT_EQ(columns("washes"), (Lines{"_row_id|VARCHAR", "amount|INTEGER", "note|VARCHAR"}));
}

TEST_F(RollerupRule5, ATableListedTwiceIsClearedOnce) {
  deliver(snapshot(batch_name(2),
                   {visits({put("b", {2, "one"})}), prices({}), visits({put("c", {3, "two"})})}));
  load();
  EXPECT_EQ(rows("visits"), (Lines{"b|2|one", "c|3|two"}));
  EXPECT_EQ(rows("prices"), Lines{});
  EXPECT_EQ(query("SELECT table_name, count(*) FROM _forebay.clears GROUP BY ALL ORDER BY ALL"),
            (Lines{"prices|1", "visits|1"}));
}

TEST_F(RollerupRule5, OfAKeyInTwoFilesOfASnapshotTheLaterFileWins) {
  deliver(
      snapshot(batch_name(2), {visits({put("b", {2, "one"})}), visits({put("b", {3, "two"})})}));
  load();
  EXPECT_EQ(rows("visits"), (Lines{"b|3|two"}));
}

TEST_F(RollerupRule5, ARowFlaggedAsDeletedIsLeftOutWithAWarning) {
  load();
  deliver(snapshot(batch_name(2), {visits({put("b", {2, "new"}), gone("a"), gone("b2")})}));
  const CycleReport report = load();
  EXPECT_TRUE(warns(report, "2 rows of a snapshot are flagged as deleted")) << text(report);
  EXPECT_EQ(rows("visits"), (Lines{"b|2|new"}));
  EXPECT_EQ(report.tables.at("carwash.visits").ignored.at("deleted_in_snapshot"), 2U);
}

// KEY-12
TEST_F(RollerupRule5, BatchesAfterASnapshotActOnIt) {
  deliver(snapshot(batch_name(2), {visits({put("b", {2, "new"}), put("c", {3, "new"})})}));
  deliver(
      batch(batch_name(3), {visits({gone("b"), put("c", {4, "newer"}), put("a", {9, "again"})})}));
  load();
  EXPECT_EQ(rows("visits"), (Lines{"a|9|again", "c|4|newer"}));
}

TEST_F(RollerupRule5, OfTwoSnapshotsTheLaterOneCounts) {
  deliver(snapshot(batch_name(2), {visits({put("b", {2, "first"})}), prices({})}));
  deliver(batch(batch_name(3),
                {visits({put("x", {7, "between"})}), prices({put("q", {1, "between"})})}));
  deliver(snapshot(batch_name(4), {visits({put("c", {3, "second"})})}));
  load();
  EXPECT_EQ(rows("visits"), (Lines{"c|3|second"}));
  EXPECT_EQ(rows("prices"), (Lines{"q|1|between"}));
}

TEST_F(RollerupRule5, FilesBeforeASnapshotAreRetractedAndTheOthersLive) {
  load();
  deliver(snapshot(batch_name(2), {visits({put("b", {2, "new"})})}));
  load();
  EXPECT_EQ(query("SELECT table_name, unit, state FROM _forebay.files ORDER BY file_id"),
            (Lines{"prices|" + batch_name(1) + ".json|live",
                   "visits|" + batch_name(1) + ".json|retracted",
                   "visits|" + batch_name(2) + ".snapshot.json|live"}));
}

class RollerupRule8 : public RollerupTest {
 protected:
  // Loads the markers but the n-th, then all; the result must be that of loading all in time.
  void expect_late(const std::vector<Marker>& markers, std::size_t late, const Lines& expected) {
    for (std::size_t i = 0; i < markers.size(); ++i) {
      if (i != late) deliver(markers[i]);
    }
    load();
    deliver(markers[late]);
    EXPECT_EQ(load().units.applied, 1U);
    EXPECT_EQ(rows("visits"), expected);
  }
};

TEST_F(RollerupRule8, RowsOfALateSnapshotGiveWayToWhatCameAfterIt) {
  expect_late(
      {batch(batch_name(1), {visits({put("old", {1, "goes"}), put("kept", {1, "goes"})})}),
       snapshot(batch_name(2), {visits({put("kept", {2, "s"}), put("changed", {2, "s"}),
                                        put("deleted", {2, "s"})})}),
       batch(batch_name(3),
             {visits({put("changed", {3, "b"}), gone("deleted"), put("added", {3, "b"})})})},
      1, {"added|3|b", "changed|3|b", "kept|2|s"});
}

TEST_F(RollerupRule8, ALateEmptySnapshotRemovesOnlyWhatWasThereBefore) {
  expect_late({batch(batch_name(1), {visits({put("old", {1, "goes"})})}),
               snapshot(batch_name(2), {visits({})}),
               batch(batch_name(3), {visits({put("new", {3, "stays"})})})},
              1, {"new|3|stays"});
}

TEST_F(RollerupRule8, ALateSnapshotBelowAnAppliedOneBringsNothing) {
  expect_late({batch(batch_name(1), {visits({put("a", {1, "x"})})}),
               snapshot(batch_name(2), {visits({put("b", {2, "never seen"})})}),
               snapshot(batch_name(3), {visits({put("c", {3, "y"})})}),
               batch(batch_name(4), {visits({put("d", {4, "z"})})})},
              1, {"c|3|y", "d|4|z"});
}

TEST_F(RollerupRule8, ALateSnapshotLeavesTombstonesThatCameAfterIt) {
  expect_late({batch(batch_name(1), {visits({put("a", {1, "x"})})}),
               snapshot(batch_name(2), {visits({put("a", {2, "s"})})}),
               batch(batch_name(3), {visits({gone("a")})})},
              1, {});
  // The tombstone still holds against a batch that is late between the two.
  deliver(batch(batch_name(2) + ".snapshot-b", {visits({put("a", {2, "late"})})}));
  load();
  EXPECT_EQ(rows("visits"), Lines{});
}

TEST_F(RollerupRule8, ALateBatchInsertsUpdatesAndDeletesOnlyWhereItIsNewer) {
  expect_late(
      {batch(batch_name(1),
             {visits({put("both", {1, "x"}), put("dead", {1, "x"}), put("mine", {1, "x"})})}),
       batch(batch_name(2), {visits({put("both", {2, "y"}), gone("back"), put("gone", {2, "y"}),
                                     gone("dead"), put("mine", {2, "y"}), put("new", {2, "y"})})}),
       batch(batch_name(3),
             {visits({put("both", {3, "z"}), put("back", {3, "z"}), gone("gone")})})},
      1, {"back|3|z", "both|3|z", "mine|2|y", "new|2|y"});
}

TEST_F(RollerupRule8, TombstonesFromTheFirstDayHoldAgainstALateBatch) {
  expect_late({batch(batch_name(1), {visits({put("a", {1, "late"})})}),
               batch(batch_name(2), {visits({gone("a")})})},
              0, {});
}

TEST_F(RollerupRule8, ALateBatchBelowASnapshotBringsNoRowsButItsNewColumns) {
  deliver(snapshot(batch_name(2), {visits({put("a", {2, "s"})})}));
  load();
  deliver(batch(batch_name(1),
                {{.table = "visits",
                  .rows = {put("a", {1, "x", "new"}), put("b", {1, "x", "new"}), gone("c")},
                  .columns = {{"amount", "INTEGER"}, {"note", "VARCHAR"}, {"lane", "VARCHAR"}}}}));
  load();
  EXPECT_EQ(rows("visits"), (Lines{"a|2|s|null"}));
  EXPECT_EQ(query("SELECT count(*) FROM _forebay.\"carwash.visits__gone\""), (Lines{"0"}));
  EXPECT_EQ(query("SELECT state FROM _forebay.files ORDER BY file_id"),
            (Lines{"live", "retracted"}));
}

TEST_F(RollerupRule8, LateAndTimelyMarkersOfOneCycleTakeTheirPlaces) {
  deliver(batch(batch_name(3), {visits({put("a", {3, "z"}), gone("b"), put("c", {3, "z"})})}));
  load();
  deliver(
      batch(batch_name(1), {visits({put("a", {1, "x"}), put("b", {1, "x"}), put("d", {1, "x"})})}));
  deliver(snapshot(batch_name(2),
                   {visits({put("a", {2, "s"}), put("b", {2, "s"}), put("e", {2, "s"})})}));
  deliver(batch(batch_name(4), {visits({gone("c"), put("f", {4, "w"})})}));
  load();
  EXPECT_EQ(rows("visits"), (Lines{"a|3|z", "e|2|s", "f|4|w"}));
  EXPECT_EQ(query("SELECT mark FROM _forebay.commits ORDER BY commit_no DESC LIMIT 1"),
            (Lines{"name " + batch_name(4) + ".json"}));
}

TEST_F(RollerupRule8, TheMarkNeverMovesBack) {
  deliver(batch(batch_name(2), {visits({put("a", {2, "y"})})}));
  load();
  deliver(batch(batch_name(1), {visits({put("b", {1, "x"})})}));
  load();
  EXPECT_EQ(query("SELECT mark FROM _forebay.commits"),
            (Lines{"name " + batch_name(2) + ".json", "name " + batch_name(2) + ".json"}));
}

}  // namespace
}  // namespace forebay::test
