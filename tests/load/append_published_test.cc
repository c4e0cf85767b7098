#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/append_fixture.h"

// Aim: the worked figures that the tests of the document's own product have, for FEEDS 2.5: whole
// numbers as times, rows that differ in nothing else.
// Method: what was stored came from a file that is gone by then, as a source that is one set.
namespace forebay::test {
namespace {

class AppendPublished : public AppendTest {
 protected:
  Lines end_with(const std::vector<int>& stored, const std::vector<int>& source,
                 const std::string& format, const std::string& overlap) {
    set("time_format", format);
    set("overlap", overlap);
    put_numbers("stored.parquet", stored);
    load();
    remove_file("stored.parquet");
    put_numbers("source.parquet", source);
    load();
    return column();
  }
};

const std::vector<int> kStored = {1, 2, 3, 9};
const std::vector<int> kSource = {4, 5, 6, 7, 8, 9, 10};

TEST_F(AppendPublished, WithoutAnOverlapOneRowIsAdded) {
  EXPECT_EQ(end_with(kStored, kSource, "unix_seconds", "0s"), (Lines{"1", "2", "3", "9", "10"}));
}

TEST_F(AppendPublished, AnOverlapOfThreeSecondsEndsWithSevenRows) {
  EXPECT_EQ(end_with(kStored, kSource, "unix_seconds", "3s"),
            (Lines{"1", "2", "3", "7", "8", "9", "10"}));
}

TEST_F(AppendPublished, AnOverlapOfTenSecondsEndsWithTenRows) {
  EXPECT_EQ(end_with(kStored, kSource, "unix_seconds", "10s").size(), 10U);
}

TEST_F(AppendPublished, TheSameNumbersAsMillisecondsEndWithTenRows) {
  EXPECT_EQ(end_with(kStored, kSource, "unix_millis", "3s").size(), 10U);
}

TEST_F(AppendPublished, RowsThatShareTheGreatestTimeAndComeLaterAreNotRead) {
  EXPECT_EQ(end_with({1, 2, 3, 4}, {4, 4}, "unix_seconds", "0s"), (Lines{"1", "2", "3", "4"}));
}

// Counted, as a multiset: one row that stands takes off one row that is read.
TEST_F(AppendPublished, OfEqualRowsTheSurplusIsAdded) {
  EXPECT_EQ(end_with({1, 2, 2}, {2, 2, 2, 2}, "unix_seconds", "1s"),
            (Lines{"1", "2", "2", "2", "2"}));
}

}  // namespace
}  // namespace forebay::test
