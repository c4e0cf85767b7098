#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/parquet_maker.h"
#include "support/pipeline_fixture.h"

// Aim: rules 4 and 6 of the feed `rollerup`: what the rows of a batch do, in every order, and that
// a marker's files act together or not at all. Method: every short sequence of actions on a key,
// each on a key of its own, spread over rows, files and markers.
namespace forebay::test {
namespace {

class RollerupRule4 : public RollerupTest {
 protected:
  // All sequences of `length` actions; action 0 deletes, others put a row with the action's number.
  static std::vector<std::vector<int>> sequences(int length) {
    std::vector<std::vector<int>> all = {{}};
    for (int i = 0; i < length; ++i) {
      std::vector<std::vector<int>> longer;
      for (const auto& sequence : all) {
        for (const int action : {0, 1, 2}) {
          longer.push_back(sequence);
          longer.back().push_back(action);
        }
      }
      all = std::move(longer);
    }
    return all;
  }
  static std::string key_of(const std::vector<int>& sequence) {
    std::string key = "k";
    for (const int action : sequence) key += std::to_string(action);
    return key;
  }
  static FeedRow act(const std::vector<int>& sequence, std::size_t step) {
    const int action = sequence[step];
    return action == 0 ? gone(key_of(sequence))
                       : put(key_of(sequence), {action * 10 + static_cast<int>(step), "row"});
  }
  static std::vector<FeedRow> step_of_all(int length, std::size_t step) {
    std::vector<FeedRow> rows;
    for (const auto& sequence : sequences(length)) rows.push_back(act(sequence, step));
    return rows;
  }
  static Lines expected(int length) {
    Lines lines;
    for (const auto& sequence : sequences(length)) {
      if (sequence.back() != 0)
        lines.push_back(
            fmt::format("{}|{}|row", key_of(sequence), sequence.back() * 10 + length - 1));
    }
    return lines;
  }
  Lines tombstones() {
    return query("SELECT _row_id FROM _forebay.\"carwash.visits__gone\" ORDER BY 1");
  }
};

TEST_F(RollerupRule4, TrueDeletesAndEverythingElseInsertsOrReplaces) {
  deliver(batch(batch_name(1),
                {{.table = "visits", .rows = {put("a", {1, "x"}), put("b", {2, "y"})}}}));
  load();
  deliver(batch(batch_name(2),
                {{.table = "visits", .rows = {gone("a"), put("b", {3, "z"}), put("c")}}}));
  const CycleReport report = load();
  EXPECT_EQ(rows("visits"), (Lines{"b|3|z", "c|null|null"}));
  const TableCounts& counts = report.tables.at("carwash.visits");
  EXPECT_EQ(counts.inserted, 1U);
  EXPECT_EQ(counts.updated, 1U);
  EXPECT_EQ(counts.deleted, 1U);
  EXPECT_EQ(counts.rows_after, 2U);
}

TEST_F(RollerupRule4, ANullDeleteFlagMeansFalse) {
  deliver(batch(
      batch_name(1),
      {{.table = "visits", .rows = {{.id = "a", .deleted = std::nullopt, .cells = {1, "x"}}}}}));
  load();
  EXPECT_EQ(rows("visits"), (Lines{"a|1|x"}));
}

// KEY-4
TEST_F(RollerupRule4, LaterRowsOfAFileWin) {
  std::vector<FeedRow> rows_in_order;
  for (std::size_t step = 0; step < 4; ++step) {
    for (FeedRow& row : step_of_all(4, step)) rows_in_order.push_back(std::move(row));
  }
  deliver(batch(batch_name(1), {{.table = "visits", .rows = rows_in_order}}));
  load();
  EXPECT_EQ(rows("visits"), expected(4));
}

TEST_F(RollerupRule4, LaterFilesOfAMarkerWin) {
  Marker marker = batch(batch_name(1));
  for (std::size_t step = 0; step < 4; ++step)
    marker.files.push_back({.table = "visits", .rows = step_of_all(4, step)});
  deliver(marker);
  load();
  EXPECT_EQ(rows("visits"), expected(4));
}

// KEY-8, KEY-9
TEST_F(RollerupRule4, DeleteInsertDeleteAcrossMarkersLoadedTogether) {
  for (int step = 0; step < 4; ++step)
    deliver(batch(batch_name(step),
                  {{.table = "visits", .rows = step_of_all(4, static_cast<std::size_t>(step))}}));
  load();
  EXPECT_EQ(rows("visits"), expected(4));
}

TEST_F(RollerupRule4, DeleteInsertDeleteAcrossMarkersLoadedOneByOne) {
  for (int step = 0; step < 4; ++step) {
    deliver(batch(batch_name(step),
                  {{.table = "visits", .rows = step_of_all(4, static_cast<std::size_t>(step))}}));
    load();
    EXPECT_EQ(rows("visits").size(), 54U) << "two actions of three put";
  }
  EXPECT_EQ(rows("visits"), expected(4));
}

// KEY-9
TEST_F(RollerupRule4, DeletingAnUnknownRowLeavesOnlyATombstone) {
  deliver(batch(batch_name(1), {{.table = "visits", .rows = {gone("never seen")}}}));
  load();
  EXPECT_EQ(rows("visits"), Lines{});
  EXPECT_EQ(tombstones(), (Lines{"never seen"}));
}

TEST_F(RollerupRule4, AKeyStandsInTheTableOrAmongTheGoneAndNeverInBoth) {
  for (int step = 0; step < 3; ++step) {
    deliver(batch(batch_name(step),
                  {{.table = "visits", .rows = step_of_all(3, static_cast<std::size_t>(step))}}));
    load();
    EXPECT_EQ(
        query("SELECT count(*) FROM _forebay.\"carwash.visits__gone\" g JOIN carwash.visits t "
              "USING (_row_id)"),
        (Lines{"0"}));
    EXPECT_EQ(tombstones().size() + rows("visits").size(), 27U);
  }
}

TEST_F(RollerupRule4, ARowWithoutAKeyRefusesTheMarker) {
  deliver(batch(batch_name(1), {{.table = "visits", .rows = {put("a", {1, "x"})}}}));
  deliver(batch(batch_name(2),
                {{.table = "visits",
                  .rows = {put("b", {2, "y"}), {.id = std::nullopt, .cells = {3, "?"}}}}}));
  deliver(batch(batch_name(3), {{.table = "visits", .rows = {put("c", {3, "z"})}}}));
  const CycleReport report = load(5);
  EXPECT_EQ(report.units.applied, 1U);
  EXPECT_EQ(rows("visits"), (Lines{"a|1|x"})) << "the markers before it are applied, none after it";
  EXPECT_TRUE(report.error->operation.contains(batch_name(2))) << text(report);
}

TEST_F(RollerupRule4, AFileWithoutTheKeyOrTheFlagIsDrift) {
  deliver(batch(batch_name(1), {{.table = "visits", .rows = {put("a", {1, "x"})}}}));
  load();
  Marker marker = batch(batch_name(2), {{.table = "visits", .rows = {put("b")}}});
  for (const char* columns : {"'b' AS _row_id, 1 AS amount", "false AS _deleted, 1 AS amount",
                              "'b' AS _row_id, 'no' AS _deleted, 1 AS amount"}) {
    SCOPED_TRACE(columns);
    deliver(marker);
    make_parquet(feed_.source() + feed_.key(marker, 0), std::string("SELECT ") + columns);
    load(4);
  }
  EXPECT_EQ(rows("visits"), (Lines{"a|1|x"}));
}

class RollerupRule6 : public RollerupTest {};

TEST_F(RollerupRule6, AllTablesOfAMarkerCommitWithItsEntry) {
  deliver(batch(batch_name(1), {{.table = "visits", .rows = {put("a", {1, "x"})}},
                                {.table = "prices", .rows = {put("p", {9, "new"})}}}));
  load();
  EXPECT_EQ(rows("visits"), (Lines{"a|1|x"}));
  EXPECT_EQ(rows("prices"), (Lines{"p|9|new"}));
  EXPECT_EQ(query("SELECT count(DISTINCT commit_no), count(*) FROM _forebay.commit_tables"),
            (Lines{"1|2"}));
}

TEST_F(RollerupRule6, AListedFileThatIsMissingAppliesNothing) {
  deliver(batch(batch_name(1), {{.table = "visits", .rows = {put("a", {1, "x"})}}}));
  const Marker torn =
      batch(batch_name(2), {{.table = "visits", .rows = {put("b", {2, "y"})}},
                            {.table = "prices", .rows = {put("p")}, .there = false}});
  deliver(torn);
  deliver(batch(batch_name(3), {{.table = "visits", .rows = {put("c", {3, "z"})}}}));
  const CycleReport report = load(3);
  EXPECT_TRUE(report.error->object.contains("prices/")) << text(report);
  EXPECT_EQ(rows("visits"), (Lines{"a|1|x"}));
  EXPECT_FALSE(exists("prices"));
  Marker whole = torn;
  whole.files[1].there = true;
  feed_.write_files(whole);
  load();
  EXPECT_EQ(rows("visits"), (Lines{"a|1|x", "b|2|y", "c|3|z"}));
}

TEST_F(RollerupRule6, AnotherNumberOfRowsThanTheMarkerSaysAppliesNothing) {
  deliver(batch(batch_name(1), {{.table = "visits", .rows = {put("a", {1, "x"})}}}));
  for (const int claimed : {0, 1, 3}) {
    SCOPED_TRACE(claimed);
    deliver(batch(batch_name(2), {{.table = "prices", .rows = {put("p")}},
                                  {.table = "visits",
                                   .rows = {put("b"), put("c")},
                                   .claimed_rows = static_cast<std::uint64_t>(claimed)}}));
    load(3);
    EXPECT_FALSE(exists("prices"));
    EXPECT_EQ(rows("visits"), (Lines{"a|1|x"}));
  }
}

TEST_F(RollerupRule6, ADamagedDataFileAppliesNothing) {
  deliver(batch(batch_name(1), {{.table = "visits", .rows = {put("a", {1, "x"})}}}));
  const Marker marker = batch(batch_name(2), {{.table = "visits", .rows = {put("b")}}});
  deliver(marker);
  write_new_version(feed_.source() + feed_.key(marker, 0), "PAR1 and nothing that follows PAR1");
  load(3);
  EXPECT_EQ(rows("visits"), (Lines{"a|1|x"}));
}

}  // namespace
}  // namespace forebay::test
