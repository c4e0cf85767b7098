// Aim: what an option chooses, which units a pipeline picks and what it says of single tables are
// read as docs/FEEDS.md says, and what cannot be meant is refused with file, line and key.
#include "feed/select_rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/feeds.h"

namespace forebay {
namespace {

using ::testing::HasSubstr;

constexpr const char* kFeed = R"(about: x
unit: {document: m.json, identity: [/id], order: [/n]}
files: {list: /parts, path: {field: path, from: document}, table: /table}
select: {export: /export}
effect:
  part: [/export]
  by: {option: mode}
  when:
    keys: {then: put, key: needed}
    all: append
rows:
  by: {option: mode}
  when:
    keys: {key: {option: primary_key}}
    all: {}
)";

OptionValue map(std::vector<std::pair<std::string, OptionValue>> fields) {
  return {.where = "forebay.yaml:8", .is_map = true, .fields = std::move(fields)};
}
OptionValue text(const std::string& value) {
  return {.values = {value}, .where = "forebay.yaml:9"};
}

std::string problem(const Options& options) {
  const auto bound = bind_feed("x", kFeed, "x.yaml", options);
  return bound ? "no problem" : describe(bound.error());
}

TEST(SelectRule, AnOptionChoosesEffectAndRows) {
  const Feed keys = test::feed(kFeed, test::options({{"mode", "keys"}, {"primary_key", "id"}}));
  EXPECT_TRUE(keys.effect.fixed.put);
  EXPECT_EQ(keys.effect.word, "keys");
  EXPECT_EQ(keys.rows.key, std::vector<std::string>{"id"});
  const Feed all = test::feed(kFeed, test::options({{"mode", "all"}, {"primary_key", "id"}}));
  EXPECT_FALSE(all.effect.fixed.put);
  EXPECT_TRUE(all.rows.key.empty()) << "what was not chosen has no say";
  EXPECT_NE(keys.digest, all.digest);
}

TEST(SelectRule, AWordThatIsNoChoiceIsShown) {
  EXPECT_THAT(problem(test::options({{"mode", "some"}})), HasSubstr("allowed: keys, all"));
  EXPECT_THAT(problem({}), HasSubstr("mode"));
}

TEST(SelectRule, TablesHaveTheirOwnRulesAndUnits) {
  Options options = test::options({{"mode", "all"}, {"export", "a"}});
  options["tables"] = map({{"t", map({{"mode", text("keys")}, {"primary_key", text("id")}})},
                           {"old", map({{"export", text("b")}})}});
  const Feed feed = test::feed(kFeed, options);
  EXPECT_EQ(feed.select.wanted.at("export"), "a");
  ASSERT_EQ(feed.select.tables.size(), 2U);
  EXPECT_EQ(feed.select.tables[1].match.at("export"), "b");
  EXPECT_TRUE(feed.of("t").effect.fixed.put);
  EXPECT_FALSE(feed.of("old").effect.fixed.put);
  EXPECT_EQ(&feed.of("other"), &feed);
}

TEST(SelectRule, WhatCannotBeMeantIsRefused) {
  Options options = test::options({{"mode", "all"}});
  options["tables"] = text("t");
  EXPECT_THAT(problem(options), HasSubstr("forebay.yaml:9: tables: takes a mapping"));
  options["tables"] = map({{"t", text("x")}});
  EXPECT_THAT(problem(options), HasSubstr("tables.t: takes a mapping"));
  options["tables"] = map({{"t", map({{"exprot", text("x")}})}});
  EXPECT_THAT(problem(options), HasSubstr("forebay.yaml:9: exprot"));
  options["tables"] = map({{"t", map({{"tables", map({{"u", text("x")}})}})}});
  EXPECT_THAT(problem(options), HasSubstr("no tables below"));
}

}  // namespace
}  // namespace forebay
