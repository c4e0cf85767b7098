#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "support/arrivals.h"
#include "support/parquet_maker.h"
#include "support/pipeline_fixture.h"

// Aim: the version half of the one rule of conflict (FEEDS, section 1; KEY-2, KEY-3, KEY-10): a row
// acts only if it is newer than what decided its key last, whatever the order of arrival.
// Method: files in a folder, loaded in process; every order of arrival of small histories gives the
// tables that one load of everything gives.
namespace forebay::test {
namespace {

// A feed of files without order whose rows carry versions, in a folder of its own.
class Files {
 public:
  explicit Files(std::string yaml)
      : pipeline_({.yaml = std::move(yaml),
                   .name = "events",
                   .schema = "main",
                   .source = folder_ / "in",
                   .database = folder_ / "warehouse.duckdb"}) {
    std::filesystem::create_directories(folder_ / "in");
    pipeline_.clock().advance(std::chrono::hours(24 * 365 * 10));
  }

  void put(const std::string& key, const std::string& query) {
    make_parquet(folder_ / ("in/" + key), query);
  }
  CycleReport load(int expected = 0) {
    CycleReport report = pipeline_.load();
    EXPECT_EQ(code(report), expected) << text(report);
    return report;
  }
  Lines query(const std::string& sql) const {
    return query_lines(folder_ / "warehouse.duckdb", sql);
  }
  Lines rows(const std::string& from = "main.t") const {
    return query("SELECT * EXCLUDE (_forebay_file) FROM " + from + " ORDER BY ALL");
  }
  Lines quarantined() const {
    return query("SELECT unit FROM _forebay.units WHERE state = 'quarantined' ORDER BY ALL");
  }

