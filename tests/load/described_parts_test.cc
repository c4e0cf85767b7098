#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "support/described_feed.h"

// Aim: units that no document describes replace a part of a table too, by what their names say
// (FEEDS, section 1: "clear what earlier units brought whose named captures are equal"). Method:
// descriptions of such feeds, deliveries that are newer, late and rewritten.
namespace forebay::test {
namespace {

using ::testing::HasSubstr;

constexpr const char* kMonthlyFiles =
    R"(about: A report of each month, delivered again when it changed
unit:
  file: "{month:%Y-%m}/report_{n:int}.csv"
  identity: [{capture: $key}]
  order: [{capture: month}, {capture: n}]
table: {text: costs}
effect: {part: [{capture: month}], clear: part, then: append}
)";

TEST_F(DescribedFeed, AFileReplacesThePartThatItsNameSays) {
  describe_by(kMonthlyFiles);
  put("2026-09/report_9.csv", "n\n91\n92\n");
  put("2026-10/report_1.csv", "n\n101\n");
  load();
  EXPECT_EQ(rows("costs"), (Lines{"91", "92", "101"}));
  // By its number, not by its text.
  put("2026-09/report_10.csv", "n\n93\n");
  load();
  EXPECT_EQ(rows("costs"), (Lines{"93", "101"}));
  // A late one of an earlier number brings nothing.
  put("2026-09/report_2.csv", "n\n94\n");
  load();
  EXPECT_EQ(rows("costs"), (Lines{"93", "101"}));
  EXPECT_EQ(query("SELECT unit, state FROM _forebay.units WHERE unit LIKE '%report_2.csv'"),
            (Lines{"2026-09/report_2.csv|superseded"}));
}

TEST_F(DescribedFeed, AFileOfAPartThatIsWrittenAgainReplacesItself) {
  describe_by(kMonthlyFiles);
  put("2026-09/report_1.csv", "n\n1\n");
  put("2026-10/report_1.csv", "n\n2\n");
  load();
  put("2026-09/report_1.csv", "n\n31\n32\n");
  load();
  EXPECT_EQ(rows("costs"), (Lines{"2", "31", "32"}));
}

// Nothing but its files tells that a folder changed: it has no document.
TEST_F(DescribedFeed, AFolderOfAPartThatGainsOrLosesAFileReplacesItself) {
  describe_by(R"(about: Days, for which a preliminary folder may stand
unit:
  folder: ["events_intraday_{day:%Y%m%d}/", "{daily:short}_{day:%Y%m%d}/"]
  identity: [{capture: $folder}]
  order: [{capture: day}, {first: [{capture: daily}, {text: "0"}]}]
files: {match: "*", table: {text: events}}
decode: {format: csv}
effect: {part: [{capture: day}], clear: part, then: append}
)");
  put("events_intraday_20261101/0.csv", "n\n1\n");
  put("events_20261031/0.csv", "n\n31\n");
  load();
  EXPECT_EQ(rows("events"), (Lines{"1", "31"}));
  put("events_20261101/0.csv", "n\n1\n2\n");
  load();
  EXPECT_EQ(rows("events"), (Lines{"1", "2", "31"}));
  put("events_20261101/1.csv", "n\n3\n");
  put("events_intraday_20261101/1.csv", "n\n4\n");
  load();
  EXPECT_EQ(rows("events"), (Lines{"1", "2", "3", "31"}));
  remove("events_20261101/0.csv");
  load();
  EXPECT_EQ(rows("events"), (Lines{"3", "31"}));
  EXPECT_EQ(load().outcome, Outcome::nothing_new);
}

TEST_F(DescribedFeed, OnlyTheNewestOfManyWaitingFilesOfAPartIsRead) {
  describe_by(kMonthlyFiles);
  put("2026-09/report_1.csv", "not, a\nreport\n\"");
  put("2026-09/report_2.csv", "n\n2\n");
  load();
  EXPECT_EQ(rows("costs"), (Lines{"2"}));
}

TEST_F(DescribedFeed, AFolderReplacesThePartThatItsNameSays) {
  describe_by(R"(about: Runs of a month, each a folder
unit:
  folder: "{table}/{month:%Y-%m}/run={n:int}/"
  identity: [{capture: $folder}]
  order: [{capture: month}, {capture: n}]
gate: [{exists: "{$folder}/_SUCCESS"}]
files: {table: {capture: table}}
effect: {part: [{capture: table}, {capture: month}], clear: part, then: append}
)");
  put("sales/2026-09/run=9/a.csv", "n\n91\n");
  put("sales/2026-09/run=9/b.csv", "n\n92\n");
  put("sales/2026-09/run=9/_SUCCESS", "x");
  put("sales/2026-10/run=1/a.csv", "n\n101\n");
  put("sales/2026-10/run=1/_SUCCESS", "x");
  load();
  EXPECT_EQ(rows("sales"), (Lines{"91", "92", "101"}));
  put("sales/2026-09/run=10/a.csv", "n\n93\n");
  load();
  EXPECT_EQ(rows("sales"), (Lines{"91", "92", "101"}));
  put("sales/2026-09/run=10/_SUCCESS", "x");
  load();
  EXPECT_EQ(rows("sales"), (Lines{"93", "101"}));
}

TEST_F(DescribedFeed, PartsOfUnitsWithoutDocumentsAreToldByTheirNamesAlone) {
  const auto with = [&](const std::string& unit, const std::string& effect) {
    return error_of("about: x\nunit: {file: \"{month}/{n:int}.csv\", " + unit +
                    "}\ntable: {text: t}\neffect: " + effect + "\n");
  };
  EXPECT_THAT(with("identity: [/run], order: [{capture: n}]", "append"),
              HasSubstr("d.yaml:2: unit.identity"));
  EXPECT_THAT(with("identity: [{capture: $key}], order: [/at]", "append"),
              HasSubstr("d.yaml:2: unit.order"));
  EXPECT_THAT(with("identity: [{capture: $key}], order: [{capture: n}]",
                   "{part: [/month], clear: part, then: append}"),
              HasSubstr("d.yaml:4: effect.part"));
  EXPECT_THAT(with("order: [n]", "{part: [{capture: month}], clear: part, then: append}"),
              HasSubstr("needs unit.identity"));
}

}  // namespace
}  // namespace forebay::test
