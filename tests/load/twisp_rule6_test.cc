#include <gtest/gtest.h>

#include "support/twisp_files.h"

// FEEDS 2.2 rule 6: an unknown status sets its file aside; a second tenant stops the feed; a file
// that changes is refused; missing versions are counted.
namespace forebay::test {
namespace {

using TwispRule6 = TwispTest;

TEST_F(TwispRule6, AnUnknownOrNullStatusSetsItsFileAsideAndOthersGoOn) {
  put_file("2026/07/29/10", "entry", "1", select_versions({{"a", 1, "ALIVE", "x"}}));
  put_file("2026/07/29/10", "entry", "2", select_versions({{"b", 1, "LOCKED"}, {"c", 1}}));
  put_file("2026/07/29/10", "entry", "3", select_versions({{"d", 1, ""}}));
  put_file("2026/07/29/10", "entry", "4", select_versions({{"e", 1, "ALIVE", "y"}}));
  load(5);
  EXPECT_EQ(current(), (Lines{"a 1 ALIVE x", "e 1 ALIVE y"}));
  EXPECT_EQ(history(), current());
  EXPECT_EQ(quarantined(), (Lines{"2.parquet", "3.parquet"}));
  load(0);
}

TEST_F(TwispRule6, ASecondTenantStopsTheFeedInEveryCycle) {
  put_file("2026/07/29/10", "entry", "1", select_versions({{"a", 1, "ALIVE", "x"}}));
  load();
  EXPECT_EQ(query("SELECT subject, value FROM _forebay.pipelines WHERE fact = 'one_value'"),
            (Lines{"record_tenantid|" + uuid_text("t")}));
  RecordVersion other{"b", 1};
  other.tenant = "u";
  put_file("2026/07/29/11", "entry", "2", select_versions({{"a", 2, "ALIVE", "y"}}));
  put_file("2026/07/29/12", "entry", "3", select_versions({other}));
  put_file("2026/07/29/13", "entry", "4", select_versions({{"c", 1, "ALIVE", "z"}}));
  for (int cycle = 0; cycle < 3; ++cycle) {
    const CycleReport report = load(5);
    ASSERT_TRUE(report.error);
    EXPECT_TRUE(report.error->cause.contains("record_tenantid")) << text(report);
    EXPECT_EQ(current(), (Lines{"a 2 ALIVE y"})) << "what comes before it is loaded";
    EXPECT_EQ(quarantined(), Lines{});
  }
}

TEST_F(TwispRule6, TwoTenantsInTheFirstFileOrInTwoTablesStopItToo) {
  RecordVersion other{"b", 1};
  other.tenant = "u";
  put_file("2026/07/29/10", "account", "1", select_versions({{"a"}}));
  put_file("2026/07/29/10", "entry", "1", select_versions({other}));
  load(5);
  EXPECT_EQ(current("account"), (Lines{"a 1 ALIVE "}));
  EXPECT_EQ(query("SELECT count(*) FROM duckdb_tables() WHERE table_name = 'entry'"), (Lines{"0"}));
}

TEST_F(TwispRule6, AFileThatComesBackWithOtherBytesIsSetAsideOnce) {
  put_file("2026/07/29/10", "entry", "1", select_versions({{"a", 1, "ALIVE", "x"}}));
  load();
  put_file("2026/07/29/10", "entry", "1", select_versions({{"a", 2, "ALIVE", "other"}}));
  load(5);
  EXPECT_EQ(current(), (Lines{"a 1 ALIVE x"}));
  EXPECT_EQ(quarantined(), (Lines{"1.parquet"}));
  load(0);
}

TEST_F(TwispRule6, MissingVersionsAreCountedUntilTheyCome) {
  const auto gaps = [&] {
    return query(
        "SELECT counts->>'gaps' FROM _forebay.commit_tables ORDER BY commit_no DESC "
        "LIMIT 1");
  };
  put_file("2026/07/29/10", "entry", "1",
           select_versions({{"a", 5}, {"a", 7}, {"a", 10}, {"b", 3}, {"b", 4}}));
  CycleReport report = load();
  EXPECT_EQ(report.tables.at("main.entry").gaps, 3U);
  EXPECT_TRUE(warns(report, "3 versions are missing")) << text(report);
  EXPECT_EQ(gaps(), (Lines{"3"}));
  put_file("2026/07/29/09", "entry", "late", select_versions({{"a", 6}, {"b", 9}, {"a", 5}}));
  load();
  EXPECT_EQ(gaps(), (Lines{"6"}));
  put_file("2026/07/29/11", "entry", "rest",
           select_versions({{"a", 8}, {"a", 9}, {"b", 5}, {"b", 6}, {"b", 7}, {"b", 8}}));
  report = load();
  EXPECT_EQ(gaps(), (Lines{"0"}));
  EXPECT_FALSE(warns(report, "missing")) << text(report);
}

}  // namespace
}  // namespace forebay::test
