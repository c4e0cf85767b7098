// Aim: where a machine stands changes nothing: not a value, not a mark, not which folders of days
// are listed (TYPE-6, CLOCK-6). Method: all five feeds, with times of every form, are loaded by the
// program under three zones, one of them half an hour off and with summer time; every table and
// every mark is compared, and so are the prefixes of a plan.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/cli_fixture.h"
#include "support/run_maker.h"
#include "support/small_feed.h"
#include "support/twisp_files.h"

namespace forebay::test {
namespace {

constexpr const char* kZones[] = {"UTC", "Asia/Shanghai", "America/St_Johns"};

// Timestamps with and without a zone, dates, times of day, in the hour that summer time takes away
// and around midnight in each of the zones.
constexpr const char* kTimes =
    "SELECT n, TIMESTAMP '2026-03-08 02:15:00' + n * INTERVAL '7 hours' AS local, "
    "(TIMESTAMP '2026-03-08 02:15:00' + n * INTERVAL '7 hours') AT TIME ZONE 'UTC' AS instant, "
    "DATE '2026-03-07' + n::INTEGER AS day, TIME '23:59:59.5' AS clock, (TIMESTAMP "
    "'1969-12-31 23:59:59.999999')::TIMESTAMP_NS AS nanos, n AS \"value\" FROM range(8) r(n)";

class TimeZones : public testing::Test {
 protected:
  TimeZones() {
    make("files/2026/a.parquet", kTimes);
    folder_.write("text/dt=2026-03-08/a.csv",
                  "n,t,d\n1,2026-03-08T02:30:00,2026-03-08\n2,2026-03-08 00:00:00,2026-11-01\n");
    folder_.write("text/dt=2026-03-08/b.jsonl",
                  "{\"n\": 3, \"t\": \"2026-03-08T02:30:00+08:00\", \"d\": \"2026-03-08\"}\n");
    make("append/a.parquet", kTimes);
    make("days/a.parquet", kTimes);
    folder_.write("iso/a.csv",
                  "t,n\n2026-03-08T02:30:00+08:00,1\n2026-03-07T20:00:00-03:30,2\n"
                  "2026-03-07T18:31:00Z,3\n");
    make("twisp/warehouse/parquet/2026/03/08/02/entry/batch-1.parquet",
         select_versions({{"a", 1, "ALIVE", "a1"}, {"b", 1, "ALIVE", "b1", 90}}));
    make("twisp/warehouse/parquet/2026/03/08/03/entry/batch-2.parquet",
         select_versions({{"a", 2, "ALIVE", "a2", 600}, {"b", 2, "DELETE", "b2", 601}}));
    RunMaker(folder_ / "rivet")
        .deliver(
            {.id = "r1", .started_at = "2026-03-08T02:30:00+08:00", .parts = {{.rows = kTimes}}});
    SmallFeed feed(folder_ / "rollerup");
    feed.deliver({.number = 1, .snapshot = true, .files = {{"cars", {{1, 10}, {2, 20}}}}});
    feed.deliver({.number = 60 * 23 + 59, .files = {{"cars", {{2, 21}, {3, 30}}}}});
    folder_.write("forebay.yaml", R"(
pipelines:
  files: {source: ./files/, feed: files, table: files, settle: 0s, target: "duckdb:${TARGET}"}
  text: {source: ./text/, feed: files, table: text, settle: 0s, target: "duckdb:${TARGET}",
         partition: "dt={date:%Y-%m-%d}/", partition_columns: {dt: DATE}}
  append: {source: ./append/, feed: append, table: append, settle: 0s, time_column: instant,
           target: "duckdb:${TARGET}"}
  days: {source: ./days/, feed: append, table: days, settle: 0s, time_column: local,
         time_format: date, target: "duckdb:${TARGET}"}
  iso: {source: ./iso/, feed: append, table: iso, settle: 0s, time_column: t,
        time_format: iso8601, target: "duckdb:${TARGET}"}
  twisp: {source: ./twisp/, feed: twisp, settle: 0s, target: "duckdb:${TARGET}"}
  rivet: {source: ./rivet/, feed: rivet, mode: full, target: "duckdb:${TARGET}"}
  rollerup: {source: ./rollerup/feed/, feed: rollerup, target: "duckdb:${TARGET}"}
)");
  }

