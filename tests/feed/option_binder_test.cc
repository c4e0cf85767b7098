// Aim: what a pipeline gives lands where the description asks for it, and nothing else is taken.

#include "feed/option_binder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/feeds.h"

namespace forebay {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string files_error(const Options& options) {
  Result<Feed> feed = bind_feed("files", *find_builtin_feed("files"), "files.yaml", options);
  if (feed) return "none";
  EXPECT_EQ(feed.error().code, ErrorCode::invalid_config);
  return describe(feed.error()).substr(5);
}

YamlValue value(std::string_view yaml) { return *YamlValue::parse(yaml, "f.yaml")->need("k"); }

TEST(OptionBinder, TakesTheOptionElseItsDefaultElseNothing) {
  Options given = test::options({{"a", "x"}});
  OptionBinder binder("mine", &given);
  EXPECT_EQ((*binder.texts(value("k: {option: a, default: y}")))[0].text, "x");
  EXPECT_EQ((*binder.texts(value("k: {option: b, default: [y, z]}")))[1].text, "z");
  EXPECT_THAT(*binder.texts(value("k: {option: c}")), IsEmpty());
  EXPECT_EQ(binder.text(value("k: {option: b, default: y}"))->text, "y");
  EXPECT_EQ(binder.text(value("k: y"))->text, "y");
  EXPECT_THAT(binder.known(), ElementsAre("a", "b", "c"));
  EXPECT_TRUE(binder.check_all_known());
}

TEST(OptionBinder, BlamesThePlaceThatTheValueCameFrom) {
  Options given = test::options({{"a", "x"}});
  OptionBinder binder("mine", &given);
  EXPECT_EQ(binder.text(value("k: {option: a}"))->place.where, "forebay.yaml:10");
  EXPECT_EQ(binder.text(value("k: {option: b, default: y}"))->place.where, "f.yaml:1");
}

TEST(OptionBinder, AnOptionThatIsNeededIsMissed) {
  EXPECT_EQ(files_error({}),
            "the options of feed files: table: is missing, this feed needs it"
            "\n  hint: say `table:` beside `feed:`, or --set table=VALUE on the command line");
}

TEST(OptionBinder, AnUnknownOptionComesWithTheNearest) {
  EXPECT_EQ(
      files_error(test::options({{"table", "t"}, {"primry_key", "id"}})),
      "forebay.yaml:11: primry_key: is no option of the feed files, allowed: adopt, "
      "audit_every, columns, compression, dedup, delimiter, encoding, escape, exclude, "
      "exclude_columns, format, header, include, include_columns, keep, kept, lookback, margin, "
      "max_future, metadata, null_text, on_rewrite, "
      "on_schema_change, partition, partition_columns, pattern, primary_key, quote, rename, "
      "settle, "
      "stale_after, start, table, values, version, window\n  hint: did you mean primary_key?");
}

TEST(OptionBinder, ValuesHaveTheirShape) {
  EXPECT_EQ(files_error({{"table", {.values = {"a", "b"}, .is_list = true, .where = "c.yaml:3"}}}),
            "c.yaml:3: table: takes one value, not a list");
  EXPECT_EQ(files_error({{"table", {.values = {""}, .where = "c.yaml:3"}}}),
            "c.yaml:3: table: must not be empty");
  EXPECT_EQ(files_error({{"table", {.values = {"t"}}},
                         {"pattern", {.values = {}, .is_list = true, .where = "c.yaml:4"}}}),
            "c.yaml:4: pattern: must not be an empty list");
  EXPECT_EQ(
      files_error({{"table", {.values = {"t"}}},
                   {"pattern", {.values = {"a", "a"}, .is_list = true, .where = "c.yaml:4"}}}),
      "c.yaml:4: pattern: names \"a\" twice");
}

TEST(OptionBinder, AMappingComesInItsOrder) {
  Options given = {{"values",
                    {.where = "c.yaml:3",
                     .is_map = true,
                     .fields = {{"region", {.values = {"us", "eu"}, .where = "c.yaml:4"}},
                                {"kind", {.values = {"x"}, .where = "c.yaml:5"}}}}}};
  OptionBinder binder("mine", &given);
  const auto map = binder.common_map("values");
  ASSERT_TRUE(map && *map);
  ASSERT_EQ((*map)->size(), 2u);
  EXPECT_EQ((**map)[0].first, "region");
  EXPECT_EQ((**map)[0].second[1].text, "eu");
  EXPECT_EQ((**map)[1].second[0].place.where, "c.yaml:5");
  EXPECT_TRUE(binder.check_all_known());
  EXPECT_FALSE(binder.common("values")) << "where one value is needed";
  given["values"] = {.values = {"x"}, .where = "c.yaml:3"};
  EXPECT_FALSE(binder.common_map("values")) << "and the other way round";
}

TEST(OptionBinder, AWrongPatternIsBlamedOnThePipeline) {
  Options options = test::options({{"pattern", "data-?.parquet"}, {"table", "t"}});
  EXPECT_EQ(files_error(options),
            "forebay.yaml:10: pattern: the pattern \"data-?.parquet\" uses ?, which has no meaning "
            "yet (at character 9)\n  hint: use * for any text within a segment, or give a list of "
            "patterns");
}

}  // namespace
}  // namespace forebay
