#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "support/files_feed_fixture.h"
#include "support/packed.h"

// Aim: the feed `files` over CSV, TSV and JSON, packed and not (FEEDS 2.3 rules 1 and 8; CONTRACT,
// "CSV and JSON"): values, types, and what is damaged or drift. Method: files written by the test,
// loaded in process.
namespace forebay::test {
namespace {

class FilesFormats : public FilesTest {
 protected:
  FilesFormats() { wait_until_all_settled(); }

  void put(const std::string& key, const std::string& bytes) { folder_.write("in/" + key, bytes); }
};

// Rule 1: formats by suffix, each also packed.
TEST_F(FilesFormats, EveryFormatOfTheRuleMeetsInOneTable) {
  const std::string csv = "n,t\n";
  const auto line = [](int n) { return "{\"n\": " + std::to_string(n) + ", \"t\": \"x\"}\n"; };
  put("01.csv", csv + "1,x\n");
  put("02.csv.gz", gzip(csv + "2,x\n"));
  put("03.csv.zst", zstd(csv + "3,x\n"));
  put("04.tsv", "n\tt\n4\tx\n");
  put("05.tsv.gz", gzip("t\tn\nx\t5\n"));
  put("06.json", "[" + line(6) + "]");
  put("07.jsonl", line(7));
  put("08.ndjson.zst", zstd(line(8) + line(9)));
  put_file("10.parquet", "SELECT 10::BIGINT AS n, 'x' AS t");
  put_file("11.pq", "SELECT 11::BIGINT AS n, 'x' AS t");
  EXPECT_EQ(load().units.applied, 10U);
  EXPECT_EQ(columns(), (Lines{"n|BIGINT", "t|VARCHAR"}));
  EXPECT_EQ(rows(),
            (Lines{"1|x", "2|x", "3|x", "4|x", "5|x", "6|x", "7|x", "8|x", "9|x", "10|x", "11|x"}));
  EXPECT_EQ(query("SELECT sum(rows) FROM _forebay.files"), (Lines{"11"}));
  EXPECT_EQ(load().outcome, Outcome::nothing_new);
}

TEST_F(FilesFormats, AnEmptyFieldIsNullAndAQuotedOneEmptyText) {
  put("a.csv", "a,b\n,\"\"\n\"\",\n");
  load();
  EXPECT_EQ(query("SELECT a IS NULL, b IS NULL, b = '' FROM main.events ORDER BY ALL"),
            (Lines{"false|true|null", "true|false|true"}));
}

TEST_F(FilesFormats, ColumnsAreBoundByName) {
  put("a.csv", "a,b\n1,x\n");
  put("b.csv", "b,a,c\ny,2,z\n");
  load();
  EXPECT_EQ(rows(), (Lines{"1|x|null", "2|y|z"}));
}

TEST_F(FilesFormats, FormatAndDialectCanBeGiven) {
  option("pattern", "*.txt");
  option("format", "csv");
  option("delimiter", ";");
  option("null_text", "-");
  put("a.txt", "a;b\n1;-\n");
  load();
  EXPECT_EQ(rows(), (Lines{"1|null"}));
}

// CONTRACT: the type from which every value of the first cycle's files prints back exactly.
TEST_F(FilesFormats, TypesAreThoseFromWhichEveryValuePrintsBack) {
  put("a.csv",
      "b,i,h,r,d,t,s,money,zip,e\n"
      "true,1,9223372036854775808,1.5,2024-02-29,2024-02-29 10:00:00.25,x,1.50,007,1e5\n"
      "false,-2,-1,1e+20,,,,20.00,,\n");
  load();
  EXPECT_EQ(columns(),
            (Lines{"b|BOOLEAN", "i|BIGINT", "h|HUGEINT", "r|DOUBLE", "d|DATE", "t|TIMESTAMP",
                   "s|VARCHAR", "money|DECIMAL(18,2)", "zip|VARCHAR", "e|VARCHAR"}));
  EXPECT_EQ(rows(),
            (Lines{"false|-2|-1|1e+20|null|null|null|20.00|null|null",
                   "true|1|9223372036854775808|1.5|2024-02-29|2024-02-29 10:00:00.25|x|1.50|"
                   "007|1e5"}));
}

// Whatever order and batches files come in, all values of the first cycle decide together.
TEST_F(FilesFormats, EveryFileOfTheFirstCycleHasItsSay) {
  put("a.csv", "n,m\n1,1\n2,2\n");
  put("b.csv", "n,m\n1.5,9223372036854775808\n");
  load();
  EXPECT_EQ(columns(), (Lines{"n|VARCHAR", "m|HUGEINT"}));
  EXPECT_EQ(rows(), (Lines{"1|1", "1.5|9223372036854775808", "2|2"}));
}

// A bad file splits the first cycle into several transactions: types are still open between them.
TEST_F(FilesFormats, AlsoWhenABadFileSplitsTheCycle) {
  put("a.csv", "n,m,k\n1,2024-01-01,1.50\n");
  put("b.csv", "n,m,k\n2,2024-01-02,2.50\n");
  put_file("c.parquet", "SELECT 1 AS other");
  put("d.csv", "n,m,k\nx,2024-01-03,12345678901234567.50\n");
  put_file("e.parquet", "SELECT {'a': 1} AS n");
  load(4);
  EXPECT_EQ(columns(), (Lines{"n|VARCHAR", "m|DATE", "k|DECIMAL(38,2)"}));
  EXPECT_EQ(rows(),
            (Lines{"1|2024-01-01|1.50", "2|2024-01-02|2.50", "x|2024-01-03|12345678901234567.50"}));
  EXPECT_TRUE(reason("c.parquet").contains("shares no column")) << reason("c.parquet");
}

// CONTRACT: after the first cycle the rules of evolution.
// DRIFT-10: no row is left out by itself.
TEST_F(FilesFormats, LaterAValueThatIsNoneOfTheColumnsTypeIsDrift) {
  put("a.csv", "n,r,t\n1,1.5,x\n");
  load();
  put("b.csv", "n,r,t\n2,3,4\n");
  put("c.csv", "n,r,t\n1.5,2.5,y\n");
  put("d.csv", "n,r,t\n007,2.5,y\n");
  put("e.csv", "n,r,t\n9223372036854775808,2.5,y\n");
  const CycleReport report = load(4);
  EXPECT_EQ(report.units.applied, 2U);
  EXPECT_EQ(columns(), (Lines{"n|HUGEINT", "r|DOUBLE", "t|VARCHAR"}));
  EXPECT_EQ(rows(), (Lines{"1|1.5|x", "2|3.0|4", "9223372036854775808|2.5|y"}));
  EXPECT_TRUE(reason("c.csv").contains("column 'n' is BIGINT")) << reason("c.csv");
  EXPECT_TRUE(reason("d.csv").contains("column 'n' is BIGINT")) << reason("d.csv");
}

// DRIFT-13
TEST_F(FilesFormats, ColumnsWithoutValuesDoNotVoteOnTypes) {
  put("a.csv", "n,m\n,\n");
  put("b.csv", "n,m\n1,\n");
  load();
  EXPECT_EQ(columns(), (Lines{"n|BIGINT", "m|VARCHAR"}));
  put_file("c.parquet", "SELECT 2 AS n, DATE '2024-01-01' AS m");
  load();
  EXPECT_EQ(columns(), (Lines{"n|BIGINT", "m|DATE"}));
  EXPECT_EQ(rows(), (Lines{"1|null", "2|2024-01-01", "null|null"}));
}

// DRIFT-1: text in a column of numbers. Parquet says its types, text follows them.
TEST_F(FilesFormats, AFileThatSaysItsTypesDecidesOverText) {
  put("a.csv", "n,t\n1,1\n");
  put_file("b.parquet", "SELECT 2::SMALLINT AS n, 'x' AS t");
  put("c.csv", "n,t\n70000,2\n");
  load();
  EXPECT_EQ(columns(), (Lines{"n|BIGINT", "t|VARCHAR"}));
  EXPECT_EQ(rows(), (Lines{"1|1", "2|x", "70000|2"}));
}

// EMPTY-2, in text
TEST_F(FilesFormats, AFileWithoutRowsIsRecorded) {
  put("a.csv", "n,m\n");
  put("b.json", "[]");
  put("c.csv.gz", gzip("n\n"));
  EXPECT_EQ(load().units.applied, 3U);
  EXPECT_EQ(rows(), Lines{});
  put("d.csv", "n\n1\n");
  put("e.json", "\n");
  EXPECT_EQ(load().units.applied, 2U);
  EXPECT_EQ(rows(), (Lines{"1|null"}));
}

// EMPTY-1
TEST_F(FilesFormats, AnObjectOfNoBytesIsNoData) {
  put("a.csv", "");
  put("b.csv", "n\n1\n");
  EXPECT_EQ(load().units.applied, 1U);
}

// Rule 8: a bad object is set aside, the others are loaded.
TEST_F(FilesFormats, ABadFileIsQuarantinedWithItsLineAndTheOthersAreLoaded) {
  const std::string good = "a,b\n1,2\n";
  put("01.csv", good);
  put("02.csv", "a,b\n1,2\n3\n");
  put("03.csv", "a,b\n1,\"2\n");
  put("04.csv", std::string("a,b\n1,2\0\n", 9));
  put("05.csv", "a,b\n1,\xe9\n");
  put("06.csv.gz", gzip(good).substr(0, 20));
  put("07.csv.zst", zstd(good).substr(0, 12));
  put("08.json", "{\"a\": 1, \"a\": 2}\n");
  put("09.json", "{\"a\": 1}\n[2]\n");
  put("10.csv", good);
  const CycleReport report = load(3);
  EXPECT_EQ(report.units.applied, 2U);
  EXPECT_EQ(report.units.quarantined, 8U);
  EXPECT_EQ(rows(), (Lines{"1|2", "1|2"}));
  EXPECT_TRUE(reason("02.csv").contains("line 3: it has 1 fields")) << reason("02.csv");
  EXPECT_TRUE(reason("05.csv").contains("line 2 is no UTF-8 text")) << reason("05.csv");
  EXPECT_TRUE(reason("08.json").contains("key \"a\" is there twice")) << reason("08.json");
  EXPECT_EQ(load(0).outcome, Outcome::nothing_new);
}

// TYPE-5: no number goes through a double, no time through a zone.
TEST_F(FilesFormats, JsonKeepsNumbersAndNestedValuesExactly) {
  put("a.json",
      "{\"id\": 9007199254740993, \"money\": 1.10, \"o\": {\"k\": [1.50, null]}}\n"
      "{\"id\": -1, \"money\": 20.25, \"o\": null}\n"
      "{\"id\": 18446744073709551616}\n");
  load();
  EXPECT_EQ(columns(), (Lines{"id|HUGEINT", "money|DECIMAL(18,2)", "o|JSON"}));
  EXPECT_EQ(rows(), (Lines{"-1|20.25|null", "9007199254740993|1.10|{\"k\":[1.50,null]}",
                           "18446744073709551616|null|null"}));
}

TEST_F(FilesFormats, RowsWithoutAnyKeyAreRowsOfNulls) {
  put("a.json", "{\"a\": 1}\n");
  load();
  put("b.json", "{}\n{}\n");
  load();
  EXPECT_EQ(rows(), (Lines{"1", "null", "null"}));
}

TEST_F(FilesFormats, NamesThatATableCannotHoldGetNewOnes) {
  put("a.csv", "x,x,X,,file_index,file_row_number,_forebay_file\n1,2,3,4,5,6,7\n");
  load();
  EXPECT_EQ(rows(), (Lines{"1|2|3|4|5|6|7"}));
  load();
  put("b.csv", "x,x,X,,file_index,file_row_number,_forebay_file\n1,2,3,4,5,6,8\n");
  load();
  EXPECT_EQ(columns().size(), 7U);
  EXPECT_EQ(rows().size(), 2U);
}

TEST_F(FilesFormats, AFileReadAgainInOtherBytesIsComparedByItsOwnBytes) {
  put("a.csv", "n\n1\n");
  load();
  put("a.csv", "n\n1\n");
  EXPECT_EQ(load().changed_since_applied, 0U);
  put("a.csv", "n\n1\n2\n");
  EXPECT_EQ(load().changed_since_applied, 1U);
  EXPECT_EQ(rows(), (Lines{"1"}));
}

TEST_F(FilesFormats, PlanShowsTheTypesOfText) {
  put("a.csv", "n,t\n1,x\n");
  load();
  put("b.csv", "n,new\n2,2024-01-01\n");
  const auto plan = pipeline_.plan();
  ASSERT_TRUE(plan) << describe(plan.error());
  ASSERT_EQ(plan->statements.size(), 2U);
  EXPECT_EQ(plan->statements[0].sql, "ALTER TABLE \"main\".\"events\" ADD COLUMN \"new\" DATE");
}

}  // namespace
}  // namespace forebay::test
