#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "support/described_feed.h"

// Aim: a companion beside each file tells its columns, keys, dialect and rows (FEEDS, section 1:
// `with`), as in examples/qlik_replicate.yaml.
namespace forebay::test {
namespace {

std::string column(const std::string& name, const std::string& type, int key) {
  return fmt::format(R"({{"name": "{}", "type": "{}", "primaryKeyPos": {}}})", name, type, key);
}

std::string dfm(const std::string& columns, int rows, const std::string& delimiter = ",") {
  return fmt::format(
      R"({{"dfmVersion": "1.1", "fileInfo": {{"recordCount": {}}}, "formatInfo": {{"format": "delimited",
"options": {{"fieldDelimiter": "{}", "quoteChar": "\"", "nullValue": "NIL"}}}}, "dataInfo":
{{"sourceTable": "ORDERS", "columns": [{}]}}}})",
      rows, delimiter, columns);
}

const std::string kColumns =
    column("ID", "INT4", 1) + "," + column("CODE", "STRING", 0) + "," + column("N", "INT4", 0);
const std::string kChanges = column("header__change_seq", "STRING", 0) + "," +
                             column("header__change_oper", "STRING", 0) + "," + kColumns;

class Replicate : public DescribedFeed {
 protected:
  Replicate() { describe_as_in("qlik_replicate"); }
};

TEST_F(Replicate, ColumnsKeysDialectAndTextComeFromTheCompanion) {
  put("HR.ORDERS/LOAD00000001.csv", "1,007,10\n2,008,NIL\n3,\"NIL\",30\n");
  put("HR.ORDERS/LOAD00000001.dfm", dfm(kColumns, 3));
  put("HR.ORDERS__ct/20261020-141502123.csv", "s1;B;1;007;10\ns1;U;1;009;11\ns2;D;2;008;NIL\n");
  put("HR.ORDERS__ct/20261020-141502123.dfm", dfm(kChanges, 3, ";"));
  load();
  EXPECT_EQ(rows("ORDERS"), (Lines{"1|009|11", "3|NIL|30"}));
  EXPECT_EQ(query("SELECT data_type FROM duckdb_columns() WHERE table_name = 'ORDERS' AND "
                  "column_name IN ('ID', 'CODE') ORDER BY column_name"),
            (Lines{"VARCHAR", "BIGINT"}));
}

TEST_F(Replicate, AFileWaitsForItsCompanionAndHoldsBackItsTableAlone) {
  put("HR.ORDERS/LOAD00000001.csv", "1,a,10\n");
  put("HR.ORDERS/LOAD00000002.csv", "2,b,20\n");
  put("HR.ORDERS/LOAD00000002.dfm", dfm(kColumns, 1));
  put("HR.ITEMS/LOAD00000001.csv", "5,x,50\n");
  put("HR.ITEMS/LOAD00000001.dfm", dfm(kColumns, 1));
  load();
  EXPECT_EQ(tables(), (Lines{"ITEMS"}));
  EXPECT_EQ(waiting(), (Lines{"HR.ORDERS/LOAD00000001.csv: HR.ORDERS/LOAD00000001.dfm is not "
                              "there yet"}));
  put("HR.ORDERS/LOAD00000001.dfm", dfm(kColumns, 1));
  load();
  EXPECT_EQ(rows("ORDERS"), (Lines{"1|a|10", "2|b|20"}));
}

TEST_F(Replicate, ACountThatIsWrongLoadsNothing) {
  put("HR.ORDERS/LOAD00000001.csv", "1,a,10\n");
  put("HR.ORDERS/LOAD00000001.dfm", dfm(kColumns, 2));
  load(3);
  EXPECT_EQ(tables(), Lines());
  put("HR.ORDERS/LOAD00000001.dfm", dfm(kColumns, 1));
  load();
  EXPECT_EQ(rows("ORDERS"), (Lines{"1|a|10"}));
}

TEST_F(Replicate, ACompanionThatSaysWhatNobodyKnowsIsRefused) {
  put("HR.ORDERS/LOAD00000001.csv", "1,a,10\n");
  std::string other = dfm(kColumns, 1);
  put("HR.ORDERS/LOAD00000001.dfm", other.replace(other.find("1.1"), 3, "2.0"));
  load(5);
  other = dfm(kColumns, 1);
  put("HR.ORDERS/LOAD00000001.dfm", other.replace(other.find("delimited"), 9, "avro"));
  const CycleReport report = load(5);
  EXPECT_NE(text(report).find("\"avro\" is not known, allowed: csv, json, parquet, tsv"),
            std::string::npos)
      << text(report);
}