 private:
  TempFolder folder_;
  TestPipeline pipeline_;
};

std::string feed_of(const std::string& rows, const std::string& rest = "") {
  return "about: a test\nunit: {file: \"*.parquet\"}\ntable: {text: t}\neffect: put\nrows: {" +
         rows + "}\n" + rest;
}

const std::string kPlain = "key: [id], version: [v]";

// Every order of arrival gives the rows expected.
void expect_any_order(const std::string& yaml, const std::vector<std::string>& queries,
                      const Lines& expected, const std::string& columns = "*") {
  Arrivals arrivals({.yaml = yaml}, queries.size(), 1,
                    [&](const std::string& source, std::size_t i) {
                      make_parquet(source + "f" + std::to_string(i) + ".parquet", queries[i]);
                    });
  EXPECT_EQ(arrivals.lines("SELECT " + columns +
                           " FROM (SELECT * EXCLUDE (_forebay_file) FROM $S.t) ORDER BY ALL"),
            expected);
}

// KEY-3
TEST(Versions, NumbersThatAreTextAreNotComparedAsText) {
  Files files(feed_of("key: [id], version: [{column: v, as: number}]"));
  files.put("a.parquet", "SELECT 1 AS id, '936' AS v");
  const CycleReport report = files.load(4);
  EXPECT_NE(text(report).find("types: {v: BIGINT}"), std::string::npos) << text(report);
}

TEST(Versions, AnOlderRowNeverReplacesANewerOne) {
  Files files(feed_of(kPlain));
  files.put("a.parquet", "SELECT 1 AS id, 5 AS v, 'five' AS t");
  files.load();
  files.put("b.parquet", "SELECT 1 AS id, 4 AS v, 'four' AS t UNION ALL SELECT 2, 1, 'one'");
  const CycleReport report = files.load();
  EXPECT_EQ(files.rows(), (Lines{"1|5|five", "2|1|one"}));
  EXPECT_EQ(report.tables.at("main.t").ignored.at("older"), 1U);
}

// KEY-2: the newest of a key within one batch, whichever file or row it stands in.
TEST(Versions, WithinABatchTheNewestVersionWins) {
  Files files(feed_of(kPlain));
  files.put("a.parquet", "SELECT 1 AS id, 9 AS v, 'nine' AS t UNION ALL SELECT 1, 3, 'three'");
  files.put("b.parquet", "SELECT 1 AS id, 8 AS v, 'eight' AS t UNION ALL SELECT 2, 1, 'one'");
  files.load();
  EXPECT_EQ(files.rows(), (Lines{"1|9|nine", "2|1|one"}));
}

TEST(Versions, EqualVersionsAreDecidedByTheNamesOfUnitsThenFilesThenRows) {
  expect_any_order(feed_of(kPlain),
                   {"SELECT 1 AS id, 1 AS v, 'a' AS t", "SELECT 1 AS id, 1 AS v, 'b' AS t",
                    "SELECT 1 AS id, 1 AS v, x AS t FROM (VALUES ('c1'), ('c2')) r(x)"},
                   {"1|1|c2"});
}

TEST(Versions, IntegersAreExactBeyondDoubles) {
  expect_any_order(feed_of(kPlain),
                   {"SELECT 1 AS id, 18446744073709551614::UBIGINT AS v, 'less' AS t",
                    "SELECT 1 AS id, 18446744073709551615::UBIGINT AS v, 'most' AS t",
                    "SELECT 1 AS id, 9223372036854775808::UBIGINT AS v, 'beyond signed' AS t"},
                   {"1|18446744073709551615|most"});
}

TEST(Versions, TimesAndTextsAreComparedByValueOneTermAfterTheOther) {
  expect_any_order(feed_of("key: [id], version: [at, word]"),
                   {"SELECT 1 AS id, TIMESTAMP '2026-01-01 00:00:00.000001' AS at, 'a' AS word",
                    "SELECT 1 AS id, TIMESTAMP '2026-01-01 00:00:00' AS at, 'z' AS word",
                    "SELECT 1 AS id, TIMESTAMP '2026-01-01 00:00:00.000001' AS at, 'B' AS word"},
                   {"1|2026-01-01 00:00:00.000001|a"});
}

TEST(Versions, AVersionThatWidensIsComparedWithWhatStandsAndWithTombstones) {
  const std::string yaml =
      feed_of("key: [id], version: [v], delete: {operation: op, is: [D], others: [U]}");
  Files files(yaml);
  files.put("a.parquet", "SELECT 1 AS id, 5::INTEGER AS v, 'U' AS op UNION ALL SELECT 2, 5, 'D'");
  files.load();
  files.put("b.parquet",
            "SELECT 1 AS id, 3000000000::BIGINT AS v, 'D' AS op UNION ALL "
            "SELECT 2, 4, 'U'");
  files.load();
  EXPECT_EQ(files.rows(), Lines{});
  files.put("c.parquet", "SELECT 2 AS id, 3000000001::BIGINT AS v, 'U' AS op");
  files.load();
  EXPECT_EQ(files.rows(), (Lines{"2|3000000001|U"}));
}

TEST(Versions, NullInAVersionColumnRefusesTheUnit) {
  Files files(feed_of(kPlain));
  files.put("a.parquet", "SELECT 1 AS id, NULL::INTEGER AS v UNION ALL SELECT 1, 2");
  files.put("b.parquet", "SELECT 2 AS id, 1 AS v");
  files.load(5);
  EXPECT_EQ(files.rows(), (Lines{"2|1"}));
  EXPECT_EQ(files.quarantined(), (Lines{"a.parquet"}));
  files.load(0);
}

TEST(Versions, AFileWithoutTheVersionColumnIsDrift) {
  Files files(feed_of(kPlain));
  files.put("a.parquet", "SELECT 1 AS id, 1 AS v");
  files.put("b.parquet", "SELECT 1 AS id");
  files.load(4);
  EXPECT_EQ(files.rows(), (Lines{"1|1"}));
}

// KEY-10: a tombstone keeps the version, so that a late older row cannot bring its key back.
TEST(Versions, DeletedKeysKeepTheVersionThatDeletedThem) {
  const std::string yaml = feed_of(
      "key: [id], version: [v], delete: {operation: op, is: [D], others: [I, U], skip: [B]}");
  expect_any_order(yaml,
                   {"SELECT 1 AS id, 1 AS v, 'I' AS op, 'one' AS t",
                    "SELECT 1 AS id, 2 AS v, 'D' AS op, NULL::VARCHAR AS t UNION ALL "
                    "SELECT 2, 7, 'B', 'before'",
                    "SELECT 2 AS id, 1 AS v, 'D' AS op, NULL::VARCHAR AS t UNION ALL "
                    "SELECT 3, 5, 'D', NULL",
                    "SELECT 2 AS id, 3 AS v, 'U' AS op, 'three' AS t UNION ALL "
                    "SELECT 3, 4, 'U', 'four'"},
                   {"2|3|U|three"});
}

TEST(Versions, DeletesMayCarryTheKeyAndTheVersionOnly) {
  Files files(feed_of("key: [id], version: [v], delete: {operation: op, is: [D], others: [I]}"));
  files.put("a.parquet", "SELECT 1 AS id, 1 AS v, 'I' AS op, 'x' AS t");
  files.put("b.parquet", "SELECT 1 AS id, 2 AS v, 'D' AS op");
  files.load();
  EXPECT_EQ(files.rows(), Lines{});
}

TEST(Versions, AnUnknownOrMissingOperationRefusesTheUnit) {
  Files files(feed_of("key: [id], version: [v], delete: {operation: op, is: [D], others: [I]}"));
  files.put("a.parquet", "SELECT 1 AS id, 1 AS v, 'I' AS op");
  files.put("b.parquet", "SELECT 2 AS id, 1 AS v, 'X' AS op UNION ALL SELECT 3, 1, 'I'");
  files.put("c.parquet", "SELECT 4 AS id, 1 AS v, NULL::VARCHAR AS op");
  files.put("d.parquet", "SELECT 5 AS id, 1 AS v");
  files.load(5);
  EXPECT_EQ(files.rows(), (Lines{"1|1|I"}));
  EXPECT_EQ(files.quarantined(), (Lines{"b.parquet", "c.parquet", "d.parquet"}));
}

TEST(Versions, AFileWithoutOperationsPutsWhereTheFeedSaysSo) {
  Files files(
      feed_of("key: [id], version: [v], delete: {operation: op, is: [D], others: [I, U], absent: "
              "put}"));
  files.put("LOAD1.parquet", "SELECT 1 AS id, 0 AS v UNION ALL SELECT 2, 0");
  files.put("change.parquet", "SELECT 1 AS id, 1 AS v, 'D' AS op UNION ALL SELECT 2, 1, 'U'");
  files.load();
  EXPECT_EQ(files.query("SELECT id, v, op FROM main.t"), (Lines{"2|1|U"}));
}

TEST(Versions, OperationsMayBeNumbersAndDroppedFromTheTable) {
  Files files(
      feed_of("key: [id], version: [v], delete: {operation: mark, is: [\"2\"], others: "
              "[\"0\", \"1\", \"4\"]}",
              "columns: {drop: [mark, v]}\n"));
  files.put("a.parquet",
            "SELECT 1 AS id, 1 AS v, 4 AS mark, 'x' AS t UNION ALL SELECT 2, 1, 0, 'y'");
  files.load();
  files.put("b.parquet", "SELECT 1 AS id, 2 AS v, 2 AS mark, 'x' AS t");
  files.load();
  files.put("c.parquet",
            "SELECT 1 AS id, 1 AS v, 0 AS mark, 'late' AS t UNION ALL "
            "SELECT 2, 0, 1, 'older'");
  files.load();
  EXPECT_EQ(files.query("SELECT id, t FROM main.t"), (Lines{"2|y"}))
      << "a version that is no column is kept beside the columns";
  EXPECT_EQ(files.query("SELECT column_name FROM duckdb_columns() WHERE table_name = 't' ORDER BY "
                        "column_index"),
            (Lines{"id", "t", "_forebay_version", "_forebay_file"}));
}

TEST(Versions, ARankDecidesBetweenEqualVersionsThenColumnsThatMayBeNull) {
  expect_any_order(feed_of("key: [id], version: [v], tie: [{rank: s, order: [ALIVE, EOL]}, b]"),
                   {"SELECT 1 AS id, 1 AS v, 'EOL' AS s, NULL::INTEGER AS b, 'a' AS t UNION ALL "
                    "SELECT 2, 1, 'ALIVE', 5, 'a'",
                    "SELECT 1 AS id, 1 AS v, 'ALIVE' AS s, 9 AS b, 'b' AS t UNION ALL "
                    "SELECT 2, 1, 'ALIVE', NULL, 'b'",
                    "SELECT 1 AS id, 1 AS v, 'EOL' AS s, 1 AS b, 'c' AS t UNION ALL "
                    "SELECT 2, 1, 'ALIVE', 4, 'c'"},
                   {"1|1|EOL|1|c", "2|1|ALIVE|5|a"});
}

TEST(Versions, AValueOutsideARankRefusesTheUnit) {
  Files files(feed_of("key: [id], version: [v], tie: [{rank: s, order: [ALIVE, EOL]}]"));
  files.put("a.parquet", "SELECT 1 AS id, 1 AS v, 'LOCKED' AS s");
  files.put("b.parquet", "SELECT 1 AS id, 2 AS v, 'EOL' AS s");
  files.load(5);
  EXPECT_EQ(files.rows(), (Lines{"1|2|EOL"}));
}

TEST(Versions, AValueOfTheUnitIsAVersionToo) {
  std::string yaml = feed_of("key: [id], version: [{capture: n}]");
  yaml.replace(yaml.find("*.parquet"), 9, "f{n:int}.parquet");
  expect_any_order(yaml,
                   {"SELECT 1 AS id, 'a' AS t UNION ALL SELECT 2, 'a'", "SELECT 1 AS id, 'b' AS t",
                    "SELECT 2 AS id, 'c' AS t"},
                   {"1|b", "2|c"}, "id, t");
}

TEST(Versions, TheFirstRowOfAKeyStaysWhereTheFeedSaysSo) {
  Files files(feed_of("key: [id], conflict: first"));
  files.put("b.parquet", "SELECT 1 AS id, 'first' AS t UNION ALL SELECT 1, 'second'");
  files.put("c.parquet", "SELECT 1 AS id, 'third' AS t");
  files.load();
  files.put("a.parquet", "SELECT 1 AS id, 'late' AS t UNION ALL SELECT 2, 'new'");
  files.load();
  EXPECT_EQ(files.rows(), (Lines{"1|first", "2|new"}));
}

TEST(Versions, WithAnOrderTheFirstRowIsThatOfTheFirstUnit) {
  std::string yaml = feed_of("key: [id], conflict: first");
  yaml.replace(yaml.find("{file: \"*.parquet\"}"), 19, "{file: \"f{n:int}.parquet\", order: [n]}");
  expect_any_order(yaml,
                   {"SELECT 1 AS id, 'a' AS t", "SELECT 1 AS id, 'b' AS t UNION ALL SELECT 2, 'b'",
                    "SELECT 2 AS id, 'c' AS t UNION ALL SELECT 3, 'c1' UNION ALL SELECT 3, 'c2'"},
                   {"1|a", "2|b", "3|c1"});
}

// A rewritten file's keys are decided anew by every other file of the table.
TEST(Versions, ReplaceDecidesTheKeysOfARewrittenFileAnew) {
  Files files(feed_of(kPlain, "options: {on_rewrite: replace}\n"));
  files.put("a.parquet", "SELECT 1 AS id, 1 AS v, 'a' AS t UNION ALL SELECT 2, 1, 'a'");
  files.put("b.parquet", "SELECT 1 AS id, 9 AS v, 'wrong' AS t UNION ALL SELECT 3, 1, 'b'");
  files.put("c.parquet", "SELECT 1 AS id, 2 AS v, 'c' AS t");
  files.load();
  EXPECT_EQ(files.rows(), (Lines{"1|9|wrong", "2|1|a", "3|1|b"}));
  files.put("b.parquet", "SELECT 2 AS id, 5 AS v, 'right' AS t UNION ALL SELECT 3, 2, 'b2'");
  files.load();
  EXPECT_EQ(files.rows(), (Lines{"1|2|c", "2|5|right", "3|2|b2"}));
}

TEST(Versions, AKeyWithNeitherOrderNorVersionIsAConfigurationError) {
  Files files(feed_of("key: [id]"));
  files.load(1);
}

TEST(Versions, WhatRowsAreComparedByIsFixed) {
  TempFolder folder;
  std::filesystem::create_directories(folder / "in");
  make_parquet(folder / "in/a.parquet", "SELECT 1 AS id, 1 AS v, 2 AS w");
  TestPipeline pipeline({.yaml = feed_of(kPlain),
                         .name = "events",
                         .schema = "main",
                         .source = folder / "in",
                         .database = folder / "warehouse.duckdb"});
  pipeline.clock().advance(std::chrono::hours(24 * 365 * 10));
  EXPECT_EQ(code(pipeline.load()), 0);
  pipeline.settings.yaml = feed_of("key: [id], version: [w]");
  const CycleReport report = pipeline.load();
  EXPECT_EQ(code(report), 5) << text(report);
  pipeline.settings.yaml = feed_of(kPlain, "keep: both\n");
  EXPECT_EQ(code(pipeline.load()), 5);
}

}  // namespace
}  // namespace forebay::test
