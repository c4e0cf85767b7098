#include <gtest/gtest.h>

#include "support/twisp_files.h"

// FEEDS 2.2 rules 1, 2 and 8: a file is a unit, known by its key; late files and seeds in old hours
// are found; every entity is a table.
namespace forebay::test {
namespace {

using TwispRule1 = TwispTest;

TEST_F(TwispRule1, EachFileIsAUnitAndEachEntityATable) {
  put_file("2026/07/29/10", "entry", "batch-0000", select_versions({{"a", 1, "ALIVE", "x"}}));
  put_file("2026/07/29/10", "account", "batch-0000", select_versions({{"b", 1, "ALIVE", "y"}}));
  put_file("2026/07/29/11", "entirely_new", "batch-1", select_versions({{"c", 1, "ALIVE", "z"}}));
  EXPECT_EQ(load().units.applied, 3U);
  EXPECT_EQ(current("entry"), (Lines{"a 1 ALIVE x"}));
  EXPECT_EQ(current("account"), (Lines{"b 1 ALIVE y"}));
  EXPECT_EQ(current("entirely_new"), (Lines{"c 1 ALIVE z"}));
  EXPECT_EQ(query("SELECT unit FROM _forebay.units ORDER BY 1 LIMIT 1"),
            (Lines{"warehouse/parquet/2026/07/29/10/account/batch-0000.parquet"}));
}

TEST_F(TwispRule1, WhatIsNoFileOfTheLayoutIsLeftAlone) {
  put_file("2026/07/29/10", "entry", "b", select_versions({{"a"}}));
  folder_.write("in/warehouse/parquet/2026/07/29/10/entry/b.csv", "x");
  folder_.write("in/other/2026/07/29/10/entry/b.parquet", "x");
  EXPECT_EQ(load().units.applied, 1U);
}

TEST_F(TwispRule1, Rule2LateFilesAndSeedsInOldHoursAreFoundAndNoneIsLoadedTwice) {
  put_file("2026/07/29/10", "entry", "b", select_versions({{"a", 3, "ALIVE", "live"}}));
  load();
  put_file("2026/07/29/08", "entry", "late", select_versions({{"a", 2, "ALIVE", "late"}}));
  put_file("2026/07/29/09", "entry", "seed-000003-0000",
           select_versions({{"a", 1, "ALIVE", "seed"}, {"b", 1, "ALIVE", "seed"}}));
  EXPECT_EQ(load().units.applied, 2U);
  EXPECT_EQ(current(), (Lines{"a 3 ALIVE live", "b 1 ALIVE seed"}));
  EXPECT_EQ(load().outcome, Outcome::nothing_new);
}

}  // namespace
}  // namespace forebay::test
