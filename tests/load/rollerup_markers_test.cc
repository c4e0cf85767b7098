#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/pipeline_fixture.h"

// Aim: rules 1, 2, 3 and 7 of the feed `rollerup`: which objects are markers, what order they have,
// how their paths are read, and what a marker that is not understood does. Method: small deliveries
// in a folder, loaded in process.
namespace forebay::test {
namespace {

const std::string k1 = batch_name(1);
const std::string k2 = batch_name(2);
const std::string k3 = batch_name(3);

class RollerupRule1 : public RollerupTest {};

TEST_F(RollerupRule1, OnlyJsonDirectlyBelowBatchesIsAMarker) {
  deliver(batch(k1, {{.table = "visits", .rows = {put("a", {1, "x"})}}}));
  folder_.write("rollerup/_rollerup_connection_test.json", "{}");
  folder_.write("rollerup/_batches/notes.txt", "no marker");
  folder_.write("rollerup/_batches/old/" + k2 + ".json", "{}");
  folder_.write("rollerup/visits/" + k2 + ".parquet", "never named by a marker, never read");
  const CycleReport report = load();
  EXPECT_EQ(report.units.applied, 1U);
  EXPECT_EQ(units(), (Lines{k1 + ".json|applied"}));
  EXPECT_EQ(rows("visits"), (Lines{"a|1|x"}));
}

TEST_F(RollerupRule1, ASnapshotSortsRightBehindTheBatchItStartsFrom) {
  deliver(snapshot(k1, {{.table = "visits", .rows = {put("b", {2, "snapshot"})}}}));
  deliver(batch(k1, {{.table = "visits", .rows = {put("a", {1, "batch"})}}}));
  deliver(batch(k2, {{.table = "visits", .rows = {put("c", {3, "later"})}}}));
  load();
  EXPECT_EQ(rows("visits"), (Lines{"b|2|snapshot", "c|3|later"}));
}

TEST_F(RollerupRule1, APollListsFromTheMarkMinusTheLookback) {
  for (const int quarter : {1, 500, 1000}) deliver(batch(batch_name(quarter)));
  load();
  const auto plan = pipeline_.plan();
  ASSERT_TRUE(plan) << describe(plan.error());
  EXPECT_FALSE(plan->discovery.full);
  ASSERT_EQ(plan->discovery.scopes.size(), 1U);
  EXPECT_EQ(plan->discovery.scopes[0].prefix, "_batches/");
  EXPECT_EQ(plan->discovery.scopes[0].start_after.substr(0, 23),
            "_batches/" + batch_name(1000 - 96).substr(0, 14));
  EXPECT_EQ(plan->discovery.keys_listed, 1U);
}

TEST_F(RollerupRule1, AMarkerBelowTheLookbackIsFoundByTheDailyAudit) {
  deliver(batch(batch_name(1000), {{.table = "visits", .rows = {put("a", {1, "new"})}}}));
  load();
  deliver(batch(batch_name(1), {{.table = "visits", .rows = {put("b", {2, "old"})}}}));
  EXPECT_EQ(load().outcome, Outcome::nothing_new);
  pipeline_.clock().advance(std::chrono::hours(25));
  EXPECT_EQ(load().units.applied, 1U);
  EXPECT_EQ(rows("visits"), (Lines{"a|1|new", "b|2|old"}));
}

TEST_F(RollerupRule1, AnIdlePollReadsNoFileAndWritesNothing) {
  deliver(batch(k1, {{.table = "visits", .rows = {put("a", {1, "x"})}}}));
  load();
  load();  // the outcome changed from applied to nothing_new: one row
  const Lines before = ledger_sizes();
  for (int i = 0; i < 3; ++i) {
    pipeline_.clock().advance(std::chrono::minutes(1));
    const CycleReport report = load();
    EXPECT_EQ(report.outcome, Outcome::nothing_new);
    EXPECT_EQ(report.requests.list, 1U);
    EXPECT_EQ(report.requests.get + report.requests.head, 0U);
    EXPECT_EQ(report.units.already_applied, 1U);
  }
  EXPECT_EQ(ledger_sizes(), before);
}

TEST_F(RollerupRule1, AMarkerDatedInTheFutureWaitsAndMovesNothing) {
  deliver(batch("29991231T000000Z", {{.table = "visits", .rows = {put("a")}}}));
  deliver(batch(k1, {{.table = "visits", .rows = {put("b", {2, "now"})}}}));
  const CycleReport report = load();
  EXPECT_EQ(report.units.applied, 1U);
  EXPECT_EQ(report.units.waiting, 1U);
  deliver(batch(k2, {{.table = "visits", .rows = {put("c", {3, "now"})}}}));
  load();
  EXPECT_EQ(rows("visits"), (Lines{"b|2|now", "c|3|now"}));
}

class RollerupRule2 : public RollerupTest {
 protected:
  void expect_path(const std::string& path, int expected) {
    SCOPED_TRACE(path);
    Marker marker = batch(k2, {{.table = "visits", .rows = {put("z")}, .path = path}});
    deliver(marker);
    const CycleReport report = load(expected);
    EXPECT_EQ(report.units.applied, 0U);
    EXPECT_EQ(rows("visits"), (Lines{"a|1|x"}));
  }
};

TEST_F(RollerupRule2, APathThatLeavesTheSourceIsRefused) {
  deliver(batch(k1, {{.table = "visits", .rows = {put("a", {1, "x"})}}}));
  load();
  expect_path("/etc/passwd", 5);
  expect_path("rollerup/../secret.parquet", 5);
  expect_path("../secret.parquet", 5);
  expect_path("rollerup", 5);
}

TEST_F(RollerupRule2, APathThatBeginsWithNoEndingOfTheSourceIsReadBelowIt) {
  deliver(batch(k1, {{.table = "visits", .rows = {put("a", {1, "x"})}}}));
  load();
  expect_path("elsewhere/visits/" + k2 + ".parquet", 3);  // not there
  deliver(batch(
      k2,
      {{.table = "visits", .rows = {put("b", {2, "y"})}, .path = "visits/" + k2 + ".parquet"}}));
  load();
  EXPECT_EQ(rows("visits"), (Lines{"a|1|x", "b|2|y"}));
}

TEST_F(RollerupRule2, AMarkerThatIsNoJsonObjectIsDamaged) {
  deliver(batch(k1, {{.table = "visits", .rows = {put("a", {1, "x"})}}}));
  for (const char* damaged : {"", "{", "[]", "null", "\"text\"", "{\"kind\": \"incremental\"",
                              "{\"kind\":\"incremental\",\"format_version\":\"v1\",\"files\":7}",
                              "{\"kind\":\"incremental\",\"format_version\":\"v1\"}"}) {
    SCOPED_TRACE(damaged);
    feed_.write_marker_text(k2, damaged);
    load(3);
    EXPECT_EQ(rows("visits"), (Lines{"a|1|x"}));
  }
  deliver(batch(k2, {{.table = "visits", .rows = {put("b", {2, "y"})}}}));
  load();
  EXPECT_EQ(rows("visits"), (Lines{"a|1|x", "b|2|y"}));
}

class RollerupRule2Nested : public RollerupTest {
 protected:
  RollerupRule2Nested() : RollerupTest({}, "acme/feeds/rollerup/") {}
};

TEST_F(RollerupRule2Nested, EveryEndingOfTheSourceMayBeginAPath) {
  deliver(batch(k1, {{.table = "visits", .rows = {put("a", {1, "x"})}}}));
  deliver(batch(k2, {{.table = "visits",
                      .rows = {put("b", {2, "y"})},
                      .path = "feeds/rollerup/visits/" + k2 + ".parquet"}}));
  deliver(batch(k3, {{.table = "visits",
                      .rows = {put("c", {3, "z"})},
                      .path = "rollerup/visits/" + k3 + ".parquet"}}));
  load();
  EXPECT_EQ(rows("visits"), (Lines{"a|1|x", "b|2|y", "c|3|z"}));
}

class RollerupRule2NoFolder : public RollerupTest {
 protected:
  RollerupRule2NoFolder() : RollerupTest({}, "") {}
};

TEST_F(RollerupRule2NoFolder, PathsBeginAtTheSource) {
  deliver(batch(k1, {{.table = "visits", .rows = {put("a", {1, "x"})}}}));
  load();
  EXPECT_EQ(rows("visits"), (Lines{"a|1|x"}));
}

class RollerupRule3 : public RollerupTest {
 protected:
  // Delivers a good marker, the one given, and a good one after it.
  void expect_stop(const Marker& bad) {
    deliver(batch(k1, {{.table = "visits", .rows = {put("a", {1, "x"})}}}));
    deliver(bad);
    deliver(batch(k3, {{.table = "visits", .rows = {put("c", {3, "z"})}}}));
    load(5);
    EXPECT_EQ(rows("visits"), (Lines{"a|1|x"}));
    EXPECT_EQ(load(5).units.applied, 0U) << "and again in every cycle";
    deliver(batch(k2, {{.table = "visits", .rows = {put("b", {2, "y"})}}}));
    EXPECT_EQ(load().units.applied, 2U);
    EXPECT_EQ(rows("visits"), (Lines{"a|1|x", "b|2|y", "c|3|z"}));
  }
  Marker second() { return batch(k2, {{.table = "visits", .rows = {put("b", {2, "y"})}}}); }
};

TEST_F(RollerupRule3, AnUnknownKindStopsTheFeedThere) {
  Marker marker = second();
  marker.kind = "Snapshot";
  expect_stop(marker);
}

TEST_F(RollerupRule3, AMissingKindStopsTheFeedThere) {
  Marker marker = second();
  marker.kind = "";
  expect_stop(marker);
}

TEST_F(RollerupRule3, AnUnknownFormatVersionStopsTheFeedThere) {
  Marker marker = second();
  marker.format_version = "v2";
  expect_stop(marker);
}

TEST_F(RollerupRule3, AMissingFormatVersionStopsTheFeedThere) {
  deliver(batch(k1, {{.table = "visits", .rows = {put("a", {1, "x"})}}}));
  feed_.write_marker_text(k2, R"({"kind": "incremental", "files": []})");
  load(5);
  EXPECT_EQ(units(), (Lines{k1 + ".json|applied"}));
}

TEST_F(RollerupRule3, TheKindDecidesAndNotTheName) {
  deliver(batch(k1, {{.table = "visits", .rows = {put("a", {1, "x"})}}}));
  Marker named_snapshot = snapshot(k2, {{.table = "visits", .rows = {put("b", {2, "y"})}}});
  named_snapshot.kind = "incremental";
  deliver(named_snapshot);
  load();
  EXPECT_EQ(rows("visits"), (Lines{"a|1|x", "b|2|y"}));
  Marker named_batch = batch(k3, {{.table = "visits", .rows = {put("c", {3, "z"})}}});
  named_batch.kind = "snapshot";
  deliver(named_batch);
  load();
  EXPECT_EQ(rows("visits"), (Lines{"c|3|z"}));
}

class RollerupRule7 : public RollerupTest {};

TEST_F(RollerupRule7, AMarkerWithoutFilesIsRecorded) {
  deliver(batch(k1));
  const CycleReport report = load();
  EXPECT_EQ(report.outcome, Outcome::applied);
  EXPECT_EQ(units(), (Lines{k1 + ".json|applied"}));
  EXPECT_EQ(query("SELECT commit_no, mark, tables FROM _forebay.commits"),
            (Lines{"1|name " + k1 + ".json|{}"}));
}

TEST_F(RollerupRule7, TheMarkersOwnTimeIsKeptForStaleness) {
  Marker marker = batch(k1);
  marker.created_at = "2026-10-20T14:15:02.118Z";
  deliver(marker);
  load();
  EXPECT_EQ(query("SELECT strftime(unit_time AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%S.%g') FROM "
                  "_forebay.units"),
            (Lines{"2026-10-20T14:15:02.118"}));
}

TEST_F(RollerupRule7, AFeedThatHasNeverSentAnythingWarns) {
  folder_.write("rollerup/_rollerup_connection_test.json", "{}");
  const CycleReport report = load();
  EXPECT_EQ(report.outcome, Outcome::nothing_new);
  EXPECT_TRUE(warns(report, "no unit was ever seen")) << text(report);
}

TEST_F(RollerupRule7, AFolderThatIsNotThereIsAnErrorAndNotNothing) {
  pipeline_.settings.source = folder_ / "elsewhere";
  load(1);
}

}  // namespace
}  // namespace forebay::test
