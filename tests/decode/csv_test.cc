// Aim: CSV is read as RFC 4180 and FEEDS 2.3.1 have it, and what could be read in two ways is
// damaged, with its line. Method: each text is read in portions of every size up to its length, and
// every portion must give the same.

#include "decode/csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "base/limits.h"
#include "support/text_rows.h"

namespace forebay::test {
namespace {

std::string read_in(std::size_t portion, const std::string& text, const CsvDialect& dialect) {
  Portions source(text, portion);
  RowLines rows;
  const Status status = read_csv(source, dialect, "the file", rows);
  if (!status) return fmt::format("{}: {}", to_string(status.error().code), status.error().cause);
  return fmt::format("{}\n{}", fmt::join(rows.names, ","), fmt::join(rows.lines, "\n"));
}

std::string read(const std::string& text, const CsvDialect& dialect = {}) {
  const std::string whole = read_in(text.size() + 1, text, dialect);
  for (std::size_t portion = 1; portion <= text.size(); ++portion)
    EXPECT_EQ(read_in(portion, text, dialect), whole) << "in portions of " << portion;
  return whole;
}

TEST(Csv, AnEmptyFieldIsNullAndAQuotedOneEmptyText) {
  EXPECT_EQ(read("a,b\n,\"\"\n\"\",\n"), "a,b\nnull <>\n<> null");
}

TEST(Csv, QuotesStandAroundFieldsAndAreDoubledWithin) {
  EXPECT_EQ(read("a,b\n\"x,y\",\"say \"\"hi\"\"\"\n"), "a,b\n<x,y> <say \"hi\">");
}

TEST(Csv, LinesEndInEitherWayAndTheLastMayLackIt) {
  EXPECT_EQ(read("a,b\r\n1,2\n3,4"), "a,b\n<1> <2>\n<3> <4>");
  EXPECT_EQ(read("a\n\"1\""), "a\n<1>");
  EXPECT_EQ(read("a,b\n1,"), "a,b\n<1> null");
}

TEST(Csv, LineEndsWithinQuotesAreText) {
  EXPECT_EQ(read("a,b\n\"x\r\ny\",\"\n\"\n"), "a,b\n<x\r\ny> <\n>");
}

TEST(Csv, OnlyAHeaderIsAFileWithoutRows) {
  EXPECT_EQ(read("a,b\n"), "a,b\n");
  EXPECT_EQ(read("a,b"), "a,b\n");
}

TEST(Csv, NoHeaderLineIsDamaged) { EXPECT_EQ(read(""), "damaged: it has no header line"); }

TEST(Csv, AnEmptyLineIsARowOfOneFieldAndTooShortElsewhere) {
  EXPECT_EQ(read("a\n1\n\n2\n"), "a\n<1>\nnull\n<2>");
  EXPECT_EQ(read("a,b\n1,2\n\n"), "damaged: line 3: it has 1 fields, the header names 2");
}

TEST(Csv, ARowOfAnotherLengthIsDamagedWithItsLine) {
  EXPECT_EQ(read("a,b\n1,2\n1,2,3\n"), "damaged: line 3: it has 3 fields, the header names 2");
  EXPECT_EQ(read("a,b\n\"x\ny\",2\n1\n"), "damaged: line 4: it has 1 fields, the header names 2");
}

TEST(Csv, QuotesElsewhereAreDamaged) {
  EXPECT_EQ(read("a\nx\"y\n"),
            "damaged: line 2: a quote stands within a field that does not begin with one");
  EXPECT_EQ(read("a\n\"x\"y\n"), "damaged: line 2: something follows the quote that ends a field");
  EXPECT_EQ(read("a\n1\n\"x\n\n"), "damaged: line 3: a quote stays open");
}

TEST(Csv, ACarriageReturnAloneIsDamaged) {
  const std::string cause = "a carriage return without a line feed, and not within quotes";
  EXPECT_EQ(read("a,b\n1\r,2\n"), "damaged: line 2: " + cause);
  EXPECT_EQ(read("a,b\n1,2\r"), "damaged: line 2: " + cause);
}

TEST(Csv, TheDialectSaysWhatStandsBetweenAndAroundFields) {
  EXPECT_EQ(read("a;b\n1;'x;y''z'\n", {.delimiter = ';', .quote = '\'', .escape = '\''}),
            "a,b\n<1> <x;y'z>");
  EXPECT_EQ(read("a\tb\n\"\t\"x\"\n", {.delimiter = '\t', .quote = {}}), "a,b\n<\"> <\"x\">");
  EXPECT_EQ(read("a\n\"x\\\"y\\\\\"\n", {.escape = '\\'}), "a\n<x\"y\\>");
  EXPECT_EQ(read("a\n\"x\\n\"\n", {.escape = '\\'}),
            "damaged: line 2: an escape (\\) stands before something else than a quote");
}

TEST(Csv, TextsForNullAreNullUnlessTheyAreQuoted) {
  EXPECT_EQ(read("a,b,c\nNULL,\"NULL\",\n", {.nulls = {"NULL"}}), "a,b,c\nnull <NULL> null");
}

TEST(Csv, WithoutAHeaderTheNamesAreGiven) {
  const CsvDialect dialect{.header = false, .columns = {"x", "y"}};
  EXPECT_EQ(read("1,2\n", dialect), "x,y\n<1> <2>");
  EXPECT_EQ(read("", dialect), "x,y\n");
  EXPECT_EQ(read("1\n", dialect),
            "damaged: line 1: it has 1 fields, the description's columns are 2");
}

TEST(Csv, ARowBeyondTheLimitIsDamaged) {
  const std::string text = "a\n1\n\"" + std::string(kMaxTextRecordBytes + 1, 'x');
  EXPECT_EQ(read_in(text.size(), text, {}),
            fmt::format("damaged: line 3: a row of more than {} bytes", kMaxTextRecordBytes));
}

// Memory does not follow a file that is nothing but delimiters.
TEST(Csv, ARowOfMoreFieldsThanThereCanBeColumnsIsDamaged) {
  const std::string text = "a\n" + std::string(kMaxTextColumns + 1, ',');
  EXPECT_EQ(read_in(text.size(), text, {}),
            fmt::format("damaged: line 2: it has more than {} fields", kMaxTextColumns));
  EXPECT_EQ(read_in(text.size(), text.substr(2), {}),
            fmt::format("damaged: line 1: it has more than {} fields", kMaxTextColumns));
}

}  // namespace
}  // namespace forebay::test
