#include <gtest/gtest.h>

#include <string>

#include "support/pipeline_fixture.h"

// Aim: rule 9 of the feed `rollerup`: a marker that is written again is nothing new as long as it
// means the same, and `on_rewrite` decides when it does not (OVER-1, OVER-2, OVER-4). Method:
// deliver, load, deliver again in other bytes or with other content, load.
namespace forebay::test {
namespace {

FeedFile visits(std::vector<FeedRow> rows) { return {.table = "visits", .rows = std::move(rows)}; }

class RollerupRule9 : public RollerupTest {
 protected:
  explicit RollerupRule9(std::vector<std::pair<std::string, std::string>> options = {})
      : RollerupTest(std::move(options)) {}

  Marker first() {
    return batch(batch_name(1), {visits({put("a", {1, "x"}), put("b", {1, "x"})})});
  }
  Marker second() {
    return batch(batch_name(2), {visits({put("b", {2, "y"}), put("c", {2, "y"})})});
  }
  // The second marker with other rows, b and c replaced by c and d.
  Marker other() {
    return batch(batch_name(2), {visits({put("c", {7, "r"}), put("d", {7, "r"})})});
  }

  void load_both() {
    deliver(first());
    deliver(second());
    load();
    ASSERT_EQ(rows("visits"), (Lines{"a|1|x", "b|2|y", "c|2|y"}));
  }
  void expect_quiet() {
    load();
    const Lines before = ledger_sizes();
    const CycleReport report = load();
    EXPECT_EQ(report.outcome, Outcome::nothing_new);
    EXPECT_EQ(report.requests.get + report.requests.head, 0U) << "it is not read again";
    EXPECT_EQ(ledger_sizes(), before);
  }
};

TEST_F(RollerupRule9, TheSameMarkerInOtherBytesIsIgnoredAndReadOnce) {
  load_both();
  feed_.write_marker_again(second());
  const CycleReport report = load();
  EXPECT_EQ(report.outcome, Outcome::nothing_new) << text(report);
  EXPECT_EQ(report.changed_since_applied, 0U);
  EXPECT_EQ(units().back(), batch_name(2) + ".json|ignored");
  expect_quiet();
  EXPECT_EQ(rows("visits"), (Lines{"a|1|x", "b|2|y", "c|2|y"}));
}

TEST_F(RollerupRule9, TheSameDeliveryRepeatedWholeIsIgnored) {
  load_both();
  deliver(first());
  deliver(second());
  EXPECT_EQ(load().outcome, Outcome::nothing_new);
  expect_quiet();
  EXPECT_EQ(rows("visits"), (Lines{"a|1|x", "b|2|y", "c|2|y"}));
}

TEST_F(RollerupRule9, AnotherTimeOfCreationAloneIsNothingNew) {
  load_both();
  Marker again = second();
  again.created_at = "2026-10-21T00:00:00Z";
  deliver(again);
  EXPECT_EQ(load().outcome, Outcome::nothing_new);
  expect_quiet();
}

TEST_F(RollerupRule9, ARepeatedMarkerAndANewOneAreTakenTogether) {
  load_both();
  feed_.write_marker_again(first());
  deliver(batch(batch_name(3), {visits({put("e", {3, "z"})})}));
  const CycleReport report = load();
  EXPECT_EQ(report.units.applied, 1U);
  EXPECT_EQ(rows("visits"), (Lines{"a|1|x", "b|2|y", "c|2|y", "e|3|z"}));
  expect_quiet();
}

TEST_F(RollerupRule9, OtherContentWarnsByDefaultAndTheOldRowsStay) {
  load_both();
  deliver(other());
  const CycleReport report = load();
  EXPECT_TRUE(warns(report, "changed since it was applied")) << text(report);
  EXPECT_EQ(report.changed_since_applied, 1U);
  EXPECT_EQ(rows("visits"), (Lines{"a|1|x", "b|2|y", "c|2|y"}));
  expect_quiet();
  deliver(second());  // and back to what it was
  EXPECT_EQ(load().changed_since_applied, 0U);
  expect_quiet();
}

TEST_F(RollerupRule9, OtherRowsUnderTheSameNumberOfRowsAreOtherContent) {
  load_both();
  feed_.write_files(other());  // same path, same number of rows
  feed_.write_marker_again(second());
  EXPECT_EQ(load().changed_since_applied, 1U);
}

class RollerupRule9Stop : public RollerupRule9 {
 protected:
  RollerupRule9Stop() : RollerupRule9({{"on_rewrite", "stop"}}) {}
};

TEST_F(RollerupRule9Stop, OtherContentStopsTheFeedUntilItIsRestored) {
  load_both();
  deliver(other());
  deliver(batch(batch_name(3), {visits({put("e", {3, "z"})})}));
  load(5);
  load(5);
  EXPECT_EQ(rows("visits"), (Lines{"a|1|x", "b|2|y", "c|2|y"}));
  deliver(second());
  load();
  EXPECT_EQ(rows("visits"), (Lines{"a|1|x", "b|2|y", "c|2|y", "e|3|z"}));
}

TEST_F(RollerupRule9Stop, TheSameContentInOtherBytesDoesNot) {
  load_both();
  feed_.write_marker_again(second());
  load();
  expect_quiet();
}

class RollerupRule9Replace : public RollerupRule9 {
 protected:
  RollerupRule9Replace() : RollerupRule9({{"on_rewrite", "replace"}}) {}
};

TEST_F(RollerupRule9Replace, KeysThatTheOldContentDecidedAreDecidedAnew) {
  load_both();
  deliver(other());
  load();
  EXPECT_EQ(rows("visits"), (Lines{"a|1|x", "b|1|x", "c|7|r", "d|7|r"}))
      << "b is the first marker's again";
  expect_quiet();
}

TEST_F(RollerupRule9Replace, TombstonesOfTheOldContentAreTakenBack) {
  deliver(first());
  deliver(batch(batch_name(2), {visits({gone("a"), gone("b")})}));
  load();
  EXPECT_EQ(rows("visits"), Lines{});
  deliver(batch(batch_name(2), {visits({gone("a")})}));
  load();
  EXPECT_EQ(rows("visits"), (Lines{"b|1|x"}));
}

TEST_F(RollerupRule9Replace, ItTakesItsPlaceBelowWhatCameLater) {
  load_both();
  deliver(batch(batch_name(3), {visits({put("c", {3, "z"}), gone("d")})}));
  load();
  deliver(other());
  load();
  EXPECT_EQ(rows("visits"), (Lines{"a|1|x", "b|1|x", "c|3|z"}));
}

TEST_F(RollerupRule9Replace, ASnapshotIsReplacedWhole) {
  deliver(first());
  deliver(snapshot(batch_name(2), {visits({put("s", {2, "y"}), put("t", {2, "y"})})}));
  deliver(batch(batch_name(3), {visits({put("t", {3, "z"}), put("u", {3, "z"})})}));
  load();
  deliver(snapshot(batch_name(2), {visits({put("s", {8, "r"})})}));
  load();
  EXPECT_EQ(rows("visits"), (Lines{"s|8|r", "t|3|z", "u|3|z"}));
}

TEST_F(RollerupRule9Replace, WhenAFileThatWouldDecideIsGoneNothingChanges) {
  load_both();
  feed_.remove_file(first(), 0);
  deliver(other());
  load(3);
  EXPECT_EQ(rows("visits"), (Lines{"a|1|x", "b|2|y", "c|2|y"}));
}

TEST_F(RollerupRule9, AppendingAKeyedTableIsNotOffered) {
  pipeline_.settings.options = {{"on_rewrite", "append"}};
  deliver(first());
  load(1);
}

}  // namespace
}  // namespace forebay::test
