#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "support/described_feed.h"

// Aim: a description says that numbers follow each other without a gap (FEEDS, section 1: gapless),
// and what a file beside the data says of it, as in examples/fabric_mirroring.yaml.
namespace forebay::test {
namespace {

class Mirroring : public DescribedFeed {
 protected:
  Mirroring() { describe_as_in("fabric_mirroring"); }
  void number(const std::string& table, int n, const std::string& content) {
    put(fmt::format("shop.schema/{}/{:020}.csv", table, n), content);
  }
  void keys(const std::string& table, const std::string& list) {
    put("shop.schema/" + table + "/_metadata.json",
        R"({"keyColumns": )" + list + R"(, "fileFormatTypeProperties": {"columnSeparator": ";"}})");
  }
};

TEST_F(Mirroring, WhatComesAfterAGapWaitsAndNamesTheMissingNumber) {
  keys("orders", R"(["id"])");
  number("orders", 1, "id;n\n1;10\n2;20\n");
  number("orders", 3, "id;n;__rowMarker__\n2;;2\n1;12;1\n");
  number("orders", 4, "id;n;__rowMarker__\n9;90;0\n");
  load();
  EXPECT_EQ(rows("shop_orders"), (Lines{"1|10", "2|20"}));
  EXPECT_EQ(waiting(),
            (Lines{"shop.schema/orders/00000000000000000003.csv: number 2 is missing before it",
                   "shop.schema/orders/00000000000000000004.csv: number 2 is missing before it"}));
  number("orders", 2, "id;n;__rowMarker__\n1;11;1\n3;30;4\n");
  load();
  EXPECT_EQ(rows("shop_orders"), (Lines{"1|12", "3|30", "9|90"}));
}

TEST_F(Mirroring, AGapHoldsBackItsOwnTableAlone) {
  keys("orders", R"(["id"])");
  keys("items", R"(["order_id", "line"])");
  number("orders", 2, "id;n\n1;10\n");
  number("items", 1, "order_id;line;n\n1;1;5\n1;2;6\n");
  number("items", 2, "order_id;line;n;__rowMarker__\n1;2;;2\n");
  load();
  EXPECT_EQ(tables(), (Lines{"shop_items"}));
  EXPECT_EQ(rows("shop_items"), (Lines{"1|1|5"}));
}

TEST_F(Mirroring, AFileThatWasLoadedAndRemovedIsNoGap) {
  keys("orders", R"(["id"])");
  number("orders", 1, "id;n\n1;10\n");
  number("orders", 2, "id;n\n2;20\n");
  load();
  remove("shop.schema/orders/00000000000000000001.csv");
  remove("shop.schema/orders/00000000000000000002.csv");
  number("orders", 4, "id;n\n4;40\n");
  load();
  EXPECT_EQ(rows("shop_orders"), (Lines{"1|10", "2|20"}));
  number("orders", 3, "id;n\n3;30\n");
  load();
  EXPECT_EQ(rows("shop_orders"), (Lines{"1|10", "2|20", "3|30", "4|40"}));
}

TEST_F(Mirroring, WithoutItsMetadataATableWaits) {
  number("orders", 1, "id;n\n1;10\n");
  load();
  EXPECT_EQ(tables(), Lines());
  EXPECT_EQ(waiting(), (Lines{"shop.schema/orders/00000000000000000001.csv: "
                              "shop.schema/orders/_metadata.json is not there yet"}));
  keys("orders", R"(["id"])");
  load();
  EXPECT_EQ(rows("shop_orders"), (Lines{"1|10"}));
}

TEST_F(Mirroring, ATableWithoutAKeyAppendsAndRefusesUpdatesAndDeletes) {
  keys("log", "[]");
  number("log", 1, "what\na\na\n");
  number("log", 2, "what;__rowMarker__\na;0\n");
  load();
  EXPECT_EQ(rows("shop_log"), (Lines{"a", "a", "a"}));
  number("log", 3, "what;__rowMarker__\nb;0\na;2\n");
  load(5);
  EXPECT_EQ(rows("shop_log"), (Lines{"a", "a", "a"}));
}

TEST_F(Mirroring, AKeyThatChangesUnderRowsThatStandIsRefused) {
  keys("orders", R"(["id"])");
  number("orders", 1, "id;n\n1;10\n");
  load();
  keys("orders", R"(["id", "n"])");
  load();  // nothing new: the companion of what was loaded is no unit
  number("orders", 2, "id;n\n1;11\n");
  const CycleReport report = load(5);
  EXPECT_NE(text(report).find("the key of table main.shop_orders is (id, n)"), std::string::npos)
      << text(report);
  EXPECT_EQ(rows("shop_orders"), (Lines{"1|10"}));
}

// Files of one producer whose numbers begin anywhere: what was there first is the beginning.
TEST_F(DescribedFeed, WithoutAFirstNumberTheLowestThatIsSeenIsTheBeginning) {
  describe_by(R"(about: Numbered files
unit: {file: "{name}.{n:int}.csv", order: [n], gapless: n}
table: {capture: name}
effect: append
)");
  put("clicks.9.csv", "a\n9\n");
  put("clicks.10.csv", "a\n10\n");
  put("clicks.12.csv", "a\n12\n");
  load();
  EXPECT_EQ(rows("clicks"), (Lines{"9", "10"}));
  put("clicks.8.csv", "a\n8\n");  // older than the beginning, and still a file
  put("clicks.11.csv", "a\n11\n");
  load();
  EXPECT_EQ(rows("clicks"), (Lines{"8", "9", "10", "11", "12"}));
}

TEST_F(DescribedFeed, ANumberThatWillNeverComeIsPassedByTheNextOne) {
  const auto describe = [&](const std::string& gapless) {
    describe_by("about: x\nunit: {file: \"{n:int}.csv\", order: [n], gapless: " + gapless +
                "}\ntable: {text: t}\neffect: append\n");
  };
  describe("n");
  put("1.csv", "n\n1\n");
  load();
  put("3.csv", "n\n3\n");
  put("5.csv", "n\n5\n");
  load();
  EXPECT_EQ(rows("t"), (Lines{"1"}));
  describe("{of: n, from: 3}");
  load();
  EXPECT_EQ(rows("t"), (Lines{"1", "3"}));
}

TEST_F(DescribedFeed, GaplessNeedsANumberThatTheOrderHas) {
  const auto with = [&](const std::string& unit) {
    return error_of("about: x\nunit: {file: \"{t}/{n}-{m:int}.csv\", " + unit +
                    "}\ntable: {capture: t}\neffect: append\n");
  };
  EXPECT_EQ(with("order: [n], gapless: n"),
            "read d.yaml:2: unit.gapless: must be captured as a number, {n:int}, by "
            "\"{t}/{n}-{m:int}.csv\"");
  EXPECT_EQ(with("order: [n], gapless: m"),
            "read d.yaml:2: unit.gapless: needs `order` with m in it");
  EXPECT_EQ(with("gapless: {of: mm}"),
            "read d.yaml:2: unit.gapless.of: \"mm\" is not known, allowed: $file, $folder, $key, "
            "$stem, t, n, m\n  hint: did you mean m?");
  EXPECT_EQ(with("order: [m], gapless: {of: m, from: first}"),
            "read d.yaml:2: unit.gapless.from: \"first\" must be a whole number, 0 or more");
  EXPECT_EQ(with("order: [m], stop: [x]"),
            "read d.yaml:2: unit.stop: \"x\" is not known, allowed: $file, $folder, $key, $stem, "
            "t, n, m\n  hint: did you mean t?");
}

}  // namespace
}  // namespace forebay::test
