#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "support/described_feed.h"

// Aim: units that are folders are described in YAML alone, whatever says that one is complete: a
// flag that must be there, one that must be gone, a flag with content, or nothing but time (FEEDS,
// sections 1 and 3: folder).
namespace forebay::test {
namespace {

// Spark: _SUCCESS appears last; a run that is repeated replaces its folder.
class Spark : public DescribedFeed {
 protected:
  Spark() { describe_as_in("spark"); }
};

TEST_F(Spark, AFolderLoadsWhenItsFlagIsThereAndWaitsBefore) {
  put("sales/day=2026-10-20/part-0.csv", "n\n1\n");
  put("sales/day=2026-10-20/part-1.csv", "n\n2\n");
  put("sales/day=2026-10-20/_temporary/0/part-9.csv", "n\n9\n");
  put("sales/day=2026-10-20/readme.txt", "no data");
  load();
  EXPECT_EQ(tables(), Lines());
  EXPECT_EQ(waiting(), (Lines{"sales/day=2026-10-20/: sales/day=2026-10-20/_SUCCESS is not there "
                              "yet"}));
  put("sales/day=2026-10-20/_SUCCESS", "");
  load();
  EXPECT_EQ(rows("sales"), (Lines{"1|2026-10-20", "2|2026-10-20"}));
  EXPECT_EQ(load().outcome, Outcome::nothing_new);
}

TEST_F(Spark, AFolderThatWasWrittenAgainReplacesItsRowsAlone) {
  for (const std::string day : {"2026-10-20", "2026-10-21"}) {
    put("sales/day=" + day + "/part-0.csv", "n\n1\n");
    put("sales/day=" + day + "/part-1.csv", "n\n2\n");
    put("sales/day=" + day + "/_SUCCESS", "");
  }
  load();
  remove("sales/day=2026-10-20/part-1.csv");
  put("sales/day=2026-10-20/part-0.csv", "n\n5\n");
  load();
  EXPECT_EQ(rows("sales"), (Lines{"1|2026-10-21", "2|2026-10-21", "5|2026-10-20"}));
}

// Materialize: INCOMPLETE stands there until all is written.
TEST_F(DescribedFeed, AFolderIsCompleteWhenItsFlagIsGone) {
  describe_as_in("materialize");
  put("orders/1/mz-0.csv", "n\n1\n");
  put("orders/2/mz-0.csv", "n\n2\n");
  put("orders/2/INCOMPLETE", "");
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1"}));
  remove("orders/2/INCOMPLETE");
  load();
  EXPECT_EQ(rows("orders"), (Lines{"2"}));
}

// No flag at all: a folder that has been still for a time is complete.
TEST_F(DescribedFeed, AFolderIsCompleteWhenItHasBeenStill) {
  describe_by(R"(about: Folders without a flag
unit: {folder: "{table}/{n:int}/", order: [n]}
gate: [{still: 1h}]
files: {table: {capture: table}}
effect: append
)");
  put("orders/1/a.csv", "n\n1\n");
  const auto written = std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now());
  const Time begins = TestPipeline(settings_).clock().now();
  ahead_ = written + std::chrono::minutes(30) - begins;
  load();
  EXPECT_EQ(tables(), Lines());
  EXPECT_EQ(waiting(), (Lines{"orders/1/: it was written a moment ago and may still change"}));
  ahead_ = written + std::chrono::minutes(70) - begins;
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1"}));
}

// Snowplow: a JSON object beside the data says how many rows there are and of which form.
TEST_F(DescribedFeed, AFlagWithContentSaysWhatLiesBesideIt) {
  describe_as_in("snowplow");
  const std::string run = "run=2026-10-20-01-02-03/";
  put(run + "output=good/vendor=a/part-0.txt", "{\"id\": 1}\n{\"id\": 2}\n");
  put(run + "output=good/vendor=b/part-0.txt", "{\"id\": 3}\n");
  put("run=2026-10-20-02-00-00/output=good/part-0.txt", "{\"id\": 9}\n");  // aborted: no flag
  const auto flag = [&](int rows) {
    put(run + "shredding_complete.json",
        fmt::format(
            R"({{"version": "iglu", "typesInfo": {{"fileFormat": "JSON"}}, "count": {{"good": {}}}}})",
            rows));
  };
  flag(4);
  load(3);
  flag(3);
  load();
  EXPECT_EQ(rows("events"), (Lines{"1", "2", "3"}));
}

// Stripe, Atlas: the flag stands a level above the data, and each folder below is a table.
TEST_F(DescribedFeed, AFlagAboveTheFolderOpensIt) {
  describe_by(R"(about: Exports of databases
unit: {folder: "{at}/{db}/{table}/", order: [at]}
gate: [{exists: "{at}/.complete"}]
files: {table: "{db}_{table}"}
effect: {clear: table, then: append}
)");
  put("2026-10-20T0100/shop/orders/0.csv", "n\n1\n");
  put("2026-10-20T0100/shop/items/0.csv", "n\n1\n");
  put("2026-10-20T0100/.complete", "{}");
  put("2026-10-20T0200/shop/orders/0.csv", "n\n2\n");
  load();
  EXPECT_EQ(rows("shop_orders"), (Lines{"1"}));
  EXPECT_EQ(rows("shop_items"), (Lines{"1"}));
  put("2026-10-20T0200/.complete", "{}");
  load();
  EXPECT_EQ(rows("shop_orders"), (Lines{"2"}));
}

TEST_F(DescribedFeed, AFolderThatCannotBeOneIsAnErrorWithItsPlace) {
  const auto with = [&](const std::string& unit, const std::string& rest) {
    return error_of("about: x\nunit: {" + unit + "}\nfiles: {table: {capture: t}}\n" + rest +
                    "effect: append\n");
  };
  EXPECT_EQ(with("folder: \"{t}\"", ""),
            "read d.yaml:2: unit.folder: \"{t}\" must end in a slash: it is a folder");
  EXPECT_EQ(with("folder: \"{t}/\", time: /at", ""),
            "read d.yaml:2: unit.time: belongs to units that are documents; files have name_time");
  EXPECT_EQ(
      with("folder: \"{t}/\"", "accept: {/v: [1]}\n"),
      "read d.yaml:4: accept: belongs to feeds whose units are documents, or have companions");
  EXPECT_EQ(with("folder: \"{t}/\"", "gate: [{exists: \"{day}/_SUCCESS\"}]\n"),
            "read d.yaml:4: gate: the pattern \"{t}/\" has no capture {day}");
  EXPECT_EQ(error_of("about: x\nunit: {folder: \"{t}/\"}\nfiles: {list: /f, table: {capture: t}}\n"
                     "effect: append\n")
                .substr(0, 64),
            "read d.yaml:3: files.list: is no known key, allowed: match, tabl");
}

}  // namespace
}  // namespace forebay::test
