#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "support/described_feed.h"

// Aim: points of FEEDS, section 1, that no feed among the other described ones shows: scopes that
// are partitions, effects that a pattern chooses, pointers, keys that a pipeline gives for each
// table, tables named from several places.
namespace forebay::test {
namespace {

// Altrata: whole files and daily ones, which alone have an operation.
TEST_F(DescribedFeed, APatternMayChooseTheEffectAndAllHaveOneOrder) {
  describe_by(R"(about: Whole files and daily changes
unit:
  file: ["{pack}/full/{day:%Y-%m-%d}/{entity}.csv", "{pack}/daily/{day:%Y-%m-%d}/{kind:short}-{entity}.csv"]
  order: [day]
table: "{pack}_{entity}"
effect:
  by: {first: [{capture: kind}, {text: whole}]}
  when:
    whole: {clear: table, then: append}
    changes: put
rows:
  key: [id]
  delete: {operation: bit, is: [D], others: [C, U], absent: put}
columns: {drop: [bit]}
)");
  put("people/daily/2026-10-19/changes-names.csv", "bit,id,n\nC,1,0\nC,5,0\n");
  put("people/full/2026-10-20/names.csv", "id,n\n1,1\n2,1\n");
  put("people/daily/2026-10-21/changes-names.csv", "bit,id,n\nD,1,\nU,2,2\n");
  load();
  EXPECT_EQ(rows("people_names"), (Lines{"2|2"}));
  put("people/daily/2026-10-18/changes-names.csv", "bit,id,n\nC,9,9\n");  // late
  load();
  EXPECT_EQ(rows("people_names"), (Lines{"2|2"}));
  put("people/daily/2026-10-22/other-names.csv", "bit,id,n\nC,9,9\n");
  load(5);
}

TEST_F(DescribedFeed, TheScopeOfAStopMayBeAPartition) {
  describe_by(R"(about: Partitions of topics
unit:
  file: "{topic}/{partition:int}/{offset:int}.csv"
  order: [offset]
  stop: [topic, partition]
table: {capture: topic}
effect: append
)");
  put("orders/0/1.csv", "n\n1\n");
  put("orders/0/2.csv", "n\n\"2\n");  // a quote that stays open
  put("orders/0/3.csv", "n\n3\n");
  put("orders/1/2.csv", "n\n12\n");
  put("orders/1/4.csv", "n\n14\n");
  load(3);
  EXPECT_EQ(rows("orders"), (Lines{"1", "12", "14"}));
  put("orders/0/2.csv", "n\n2\n");
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1", "2", "3", "12", "14"}));
}

TEST_F(DescribedFeed, EachVersionOfAPointerIsAUnit) {
  describe_by(R"(about: One object that is written again for each state of a table
unit:
  document: "{table}/current.json"
  identity: [{capture: $key}, {document: hash}]
  order: [{of: /generation, as: number}]
files:
  list: /files
  path: {from: document}
  table: {capture: table}
effect: {clear: table, then: append}
)");
  const auto point = [&](int generation, const std::string& file) {
    put("t/current.json",
        fmt::format(R"({{"generation": {}, "files": ["{}"]}})", generation, file));
  };
  put("t/a.csv", "n\n1\n");
  put("t/b.csv", "n\n2\n");
  point(1, "a.csv");
  load();
  point(2, "b.csv");
  load();
  EXPECT_EQ(rows("t"), (Lines{"2"}));
  EXPECT_EQ(query("SELECT count(*) FROM _forebay.units WHERE state = 'applied'"), (Lines{"2"}));
}

TEST_F(DescribedFeed, APipelineMayGiveEachTableAKey) {
  describe_by(R"(about: Changes of tables
unit: {file: "{table}/{n:int}.csv", order: [n]}
table: {capture: table}
effect: put
rows:
  key: {option: primary_key}
  delete: {operation: op, is: [d], others: [c, u], insert: [c]}
columns: {drop: [op]}
)");
  const auto list = [](std::vector<std::string> names) {
    return OptionValue{.values = std::move(names), .is_list = true, .where = "forebay.yaml:7"};
  };
  settings_.more["primary_key"] = {
      .where = "forebay.yaml:6",
      .is_map = true,
      .fields = {{"orders", list({"id"})}, {"lines", list({"order_id", "line"})}}};
  put("orders/1.csv", "op,id,n\nc,1,1\nc,2,1\nu,1,2\n");
  put("lines/2.csv", "op,order_id,line,n\nc,1,1,5\nc,1,2,6\nd,1,1,\n");
  put("log/3.csv", "op,n\nc,1\nc,1\n");
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1|2", "2|1"}));
  EXPECT_EQ(rows("lines"), (Lines{"1|2|6"}));
  EXPECT_EQ(rows("log"), (Lines{"1", "1"}));
  put("log/4.csv", "op,n\nu,1\n");
  const CycleReport report = load(5);
  EXPECT_NE(text(report).find("a row without a key cannot be updated or deleted"),
            std::string::npos)
      << text(report);
}

// As many rows as before, none of which comes in any more: that is other content.
TEST_F(DescribedFeed, ContentOfWhichNothingComesInIsNotTheSameRows) {
  describe_by(R"(about: A log
unit: {file: "{name}.csv"}
table: {text: log}
effect: put
rows:
  key: {option: primary_key}
  delete: {operation: op, is: [d], others: [c], insert: [c], skip: [b]}
columns: {drop: [op]}
)");
  set("on_rewrite", "replace");
  put("a.csv", "op,n\nc,1\nb,2\n");
  load();
  EXPECT_EQ(rows("log"), (Lines{"1"}));
  put("a.csv", "op,n\nb,2\nc,1\n");
  EXPECT_EQ(load().units.applied, 0U) << "another order, the same row";
  put("a.csv", "op,n\nb,1\nb,2\n");
  EXPECT_EQ(load().units.applied, 1U);
  EXPECT_EQ(rows("log"), Lines{});
}

TEST_F(DescribedFeed, ATableMayBeNamedFromSeveralPlaces) {
  describe_by(R"(about: Manifests of a database
unit: {document: "{region}/{n:int}.json", order: [n]}
files:
  list: /files
  path: {field: path, from: document}
  table: {join: ["{region}", {first: [/schema, {text: public}]}, name], with: "_"}
effect: append
)");
  put("eu/a.csv", "n\n1\n");
  put("eu/1.json", R"({"schema": "shop", "files": [{"path": "a.csv", "name": "orders"}]})");
  put("eu/2.json", R"({"files": [{"path": "a.csv", "name": "items"}]})");
  load();
  EXPECT_EQ(tables(), (Lines{"eu_public_items", "eu_shop_orders"}));
}

// The rows' time stands in a companion, beyond what a double tells apart.
TEST_F(DescribedFeed, AVersionMayStandInACompanion) {
  describe_by(R"(about: Files with receipts
unit: {file: "{name}.csv"}
with: {receipt: "{name}.json"}
table: {receipt: /table}
effect: put
rows: {key: [id], version: [{value: {receipt: /lsn}, as: number}]}
)");
  const auto file = [&](const std::string& name, const std::string& lsn, int n) {
    put(name + ".csv", fmt::format("id,n\n1,{}\n", n));
    put(name + ".json", fmt::format(R"({{"table": "t", "lsn": {}}})", lsn));
  };
  file("a", "9007199254740993", 2);
  load();
  file("b", "9007199254740992", 1);
  load();
  EXPECT_EQ(rows("t"), (Lines{"1|2"}));
  file("c", "9007199254740994", 3);
  load();
  EXPECT_EQ(rows("t"), (Lines{"1|3"}));
}

}  // namespace
}  // namespace forebay::test
