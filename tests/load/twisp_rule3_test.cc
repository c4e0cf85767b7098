#include <gtest/gtest.h>

#include <filesystem>

#include "support/arrivals.h"
#include "support/parquet_maker.h"
#include "support/twisp_files.h"

// FEEDS 2.2 rules 3 and 4 (KEY-10): the newest version of a record counts, then the later status,
// then the later begin; the history has each version once. Any order of files gives the same
// tables.
namespace forebay::test {
namespace {

using TwispRule3 = TwispTest;

TEST_F(TwispRule3, OfEqualVersionsTheLaterStatusWinsThenTheLaterBegin) {
  put_file("2026/07/29/10", "entry", "1",
           select_versions({{"a", 2, "EOL", "eol"}, {"b", 1, "ALIVE", "later", 5}}));
  put_file("2026/07/29/10", "entry", "2",
           select_versions({{"a", 2, "ALIVE", "stale", 9}, {"b", 1, "ALIVE", "sooner", 4}}));
  load();
  EXPECT_EQ(current(), (Lines{"a 2 EOL eol", "b 1 ALIVE later"}));
  EXPECT_EQ(history(), current());
}

TEST_F(TwispRule3, TheNewestVersionIsChosenBeforeDeletedOnesAreDropped) {
  put_file("2026/07/29/10", "entry", "1",
           select_versions({{"a", 1, "ALIVE", "x"}, {"a", 2, "DELETE", "x"}}));
  load();
  EXPECT_EQ(current(), Lines{});
  EXPECT_EQ(history(), (Lines{"a 1 ALIVE x", "a 2 DELETE x"}));
  put_file("2026/07/29/09", "entry", "late", select_versions({{"a", 1, "ALIVE", "x"}}));
  load();
  EXPECT_EQ(current(), Lines{}) << "a late copy does not bring the record back";
  EXPECT_EQ(history().size(), 2U);
}

TEST_F(TwispRule3, KeepCurrentKeepsNoHistory) {
  pipeline_.settings.options = {{"keep", "current"}};
  put_file("2026/07/29/10", "entry", "1",
           select_versions({{"a", 1, "ALIVE", "x"}, {"b", 4, "DELETE", "x"}}));
  load();
  put_file("2026/07/29/10", "entry", "2", select_versions({{"b", 3, "ALIVE", "y"}}));
  load();
  EXPECT_EQ(current(), (Lines{"a 1 ALIVE x"}));
  EXPECT_EQ(query("SELECT count(*) FROM duckdb_tables() WHERE table_name LIKE '%history'"),
            (Lines{"0"}));
}

// Rule 4: seed and live files that overlap.
void expect_any_order(std::size_t count, std::size_t together, const Lines& current,
                      const Lines& history) {
  const std::vector<std::pair<std::string, std::string>> files = {
      {"10/entry/seed-1", select_versions({{"a", 2, "ALIVE", "seed"}, {"b", 1, "ALIVE", "b1"}})},
      {"10/entry/live-1",
       select_versions({{"a", 1, "ALIVE", "a1"}, {"a", 2, "EOL", "a2"}, {"c", 1, "ALIVE", "c1"}})},
      {"11/entry/live-2", select_versions({{"a", 3, "DELETE", "a3"}, {"b", 1, "ALIVE", "b1"}})},
      {"12/entry/live-3",
       select_versions({{"c", 2, "EOL", "c2"}, {"b", 2, "DELETE", "b2"}, {"b", 3, "ALIVE", "b3"}})},
      {"13/entry/live-4",
       select_versions({{"c", 2, "EOL", "newer", 7}, {"d", 9, "DELETE", "d9"}})}};
  Arrivals arrivals(
      {.feed = "twisp"}, count, together, [&](const std::string& source, std::size_t i) {
        const std::string path =
            source + "warehouse/parquet/2026/07/29/" + files[i].first + ".parquet";
        std::filesystem::create_directories(std::filesystem::path(path).parent_path());
        make_parquet(path, files[i].second);
      });
  const std::string columns =
      "chr(('0x' || right(record_rowid, 2))::INTEGER) || ' ' || record_version || ' ' || "
      "record_status || ' ' || note";
  EXPECT_EQ(arrivals.lines("SELECT " + columns + " FROM $S.entry ORDER BY ALL"), current);
  EXPECT_EQ(arrivals.lines("SELECT " + columns +
                           ", parse_filename(f.store_key) FROM $S.entry__history h JOIN "
                           "_forebay.file_log f ON f.file_id = h._forebay_file ORDER BY ALL"),
            history);
}

TEST(TwispRule4, AnyOrderOfFourFilesOneByOneGivesTheSameTables) {
  expect_any_order(
      4, 1, {"b 3 ALIVE b3", "c 2 EOL c2"},
      {"a 1 ALIVE a1|live-1.parquet", "a 2 EOL a2|live-1.parquet", "a 3 DELETE a3|live-2.parquet",
       "b 1 ALIVE b1|live-2.parquet", "b 2 DELETE b2|live-3.parquet", "b 3 ALIVE b3|live-3.parquet",
       "c 1 ALIVE c1|live-1.parquet", "c 2 EOL c2|live-3.parquet"});
}

TEST(TwispRule4OfFive, AnyOrderOfFiveFilesThreeAtATimeGivesTheSameTables) {
  expect_any_order(
      5, 3, {"b 3 ALIVE b3", "c 2 EOL newer"},
      {"a 1 ALIVE a1|live-1.parquet", "a 2 EOL a2|live-1.parquet", "a 3 DELETE a3|live-2.parquet",
       "b 1 ALIVE b1|live-2.parquet", "b 2 DELETE b2|live-3.parquet", "b 3 ALIVE b3|live-3.parquet",
       "c 1 ALIVE c1|live-1.parquet", "c 2 EOL newer|live-4.parquet",
       "d 9 DELETE d9|live-4.parquet"});
}

}  // namespace
}  // namespace forebay::test
