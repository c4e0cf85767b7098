// Aim: the parts of a description for units that are known by their documents are read as written,
// and what cannot mean anything is an error with its place.

#include "feed/run_rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "support/feeds.h"

namespace forebay {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string description(std::string_view unit, std::string_view rest) {
  return "about: x\nunit:\n  document: [m.json, \"m-{run}.json\"]\n" + std::string(unit) +
         "files:\n  list: /parts\n  path: {field: path, from: document}\n  table: /table\n" +
         std::string(rest) + "effect: append\n";
}

constexpr std::string_view kUnit =
    "  identity: [{capture: $folder}, /run]\n  order: [{of: /began, as: time}, /n]\n"
    "  stop: table\n  changed: files\n";

std::string error(std::string_view unit, std::string_view rest) {
  Result<Feed> feed = bind_feed("mine", description(unit, rest), "f.yaml", {});
  return feed ? "none" : describe(feed.error());
}

TEST(RunRule, IdentityAndOrderComeFromTheDocument) {
  const Feed feed = test::feed(description(kUnit, ""));
  ASSERT_EQ(feed.unit.run.identity.size(), 2U);
  EXPECT_EQ(feed.unit.run.identity[0].name, "$folder");
  ASSERT_EQ(feed.unit.run.order.size(), 2U);
  EXPECT_EQ(feed.unit.run.order[0].as, OrderPart::As::time);
  EXPECT_EQ(feed.unit.run.order[1].as, OrderPart::As::text);
  EXPECT_TRUE(feed.ordered());
  EXPECT_TRUE(feed.unit.grows);
  EXPECT_EQ(feed.unit.stop, StopScope::table);
}

TEST(RunRule, StatusWordsAreReadAndNoWordMeansTwoThings) {
  const Feed feed =
      test::feed(description(kUnit,
                             "  status: {field: s, load: [ok], retract: [old], skip: [aside]}\n"
                             "status: {by: /s, load: [good], wait: [runs], skip: [bad, worse]}\n"));
  EXPECT_THAT(feed.status->skip, ElementsAre("bad", "worse"));
  EXPECT_THAT(feed.files->status->retract, ElementsAre("old"));
  EXPECT_THAT(error(kUnit, "status: {by: /s, load: [good], skip: [good]}\n"),
              HasSubstr("names \"good\" a second time"));
}

TEST(RunRule, HashesHaveAKnownKindAndAForm) {
  const Feed feed = test::feed(
      description(kUnit, "  hash: {xxh3: {field: f, form: \"xxh3:{hex}\"}, md5: {field: m}}\n"));
  ASSERT_EQ(feed.files->hashes.size(), 2U);
  EXPECT_EQ(feed.files->hashes[0].kind, DigestKind::xxh3_64);
  EXPECT_EQ(feed.files->hashes[1].form, "{hex}");
  EXPECT_THAT(error(kUnit, "  hash: {crc: {field: f}}\n"), HasSubstr("xxh3"));
  EXPECT_THAT(error(kUnit, "  hash: {md5: {field: f, form: \"x\"}}\n"),
              HasSubstr("must have {hex} or {base64} once"));
}

TEST(RunRule, ChecksNamePathsAndFields) {
  const Feed feed = test::feed(description(
      kUnit, "check: {files: /n, rows: /rows, unique: [id], same: {/rows: /counted}}\n"));
  EXPECT_EQ(feed.agrees.files, "/n");
  EXPECT_THAT(feed.agrees.unique, ElementsAre("id"));
  EXPECT_EQ(feed.agrees.same[0].second, "/counted");
  EXPECT_THAT(error(kUnit, "check: {files: n}\n"), HasSubstr("must be a path in the document"));
  EXPECT_THAT(error(kUnit, "check: {count: /n}\n"), HasSubstr("count"));
}

TEST(RunRule, WhatNeedsAnIdentityOrAnOrderSaysSo) {
  EXPECT_THAT(error("", "status: {by: /s, load: [good]}\n"), HasSubstr("needs unit.identity"));
  EXPECT_THAT(error("  identity: [/run]\n", ""), HasSubstr("needs `order`"));
  EXPECT_THAT(error("  changed: files\n", ""), HasSubstr("needs `identity`"));
}

TEST(RunRule, AClearOfAPartNeedsTheValuesThatNameIt) {
  const auto effect = [](std::string_view text) {
    std::string yaml = description(kUnit, "");
    yaml.resize(yaml.find("effect:"));
    Result<Feed> feed = bind_feed("mine", yaml + std::string(text), "f.yaml", {});
    return feed ? std::string("none") : describe(feed.error());
  };
  EXPECT_EQ(effect("effect: {part: [/a, /b], clear: part, then: append}\n"), "none");
  EXPECT_THAT(effect("effect: {clear: part, then: append}\n"), HasSubstr("needs `effect.part`"));
}

std::string effect_error(const std::string& effect) {
  std::string text = description(kUnit, "");
  text.replace(text.find("effect: append"), 14, "effect: " + effect);
  Result<Feed> feed = bind_feed("mine", text, "f.yaml", {});
  return feed ? "none" : describe(feed.error());
}

TEST(RunRule, PiecesNeedAPartThatTheyReplaceTogether) {
  const std::string pieces = "pieces: {in: /w, by: column, above: lo, to: hi}";
  EXPECT_EQ(effect_error("{part: [/table], clear: part, then: append, " + pieces + "}"), "none");
  EXPECT_THAT(effect_error("{part: [/table], then: append, " + pieces + "}"),
              HasSubstr("needs `clear: part`"));
  EXPECT_THAT(effect_error("{part: [/table], clear: part, then: append, pieces: {in: /w}}"),
              HasSubstr("by"));
  EXPECT_THAT(effect_error("{part: [/table], clear: part, then: append, pieces: {in: w, by: c, "
                           "above: lo, to: hi}}"),
              HasSubstr("must be a path in the document"));
}

TEST(RunRule, JoinsNamePathsOfTheDocument) {
  EXPECT_EQ(effect_error("{then: append, joins: {from: /lo, to: /hi}}"), "none");
  EXPECT_THAT(effect_error("{then: append, joins: {from: /lo}}"), HasSubstr("to"));
  EXPECT_THAT(effect_error("{then: append, joins: {from: lo, to: /hi}}"),
              HasSubstr("must be a path in the document"));
}

TEST(RunRule, AcceptKnowsAbsent) {
  const Feed feed = test::feed(description(kUnit, "accept: {/v: [1, absent]}\n"));
  EXPECT_THAT(feed.accept[0].values, ElementsAre("1", "absent"));
}

}  // namespace
}  // namespace forebay