  void make(const std::string& key, const std::string& query) const {
    std::filesystem::create_directories(std::filesystem::path(folder_ / key).parent_path());
    make_parquet(folder_ / key, query);
  }
  ProgramResult run(const std::string& zone, std::vector<std::string> words) const {
    words.emplace_back("--json");
    return run_program(
        shipping_binary(), words,
        {.folder = folder_.path(),
         .environment = {{"HOME", "/nonexistent"}, {"TZ", zone}, {"TARGET", database(zone)}}});
  }
  std::string database(const std::string& zone) const {
    return folder_ / (zone.substr(0, zone.find('/')) + ".duckdb");
  }
  // Every row of every table, the marks, and the times of units that come from names and documents.
  Lines everything(const std::string& zone) const {
    Lines all;
    for (const char* table :
         {"files", "text", "append", "days", "iso", "entry", "entry__history", "orders", "cars"}) {
      const Lines rows =
          query_lines(database(zone),
                      fmt::format("SELECT * EXCLUDE (_forebay_file) FROM {} ORDER BY ALL", table));
      EXPECT_FALSE(rows.empty()) << table;
      for (const std::string& row : rows) all.push_back(fmt::format("{}: {}", table, row));
    }
    for (const char* sql :
         {"SELECT pipeline, mark FROM _forebay.commits WHERE pipeline NOT IN ('rivet') ORDER BY "
          "ALL",
          "SELECT pipeline, unit, state, rows FROM _forebay.units ORDER BY ALL",
          "SELECT unit, unit_time FROM _forebay.units WHERE pipeline IN ('twisp', 'rivet', "
          "'rollerup') ORDER BY ALL"}) {
      const Lines rows = query_lines(database(zone), sql);
      all.insert(all.end(), rows.begin(), rows.end());
    }
    return all;
  }

  TempFolder folder_;
};

TEST_F(TimeZones, TYPE6_TheSameRowsAndMarksStandWhereverTheProgramRuns) {
  for (const char* zone : kZones) {
    const ProgramResult loaded = run(zone, {"load"});
    ASSERT_EQ(loaded.code, 0) << zone << loaded.err << loaded.out;
    const ProgramResult idle = run(zone, {"load"});
    EXPECT_EQ(nlohmann::json::parse(idle.out)["outcome"], "nothing_new") << zone;
  }
  const Lines expected = everything(kZones[0]);
  EXPECT_EQ(everything(kZones[1]), expected);
  EXPECT_EQ(everything(kZones[2]), expected);
  // And they are the right ones: of the three texts the second is the latest instant.
  EXPECT_EQ(
      query_lines(database(kZones[2]), "SELECT mark FROM _forebay.commits WHERE pipeline = 'iso'"),
      (Lines{"iso8601 ns 1772926200000000000"}));
}

// One database, moved from zone to zone: what one has loaded is nothing new to the others.
TEST_F(TimeZones, ADatabaseMayMoveBetweenZones) {
  ASSERT_EQ(run(kZones[0], {"load"}).code, 0);
  for (const char* zone : {kZones[1], kZones[2]}) {
    std::filesystem::copy_file(database(kZones[0]), database(zone));
    const ProgramResult idle = run(zone, {"load"});
    EXPECT_EQ(nlohmann::json::parse(idle.out)["outcome"], "nothing_new") << zone << idle.out;
    EXPECT_EQ(everything(zone), everything(kZones[0]));
  }
}

TEST_F(TimeZones, CLOCK6_DaysAreListedInUtc) {
  const auto scopes = [&](const char* zone) {
    EXPECT_EQ(run(zone, {"load"}).code, 0);
    const ProgramResult plan = run(zone, {"plan", "text"});
    EXPECT_EQ(plan.code, 0) << plan.err;
    return nlohmann::json::parse(plan.out)["pipelines"][0]["listing"];
  };
  const auto expected = scopes(kZones[0]);
  EXPECT_FALSE(expected.empty()) << expected;
  EXPECT_EQ(scopes(kZones[1]), expected);
  EXPECT_EQ(scopes(kZones[2]), expected);
}

}  // namespace
}  // namespace forebay::test
