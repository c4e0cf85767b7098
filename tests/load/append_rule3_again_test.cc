#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "support/append_fixture.h"

// Aim: FEEDS 2.5, rule 3: rows read again are added as often as they are new, as a multiset, and
// only rows that may be the same count as stored.
// Method: the figures that the loader behind the document publishes for its own tests, and cases
// around them.
namespace forebay::test {
namespace {

class AppendAgain : public AppendTest {
 protected:
  AppendAgain() : AppendTest({{"time_column", "t"}, {"time_format", "unix_seconds"}}) {}

  Lines files() const {
    return query(
        "SELECT f.store_key, count(*) FROM main.events e JOIN _forebay.files f ON "
        "f.file_id = e._forebay_file GROUP BY 1 ORDER BY 1");
  }
};

struct Figure {
  const char* overlap;
  Lines replaced;  // the file with the stored rows is replaced by the source's, or gone
  Lines beside;    // both files are there
};

const std::vector<Figure>& figures() {
  static const std::vector<Figure> all = {
      {"0s", {"1", "2", "3", "9", "10"}, {"1", "2", "3", "9", "10"}},
      {"3s", {"1", "2", "3", "7", "8", "9", "10"}, {"1", "2", "3", "7", "8", "9", "9", "10"}},
      {"10s",
       {"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"},
       {"1", "2", "3", "4", "5", "6", "7", "8", "9", "9", "10"}}};
  return all;
}

const std::vector<int> kStored = {1, 2, 3, 9};
const std::vector<int> kSource = {4, 5, 6, 7, 8, 9, 10};

TEST_F(AppendAgain, Rule3ThePublishedFiguresWhenTheFileIsReplaced) {
  for (const Figure& figure : figures()) {
    SCOPED_TRACE(figure.overlap);
    pipeline_.settings.database = database_ = folder_ / (std::string(figure.overlap) + ".duckdb");
    set("overlap", figure.overlap);
    put_numbers("a.parquet", kStored);
    load();
    put_numbers("a.parquet", kSource);
    load();
    EXPECT_EQ(column(), figure.replaced);
    remove_file("a.parquet");
  }
}

TEST_F(AppendAgain, Rule3ThePublishedFiguresWhenTheFileIsGone) {
  for (const Figure& figure : figures()) {
    SCOPED_TRACE(figure.overlap);
    pipeline_.settings.database = database_ = folder_ / (std::string(figure.overlap) + ".duckdb");
    set("overlap", figure.overlap);
    put_numbers("a.parquet", kStored);
    load();
    remove_file("a.parquet");
    put_numbers("b.parquet", kSource);
    load();
    EXPECT_EQ(column(), figure.replaced);
    remove_file("b.parquet");
  }
}

TEST_F(AppendAgain, Rule3ThePublishedFiguresWithBothFiles) {
  for (const Figure& figure : figures()) {
    SCOPED_TRACE(figure.overlap);
    pipeline_.settings.database = database_ = folder_ / (std::string(figure.overlap) + ".duckdb");
    set("overlap", figure.overlap);
    put_numbers("a.parquet", kStored);
    remove_file("b.parquet");
    load();
    put_numbers("b.parquet", kSource);
    load();
    EXPECT_EQ(column(), figure.beside);
  }
}

TEST_F(AppendAgain, Rule3TheSameInMilliseconds) {
  set("time_format", "unix_millis");
  set("overlap", "3s");
  put_numbers("a.parquet", kStored);
  load();
  put_numbers("a.parquet", kSource);
  load();
  EXPECT_EQ(column().size(), 10U);
}

TEST_F(AppendAgain, Rule3StoredOneToFourAndFourTwiceStaysFour) {
  put_numbers("a.parquet", {1, 2, 3, 4});
  load();
  put_numbers("a.parquet", {4, 4});
  load();
  EXPECT_EQ(column(), (Lines{"1", "2", "3", "4"}));
}

// 100 rows a second apart; the next poll finds a row that is 15 s late and a new one.
TEST_F(AppendAgain, Rule3AnOverlapOfThirtySecondsFindsARowFifteenSecondsLate) {
  set("overlap", "30s");
  std::vector<int> times(100);
  std::iota(times.begin(), times.end(), 1000);
  put_numbers("a.parquet", times);
  load();
  times.push_back(1084);
  times.push_back(1100);
  put_numbers("a.parquet", times);
  const CycleReport report = load();
  EXPECT_EQ(column().size(), 102U);
  EXPECT_EQ(ignored(report, "stored"), 30U);
}

TEST_F(AppendAgain, Rule3EqualRowsCountAsOftenAsTheyStand) {
  set("overlap", "1h");
  put_numbers("a.parquet", {5, 5, 7});
  load();
  EXPECT_EQ(column(), (Lines{"5", "5", "7"})) << "two equal rows in one file are two rows";
  put_numbers("a.parquet", {5, 5, 5, 5, 7});
  EXPECT_EQ(ignored(load(), "stored"), 3U);
  EXPECT_EQ(column(), (Lines{"5", "5", "5", "5", "7"}));
  put_numbers("a.parquet", {5});
  load();
  EXPECT_EQ(column(), (Lines{"5", "5", "5", "5", "7"})) << "nothing is ever taken away";
}

TEST_F(AppendAgain, Rule3NullsEqualNullsAndNestedValuesAreCompared) {
  set("overlap", "1h");
  const std::string row =
      "SELECT 5::BIGINT AS t, NULL::VARCHAR AS s, [1, NULL] AS l, {'a': NULL, 'b': 'x'} AS o, "
      "MAP {'k': 1.5} AS m, 0.1::DOUBLE AS d";
  put_file("a.parquet", row);
  load();
  put_file("a.parquet", row + " UNION ALL " + row);
  load();
  EXPECT_EQ(rows().size(), 2U);
  put_file("a.parquet", row +
                            " UNION ALL SELECT 5, '', [1, NULL], {'a': NULL, 'b': 'x'}, "
                            "MAP {'k': 1.5}, 0.1");
  load();
  EXPECT_EQ(rows().size(), 3U) << "a null is not an empty text";
}

TEST_F(AppendAgain, Rule3AllEarlierVersionsOfAFileCount) {
  set("overlap", "1h");
  put_numbers("a.parquet", {1, 2});
  load();
  put_numbers("a.parquet", {2, 3});
  load();
  put_numbers("a.parquet", {1, 2, 3, 4});
  EXPECT_EQ(ignored(load(), "stored"), 3U);
  EXPECT_EQ(column(), (Lines{"1", "2", "3", "4"}));
}

TEST_F(AppendAgain, Rule3RowsOfAFileThatIsThereUnchangedAreOtherRows) {
  set("overlap", "1h");
  put_numbers("a.parquet", {1, 2});
  load();
  put_numbers("b.parquet", {1, 2});
  load();
  EXPECT_EQ(column(), (Lines{"1", "1", "2", "2"}));
}

// A compaction: small files go, a large one holds their rows, which are its rows from now on.
TEST_F(AppendAgain, Rule3RowsOfGoneFilesBecomeRowsOfTheFileThatBringsThemAgain) {
  set("overlap", "1h");
  put_numbers("a.parquet", {1, 2, 2});
  put_numbers("b.parquet", {2, 3});
  load();
  remove_file("a.parquet");
  remove_file("b.parquet");
  put_numbers("all.parquet", {1, 2, 2, 2, 2, 3, 4});
  EXPECT_EQ(ignored(load(), "stored"), 5U);
  EXPECT_EQ(column(), (Lines{"1", "2", "2", "2", "2", "3", "4"}));
  EXPECT_EQ(files(), (Lines{"all.parquet|7"}));
  put_numbers("more.parquet", {2, 5});
  load();
  EXPECT_EQ(files(), (Lines{"all.parquet|7", "more.parquet|2"})) << "each cancels once";
}

TEST_F(AppendAgain, Rule3ARowOfAGoneFileCancelsOneRowInOneFile) {
  set("overlap", "1h");
  put_numbers("a.parquet", {1, 2});
  load();
  remove_file("a.parquet");
  put_numbers("x.parquet", {2, 3});
  put_numbers("y.parquet", {2, 3});
  load();
  EXPECT_EQ(column(), (Lines{"1", "2", "2", "3", "3"}));
  EXPECT_EQ(files(), (Lines{"a.parquet|1", "x.parquet|2", "y.parquet|2"}));
}

TEST_F(AppendAgain, Rule3EarlierVersionsCancelBeforeGoneFilesDo) {
  set("overlap", "1h");
  put_numbers("a.parquet", {1});
  put_numbers("b.parquet", {1});
  load();
  remove_file("b.parquet");
  put_numbers("a.parquet", {1, 1});
  load();
  EXPECT_EQ(column(), (Lines{"1", "1"}));
  EXPECT_EQ(query("SELECT count(*) FROM main.events e JOIN _forebay.files f ON f.file_id = "
                  "e._forebay_file WHERE f.store_key = 'b.parquet'"),
            (Lines{"0"}));
}

TEST_F(AppendAgain, Rule3TheSameBytesAgainAreNothingNew) {
  set("overlap", "1h");
  put_numbers("a.parquet", {1, 2});
  load();
  put_numbers("a.parquet", {1, 2});
  load();
  EXPECT_EQ(column(), (Lines{"1", "2"}));
  EXPECT_EQ(load().outcome, Outcome::nothing_new);
  EXPECT_EQ(query("SELECT unit, state FROM _forebay.units ORDER BY commit_no"),
            (Lines{"1|applied", "a.parquet|ignored"}));
}

// Spice #12512: a hundred thousand equal rows are no problem.
TEST_F(AppendAgain, Rule3ManyEqualRowsTakeNoMoreThanOthers) {
  set("overlap", "1h");
  put_file("a.parquet", "SELECT 5::BIGINT AS t FROM range(100000)");
  load();
  remove_file("a.parquet");
  put_file("b.parquet", "SELECT 5::BIGINT AS t FROM range(100001)");
  load();
  EXPECT_EQ(query("SELECT count(*) FROM main.events"), (Lines{"100001"}));
}

TEST_F(AppendAgain, Rule3AColumnNamedRowidRefusesOnlyWhatNeedsIt) {
  set("overlap", "1h");
  put_file("a.parquet", "SELECT 1::BIGINT AS t, 7 AS rowid");
  load();
  put_file("a.parquet", "SELECT unnest([1, 2])::BIGINT AS t, 7 AS rowid");
  load();
  EXPECT_EQ(column(), (Lines{"1", "2"}));
  remove_file("a.parquet");
  put_file("b.parquet", "SELECT unnest([1, 2])::BIGINT AS t, 7 AS rowid");
  load(5);
  EXPECT_EQ(column(), (Lines{"1", "2"}));
}

// A file that nobody asks for any more is not gone.
TEST_F(AppendAgain, Rule3AFileThatThePatternLeavesOutNowIsStillThere) {
  set("overlap", "1h");
  put_numbers("old/a.parquet", {1, 2});
  load();
  pipeline_.settings.more["exclude"] = {.values = {"old/**"}, .where = "test"};
  put_numbers("b.parquet", {2});
  load();
  EXPECT_EQ(column(), (Lines{"1", "2", "2"})) << "it is another file's row";
}

}  // namespace
}  // namespace forebay::test
