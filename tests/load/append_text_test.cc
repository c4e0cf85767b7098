#include <gtest/gtest.h>

#include <string>

#include "support/append_fixture.h"

// Aim: FEEDS 2.5, rule 1, over files of text (CSV, JSON): windows are of their rows as of any
// other. Method: files in a folder, loaded in process.
namespace forebay::test {
namespace {

class AppendText : public AppendTest {};

TEST_F(AppendText, Rule1TimestampsInCsv) {
  put_text("a.csv", "t,n\n2026-01-01 10:00:00,1\n2026-01-01 11:00:00,2\n");
  load();
  EXPECT_EQ(rows(), (Lines{"2026-01-01 10:00:00|1", "2026-01-01 11:00:00|2"}));
  put_text("b.csv", "t,n\n2026-01-01 11:00:00,3\n2026-01-01 12:00:00,4\n");
  const CycleReport report = load();
  EXPECT_EQ(rows(),
            (Lines{"2026-01-01 10:00:00|1", "2026-01-01 11:00:00|2", "2026-01-01 12:00:00|4"}));
  EXPECT_EQ(ignored(report, "late"), 1U);
}

TEST_F(AppendText, Rule1WholeNumbersInLinesOfJson) {
  set("time_format", "unix_seconds");
  put_text("a.jsonl", "{\"t\": 1, \"n\": \"a\"}\n{\"t\": 2, \"n\": \"b\"}\n");
  load();
  put_text("b.jsonl", "{\"n\": \"c\", \"t\": 2}\n{\"n\": \"d\", \"t\": 3}\n");
  load();
  EXPECT_EQ(rows(), (Lines{"1|a", "2|b", "3|d"}));
  EXPECT_EQ(mark(), "unix_seconds s 3");
}

TEST_F(AppendText, Rule1IsoTextsInCsvWhateverTypeTheColumnGets) {
  set("time_format", "iso8601");
  put_text("a.csv", "t,n\n2026-01-01T10:00:00Z,1\n");
  load();
  put_text("b.csv", "t,n\n2026-01-01T11:00:00+01:00,2\n2026-01-01T10:00:00.5Z,3\n");
  load();
  EXPECT_EQ(column("n"), (Lines{"1", "3"})) << "11:00+01:00 is 10:00, at the mark";
}

// OVER-5
TEST_F(AppendText, Rule3AGrowingCsvFileGivesItsNewRowsOnce) {
  set("overlap", "1d");
  put_text("a.csv", "t,n\n2026-01-01,1\n2026-01-01,1\n");
  load();
  put_text("a.csv", "t,n\n2026-01-01,1\n2026-01-01,1\n2026-01-01,1\n2026-01-02,2\n");
  load();
  EXPECT_EQ(rows(), (Lines{"2026-01-01|1", "2026-01-01|1", "2026-01-01|1", "2026-01-02|2"}));
}

// Else `status` and `quarantine list` would show it for ever: what a window reads is no unit.
TEST_F(AppendText, AFileThatWasMendedIsNoLongerRefused) {
  put_text("a.csv", "t,n\n2026-01-01 10:00:00,1\n");
  put_text("b.csv", "t,n\n2026-01-01 09:00:00,\"2\n");
  load(3);
  put_text("b.csv", "t,n\n2026-01-01 09:00:00,2\n");
  load();
  const std::string states = "SELECT state FROM _forebay.units WHERE unit = 'b.csv' ORDER BY rowid";
  EXPECT_EQ(query(states), (Lines{"quarantined", "superseded"}));
  EXPECT_EQ(rows(), (Lines{"2026-01-01 09:00:00|2", "2026-01-01 10:00:00|1"}));
  EXPECT_EQ(load().outcome, Outcome::nothing_new);
  put_text("b.csv", "t,n\n2026-01-01 09:00:00,2\n2026-01-01 11:00:00,3\n");
  load();
  EXPECT_EQ(rows(),
            (Lines{"2026-01-01 09:00:00|2", "2026-01-01 10:00:00|1", "2026-01-01 11:00:00|3"}));
}

TEST_F(AppendText, Rule4KeysInCsv) {
  set("primary_key", "k");
  set("time_format", "unix_seconds");
  put_text("a.csv", "k,t,note\nx,2,new\nx,1,old\n");
  load();
  put_text("b.csv", "k,t,note\nx,3,newer\ny,3,other\n");
  load();
  EXPECT_EQ(column("note"), (Lines{"newer", "other"}));
}

}  // namespace
}  // namespace forebay::test
