#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "support/described_feed.h"

// Aim: manifests whose lists are the members of an object: a list a table, or a list an effect.
// Method: descriptions of such feeds, and documents that break them.
namespace forebay::test {
namespace {

using ::testing::HasSubstr;

TEST_F(DescribedFeed, EachMemberOfAnObjectIsTheListOfATable) {
  describe_by(R"(about: Exports whose manifest has a list of files for each table
unit: {document: "{n:int}/manifest.json", order: [n]}
files:
  list: {members: /tables}
  path: {from: document}
  table: {above: name}
effect: {clear: table, then: append}
)");
  put("1/o.csv", "n\n1\n");
  put("1/i.csv", "n\n11\n");
  put("1/manifest.json", R"({"tables": {"orders": ["o.csv"], "items": ["i.csv"]}})");
  load();
  put("2/o.csv", "n\n2\n");
  put("2/manifest.json", R"({"tables": {"orders": ["o.csv"]}})");
  load();
  EXPECT_EQ(rows("orders"), (Lines{"2"}));
  EXPECT_EQ(rows("items"), (Lines{"11"}));
  // A table that becomes its files and has none would quietly stay as it is.
  put("3/manifest.json", R"({"tables": {"orders": []}})");
  EXPECT_THAT(text(load(5)), HasSubstr("table orders becomes what its files bring"));
}

TEST_F(DescribedFeed, OneListPutsAndTheOtherDeletes) {
  describe_by(R"(about: Deliveries with a list of changes and a list of keys that are gone
unit: {document: "{n:int}.json", order: [n]}
files:
  list: {members: /, named: [upserts, deletes]}
  path: {field: path, from: source}
  table: {text: users}
  rows: rows
rows: {key: [id]}
effect: {by: {above: name}, when: {upserts: put, deletes: delete}}
)");
  put("u1.csv", "id,name\n1,a\n2,b\n");
  put("1.json", R"({"at": "x", "upserts": [{"path": "u1.csv", "rows": 2}]})");
  load();
  put("u2.csv", "id,name\n3,c\n");
  put("d2.csv", "id\n1\n");
  put("2.json", R"({"upserts": [{"path": "u2.csv", "rows": 1}],
                    "deletes": [{"path": "d2.csv", "rows": 1}]})");
  load();
  EXPECT_EQ(rows("users"), (Lines{"2|b", "3|c"}));
  put("d3.csv", "id\n2\n");
  put("3.json", R"({"upserts": [], "deletes": {"path": "d3.csv", "rows": 1}})");
  load();
  EXPECT_EQ(rows("users"), (Lines{"3|c"}));
}

TEST_F(DescribedFeed, MembersThatAreNoListsRefuseTheDocument) {
  describe_by(R"(about: x
unit: {document: "{n:int}.json", order: [n]}
files: {list: {members: /tables}, path: {from: source}, table: {above: name}}
effect: append
)");
  put("1.json", R"({"tables": {"orders": 1}})");
  EXPECT_THAT(text(load(3)), HasSubstr("/tables/orders must be an array"));
  put("1.json", R"({"tables": ["a.csv"]})");
  EXPECT_THAT(text(load(3)), HasSubstr("/tables must be an object"));
}

TEST_F(DescribedFeed, MembersOfTheWholeDocumentMustBeNamed) {
  const auto with = [&](const std::string& list) {
    return error_of("about: x\nunit: {document: \"*.json\"}\nfiles: {list: " + list +
                    ", path: {from: source}, table: {above: name}}\neffect: append\n");
  };
  EXPECT_THAT(with("{members: /}"), HasSubstr("needs `named`"));
  EXPECT_THAT(with("{members: tables}"), HasSubstr("must be a path in the document"));
  EXPECT_THAT(with("{member: /t}"), HasSubstr("did you mean members"));
}

}  // namespace
}  // namespace forebay::test
