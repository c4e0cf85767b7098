#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "support/pipeline_fixture.h"

// Aim: rule 11 of the feed `rollerup`, and the ends of a load: markers collapsed into one
// transaction keep an entry each, and loading one by one, with a limit or up to a time gives what
// loading at once gives.
namespace forebay::test {
namespace {

class RollerupRule11 : public RollerupTest {
 protected:
  void deliver_hours(int count) {
    for (int i = 0; i < count; ++i) {
      Marker marker =
          batch(batch_name(i),
                {{.table = "visits",
                  .rows = {put("a", {i, "each"}), put(fmt::format("k{:02}", i), {i, "own"}),
                           gone(fmt::format("k{:02}", i - 2))}}});
      if (i % 5 == 3) marker.files.push_back({.table = "prices", .rows = {put("p", {i, "price"})}});
      if (i == 4) {
        marker =
            snapshot(batch_name(i), {{.table = "visits", .rows = {put("s", {i, "snapshot"})}}});
      }
      deliver(marker);
    }
  }
};

TEST_F(RollerupRule11, MarkersThatWaitShareATransactionAndKeepTheirEntries) {
  deliver_hours(9);
  EXPECT_EQ(load().units.applied, 9U);
  EXPECT_EQ(
      query("SELECT count(*), count(DISTINCT unit), count(DISTINCT commit_no) FROM _forebay.units"),
      (Lines{"9|9|1"}));
  EXPECT_EQ(query("SELECT sum(files), sum(rows) FROM _forebay.units"), (Lines{"11|27"}));
  EXPECT_EQ(query("SELECT count(*), count(DISTINCT file_id) FROM _forebay.files"),
            (Lines{"11|11"}));
}

TEST_F(RollerupRule11, OneByOneGivesWhatAllAtOnceGives) {
  deliver_hours(12);
  TestPipeline slow(
      {.name = "slow", .schema = "slow", .source = feed_.source(), .database = database_});
  load();
  for (int i = 0; i < 12; ++i) {
    const CycleReport report = slow.load({.max_units = 1});
    EXPECT_EQ(code(report), 0) << text(report);
    EXPECT_EQ(report.units.applied, 1U);
    EXPECT_EQ(report.units.waiting, static_cast<std::uint64_t>(11 - i));
  }
  EXPECT_EQ(slow.load({.max_units = 1}).outcome, Outcome::nothing_new);
  const auto table = [&](const char* schema, const char* name) {
    return query(
        fmt::format("SELECT * EXCLUDE (_forebay_file) FROM {}.{} ORDER BY ALL", schema, name));
  };
  EXPECT_EQ(table("slow", "visits"), table("carwash", "visits"));
  EXPECT_EQ(table("slow", "prices"), table("carwash", "prices"));
  EXPECT_EQ(query("SELECT _row_id FROM _forebay.\"slow.visits__gone\" ORDER BY ALL"),
            query("SELECT _row_id FROM _forebay.\"carwash.visits__gone\" ORDER BY ALL"));
  EXPECT_EQ(
      query("SELECT unit, kind, state, files, rows FROM _forebay.units WHERE pipeline = 'slow' "
            "ORDER BY rowid"),
      query("SELECT unit, kind, state, files, rows FROM _forebay.units WHERE pipeline = 'acme' "
            "ORDER BY rowid"));
  EXPECT_EQ(query("SELECT count(*) FROM _forebay.commits WHERE pipeline = 'slow'"), (Lines{"12"}));
}

TEST_F(RollerupRule11, ALimitOfUnitsStopsAndTheNextLoadGoesOn) {
  deliver_hours(7);
  for (const std::uint64_t expected : {3U, 3U, 1U, 0U})
    EXPECT_EQ(load(0, {.max_units = 3}).units.applied, expected);
}

// MISS-19: a limit that falls anywhere loses nothing and repeats nothing.
TEST_F(RollerupRule11, EveryLimitOfUnitsGivesTheSameTables) {
  deliver_hours(6);
  load();
  for (std::size_t limit = 1; limit <= 7; ++limit) {
    const std::string name = fmt::format("limit{}", limit);
    TestPipeline other(
        {.name = name, .schema = name, .source = feed_.source(), .database = database_});
    while (other.load({.max_units = limit}).outcome == Outcome::applied) {
    }
    EXPECT_EQ(
        query(fmt::format("SELECT * EXCLUDE (_forebay_file) FROM {}.visits ORDER BY ALL", name)),
        rows("visits"));
  }
}

TEST_F(RollerupRule11, UntilLeavesLaterUnitsWaiting) {
  deliver_hours(6);
  const Time until = Time(std::chrono::sys_days{std::chrono::year{2026} / 10 / 20}) +
                     std::chrono::hours(14) + std::chrono::minutes(30);
  const CycleReport report = load(0, {.until = until});
  EXPECT_EQ(report.units.applied, 3U) << "14:00, 14:15 and 14:30 itself";
  EXPECT_EQ(report.units.waiting, 3U);
  EXPECT_EQ(load().units.applied, 3U);
}

TEST_F(RollerupRule11, ManyMarkersAreAppliedInOneLoad) {
  for (int i = 0; i < 600; ++i)  // more than are read ahead at a time
    deliver(batch(batch_name(i),
                  {{.table = "visits", .rows = {put(fmt::format("k{:03}", i % 50), {i, "v"})}}}));
  const CycleReport report = load();
  EXPECT_EQ(report.units.applied, 600U);
  EXPECT_EQ(report.rows, 600U);
  EXPECT_EQ(query("SELECT count(*), min(amount), max(amount) FROM carwash.visits"),
            (Lines{"50|550|599"}));
  EXPECT_EQ(report.tables.at("carwash.visits").rows_after, 50U);
}

TEST_F(RollerupRule11, AFaultThatShowsOnlyWhileDecodingEndsTheBatchBeforeItsUnit) {
  for (int i = 0; i < 9; ++i) {
    std::vector<FeedRow> rows = {put(fmt::format("k{}", i), {i, "v"})};
    if (i == 5) rows.push_back({.id = std::nullopt});
    deliver(batch(batch_name(i), {{.table = "visits", .rows = rows}}));
  }
  const CycleReport report = load(5);
  EXPECT_EQ(report.units.applied, 5U);
  EXPECT_EQ(report.units.waiting, 3U) << "those after it";
  EXPECT_EQ(rows("visits").size(), 5U);
  EXPECT_EQ(load(5).units.applied, 0U);
}

}  // namespace
}  // namespace forebay::test