TEST_F(Replicate, ACompanionThatIsNoObjectOrLacksTheColumnsIsDamaged) {
  put("HR.ORDERS/LOAD00000001.csv", "1,a,10\n");
  put("HR.ORDERS/LOAD00000001.dfm", "[1]");
  load(3);
  put("HR.ORDERS/LOAD00000001.dfm", R"({"dfmVersion": "1.1", "dataInfo": {"sourceTable": "X"},
"formatInfo": {"format": "delimited", "options": {"fieldDelimiter": ",", "quoteChar": "",
"nullValue": ""}}, "fileInfo": {"recordCount": 1}})");
  const CycleReport report = load(3);
  EXPECT_NE(text(report).find("/dataInfo/columns must be a list of names, but is nothing"),
            std::string::npos)
      << text(report);
}

// A companion that changes later is no news: only the unit's own object is its version.
TEST_F(Replicate, ACompanionThatChangesAfterItsFileWasLoadedIsNoNews) {
  put("HR.ORDERS/LOAD00000001.csv", "1,a,10\n");
  put("HR.ORDERS/LOAD00000001.dfm", dfm(kColumns, 1));
  load();
  put("HR.ORDERS/LOAD00000001.dfm", "{}");
  const CycleReport report = load();
  EXPECT_EQ(report.outcome, Outcome::nothing_new) << text(report);
}

// Units that are known by their documents, with a companion that says when.
TEST_F(DescribedFeed, ADocumentWaitsForItsCompanionAndTakesItsPlaceFromIt) {
  describe_by(R"(about: Manifests, each with a receipt
unit:
  document: "{run}/manifest.json"
  identity: [{capture: run}]
  order: [{of: {receipt: /closed}, as: time}]
with: {receipt: "{$folder}/receipt.json"}
files:
  list: /files
  path: {field: name, from: document}
  table: {receipt: /table}
effect: {clear: table, then: append}
check: {rows: {receipt: /rows}}
)");
  const auto run = [&](const std::string& name, const std::string& closed, int rows) {
    put(name + "/a.csv", "v\n" + name + "\n");
    put(name + "/manifest.json", R"({"files": [{"name": "a.csv"}]})");
    if (!closed.empty())
      put(name + "/receipt.json",
          fmt::format(R"({{"closed": "{}", "table": "t", "rows": {}}})", closed, rows));
  };
  run("second", "2026-10-21T00:00:00Z", 1);
  run("first", "2026-10-20T00:00:00Z", 1);
  load();
  EXPECT_EQ(rows("t"), (Lines{"second"}));
  run("third", "", 1);
  load();
  EXPECT_EQ(waiting(), (Lines{"third/manifest.json: third/receipt.json is not there yet"}));
  run("third", "2026-10-22T00:00:00Z", 2);
  load(3);  // two rows are told, and one is there
  EXPECT_EQ(rows("t"), (Lines{"second"}));
  run("third", "2026-10-22T00:00:00Z", 1);
  load();
  EXPECT_EQ(rows("t"), (Lines{"third"}));
}

TEST_F(DescribedFeed, ACompanionThatIsMisspelledIsAnErrorWithItsPlace) {
  const auto with = [&](const std::string& rest) {
    return error_of(
        "about: x\nunit: {file: \"{t}/{n}.csv\"}\nwith: {meta: \"{t}/{n}.json\"}\n"
        "table: {capture: t}\neffect: append\n" +
        rest);
  };
  EXPECT_EQ(with("check: {rows: {mete: /n}}\n").substr(0, 60),
            "read d.yaml:6: check.rows.mete: is no known key and no compa");
  EXPECT_NE(with("check: {rows: {mete: /n}}\n").find("did you mean meta?"), std::string::npos);
  EXPECT_EQ(with("check: {rows: {meta: n}}\n"),
            "read d.yaml:6: check.rows.meta: \"n\" must be a path in meta, such as /count");
  EXPECT_EQ(with("accept: {/v: [1]}\n"),
            "read d.yaml:6: accept./v: must be the name of a companion: the unit has no document "
            "of its own");
  EXPECT_EQ(error_of("about: x\nunit: {file: \"{t}/{n}.csv\"}\nwith: {meta: \"{t}/{m}.json\"}\n"
                     "table: {capture: t}\neffect: append\n"),
            "read d.yaml:3: with.meta: the pattern \"{t}/{n}.csv\" has no capture {m}\n"
            "  hint: did you mean {t}?");
  EXPECT_EQ(error_of("about: x\nunit: {file: \"{t}/{n}.csv\"}\nwith: {text: \"{t}/{n}.json\"}\n"
                     "table: {capture: t}\neffect: append\n"),
            "read d.yaml:3: with.text: is a word of the language, and cannot name a companion");
}

}  // namespace
}  // namespace forebay::test
