// Aim: `rows`, `keep`, `columns` and `check` of a description mean what docs/FEEDS.md says, and
// what cannot be meant is refused with file, line and key. Method: descriptions of a few lines.
#include "feed/row_rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "feed/unit.h"
#include "support/feeds.h"

namespace forebay {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string files(const std::string& rest) {
  return "about: x\nunit: {file: \"{n:int}.parquet\"}\ntable: {text: t}\neffect: put\n" + rest;
}

std::string problem(const std::string& rest, const Options& options = {}) {
  const auto bound = bind_feed("x", files(rest), "x.yaml", options);
  if (bound) return "no problem";
  EXPECT_EQ(bound.error().code, ErrorCode::invalid_config);
  return describe(bound.error());
}

TEST(RowRule, TermsAreColumnsRanksAndValuesOfTheUnit) {
  const Feed feed = test::feed(
      files("rows: {key: [id], version: [v, {capture: n}], tie: [{rank: s, order: [A, B]}, b]}"));
  ASSERT_EQ(feed.rows.version.size(), 2U);
  EXPECT_EQ(feed.rows.version[0], (VersionTerm{.name = "v"}));
  EXPECT_EQ(feed.rows.version[1], (VersionTerm{.from = VersionTerm::From::capture, .name = "n"}));
  ASSERT_EQ(feed.rows.tie.size(), 2U);
  EXPECT_EQ(feed.rows.tie[0], (VersionTerm{.name = "s", .order = {"A", "B"}}));
  EXPECT_EQ(version_text(feed.rows), "v, n, then s (A < B), b");
}

TEST(RowRule, AValueOfADocumentIsReadByItsType) {
  const Feed feed = test::feed(
      "about: x\nunit: {document: \"{n:int}.json\"}\n"
      "files: {list: /files, path: {field: p, from: document}, table: {text: t}}\neffect: put\n"
      "rows: {key: [id], version: [{value: /at, as: time}, {value: /n, as: number}, /word]}");
  const UnitName unit = **name_unit(feed, "1.json");
  const auto version = [&](const std::string& fields) -> std::vector<std::string> {
    const auto content = read_document(feed, {}, unit, "{\"files\": [], " + fields + "}");
    if (content) return content->version;
    EXPECT_EQ(content.error().code, ErrorCode::refused);
    return {describe(content.error())};
  };
  const auto one =
      version(R"("at": "2026-01-01T00:00:00.5Z", "n": 18446744073709551615, "word": "a")");
  const auto two = version(R"("at": "2026-01-01T01:00:00+01:00", "n": 9, "word": "B")");
  ASSERT_EQ(one.size(), 3U);
  ASSERT_EQ(two.size(), 3U);
  EXPECT_GT(one[0], two[0]);
  EXPECT_GT(one[1], two[1]);
  EXPECT_GT(one[2], two[2]);
  EXPECT_THAT(version(R"("at": "soon", "n": 1, "word": "a")"),
              ElementsAre(HasSubstr("/at must be a time")));
  EXPECT_THAT(version(R"("at": "2026-01-01T00:00:00Z", "n": -1, "word": "a")"),
              ElementsAre(HasSubstr("/n must be a whole number")));
  EXPECT_THAT(version(R"("at": "2026-01-01T00:00:00Z", "n": 1)"),
              ElementsAre(HasSubstr("/word must be a text")));
}

TEST(RowRule, AColumnMayBeMissingOrJson) {
  const Feed feed = test::feed(
      files("rows: {key: [id], version: [{column: p, absent: lowest, json: [{/file: ending, /pos: "
            "number}, {/lsn: hex}]}, {column: s, as: number}]}"));
  ASSERT_EQ(feed.rows.version.size(), 2U);
  const VersionTerm& term = feed.rows.version[0];
  EXPECT_TRUE(term.may_lack);
  ASSERT_EQ(term.json.size(), 2U);
  EXPECT_EQ(term.json[0][0], (JsonPart{.as = JsonPart::As::ending, .path = "/file"}));
  EXPECT_EQ(feed.rows.version[1].as, VersionTerm::As::number);
  EXPECT_EQ(version_text(feed.rows), "p (/file /pos | /lsn), s");
  const auto wrong = [](const std::string& rest) {
    return problem("rows: {key: [id], version: [{column: p, " + rest + "}]}");
  };
  EXPECT_THAT(wrong("json: []"), HasSubstr("empty list"));
  EXPECT_THAT(wrong("json: [{/a: text, /b: number}]"), HasSubstr("nothing comes after a text"));
  EXPECT_THAT(wrong("json: [{a: text}]"), HasSubstr("under a path"));
  EXPECT_THAT(wrong("json: [{/a: octal}]"), HasSubstr("hex"));
  EXPECT_THAT(wrong("json: [{/a: hex}], as: number"), HasSubstr("no `as`"));
  EXPECT_THAT(wrong("absent: highest"), HasSubstr("lowest"));
}

TEST(RowRule, ADocumentMayNameTheColumnOfATerm) {
  const auto described = [](const std::string& term) {
    return "about: x\nunit: {document: m.json, order: [$key]}\nfiles:\n  list: /files\n  path: "
           "{field: path, from: source}\n  table: t\neffect: put\nrows: {key: [id], version: [" +
           term + "]}\n";
  };
  const Feed feed = test::feed(described("{column: {value: /cursor}, absent: lowest}"));
  const VersionTerm& term = feed.rows.version.front();
  EXPECT_EQ(term.named_by, "/cursor");
  EXPECT_TRUE(term.may_lack);
  EXPECT_EQ(version_text(feed.rows), "the column named by /cursor");
  const auto wrong = [&](const std::string& text) {
    const Result<Feed> bound = bind_feed("mine", described(text), "f.yaml", {});
    return bound ? "none" : describe(bound.error());
  };
  EXPECT_THAT(wrong("{column: {value: /cursor}}"), HasSubstr("absent"));
  EXPECT_THAT(wrong("{column: {value: cursor}, absent: lowest}"), HasSubstr("must be a path"));
  EXPECT_THAT(wrong("{column: {value: /cursor}, absent: lowest, as: number}"), HasSubstr("as"));
  EXPECT_THAT(problem("rows: {key: [id], version: [{column: {value: /cursor}, absent: lowest}]}"),
              HasSubstr("there is no document here"));
}

TEST(RowRule, OneValueMayStandInJsonAndBePerTable) {
  const Feed feed =
      test::feed(files("rows: {key: [id], version: [v]}\n"
                       "check: {one_value: [t, {column: p, path: /u, per: table}]}"));
  ASSERT_EQ(feed.check.one_value.size(), 2U);
  EXPECT_EQ(feed.check.one_value[1].path, "/u");
  EXPECT_TRUE(feed.check.one_value[1].per_table);
  EXPECT_THAT(problem("rows: {key: [id], version: [v]}\ncheck: {one_value: [t, t]}"),
              HasSubstr("twice"));
}

TEST(RowRule, ColumnsAreNamedByPatterns) {
  const ColumnRule rule{.uuid_text = {"id", "*_id", "a*b*"}, .except = {"external_id"}};
  for (const char* name : {"id", "x_id", "_id", "ab", "axbx"})
    EXPECT_TRUE(rule.is_uuid_text(name)) << name;
  for (const char* name : {"ID", "idx", "external_id", "b", "ba"})
    EXPECT_FALSE(rule.is_uuid_text(name)) << name;
}

TEST(RowRule, WhatCannotBeMeantIsRefused) {
  EXPECT_THAT(problem("rows: {key: [id]}"), HasSubstr("x.yaml:5: rows.key: "));
  EXPECT_THAT(problem("rows: {key: [id], versoin: [v]}"), HasSubstr("version"));
  EXPECT_THAT(problem("rows: {key: [id], tie: [v]}"), HasSubstr("rows.tie"));
  EXPECT_THAT(problem("rows: {key: [id], version: [v, v]}"), HasSubstr("twice"));
  EXPECT_THAT(problem("rows: {key: [id], version: [/at]}"), HasSubstr("there is no document"));
  EXPECT_THAT(problem("rows: {key: [id], version: [{capture: m}]}"), HasSubstr("{m}"));
  EXPECT_THAT(problem("rows: {key: [id], version: [{rank: s}]}"), HasSubstr("order"));
  EXPECT_THAT(problem("rows: {key: [id], version: [{rank: s, order: [A, A]}]}"),
              HasSubstr("names \"A\" twice"));
  EXPECT_THAT(problem("rows: {key: [id], version: [v], conflict: first}"), HasSubstr("no say"));
  EXPECT_THAT(problem("rows: {key: [id], conflict: last}"), HasSubstr("newest"));
  EXPECT_THAT(problem("rows: {key: [id], version: [v], delete: {}}"), HasSubstr("operation"));
  EXPECT_THAT(
      problem("rows: {key: [id], version: [v], delete: {operation: o, is: [D], others: [D, I]}}"),
      HasSubstr("stands in two lists"));
  EXPECT_THAT(problem("rows: {key: [id], version: [v]}\nkeep: all"), HasSubstr("both"));
  EXPECT_THAT(problem("rows: {key: [id], version: [v]}\ncolumns: {drop: [id]}"),
              HasSubstr("is a key column"));
  EXPECT_THAT(problem("rows: {key: [id], version: [v]}\ncheck: {consecutive: [w]}"),
              HasSubstr("\"w\" is no column of rows.version"));
  EXPECT_THAT(
      problem("rows: {key: [id], version: [v]}\nkeep: both\noptions: {on_rewrite: replace}"),
      HasSubstr("x.yaml:6: keep: "));
  EXPECT_THAT(problem("rows: {key: {option: primary_key}}\nkeep: both"), HasSubstr("no key"));
}

TEST(RowRule, KeepIsAnOptionOfEveryFeed) {
  const std::string rows = "rows: {key: [id], version: [v]}\n";
  EXPECT_FALSE(test::feed(files(rows)).keeps_history());
  EXPECT_TRUE(test::feed(files(rows), test::options({{"keep", "both"}})).keeps_history());
  EXPECT_FALSE(test::feed(files(rows + "keep: both\n"), test::options({{"keep", "current"}}))
                   .keeps_history());
  EXPECT_THAT(problem(rows, test::options({{"keep", "al"}})), HasSubstr("forebay.yaml:10"));
}

}  // namespace
}  // namespace forebay
