// Aim: the keys that say what is listed are read from description and pipeline, and each mistake is
// answered with its place and what is allowed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "feed/unit.h"
#include "support/feeds.h"

namespace forebay {
namespace {

using std::chrono::days;
using std::chrono::hours;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

constexpr std::string_view kFiles = R"(about: a test
unit: {file: "**/*.pq"}
table: {text: t}
effect: append
options: {partition: "dt={d:%Y-%m-%d}/", window: 3d}
)";

std::string error(const Options& options, std::string_view yaml = {}) {
  const std::string_view text = yaml.empty() ? *find_builtin_feed("files") : yaml;
  Result<Feed> feed = bind_feed("mine", text, "f.yaml", options);
  return feed ? "none" : describe(feed.error()).substr(5);
}

Options with(std::initializer_list<std::pair<std::string, std::string>> given) {
  Options options = test::options(given);
  options["table"] = {.values = {"t"}, .where = "forebay.yaml:5"};
  return options;
}

TEST(ListingReader, APartitionComesFromTheDescriptionOrThePipeline) {
  Feed feed = test::feed(kFiles);
  ASSERT_TRUE(feed.listing.partition);
  EXPECT_EQ(feed.listing.partition->window, Duration(days(3)));
  EXPECT_EQ(feed.listing.partition->margin, Duration(days(1)));
  EXPECT_EQ(feed.listing.partition->start, PartitionRule::Start::all);
  feed = test::feed(kFiles, test::options({{"partition", "{h:%Y/%m/%d/%H}/"},
                                           {"window", "6h"},
                                           {"margin", "2h"},
                                           {"start", "2026-10-20"}}));
  EXPECT_EQ(feed.listing.partition->capture, "h");
  EXPECT_EQ(feed.listing.partition->window, Duration(hours(6)));
  EXPECT_EQ(feed.listing.partition->start, PartitionRule::Start::date);
  EXPECT_EQ(feed.listing.partition->date,
            Time(std::chrono::sys_days{std::chrono::year(2026) / 10 / 20}));
}

TEST(ListingReader, ItsTimeIsTheTimeOfTheUnit) {
  const Feed feed = test::feed(kFiles);
  const auto unit = name_unit(feed, "dt=2026-10-20/x.pq");
  ASSERT_TRUE(unit && *unit);
  EXPECT_EQ((*unit)->name_time, Time(std::chrono::sys_days{std::chrono::year(2026) / 10 / 20}));
  for (const char* key :
       {"dt=2026-13-20/x.pq", "x.pq", "a/dt=2026-10-20/x.pq", "dt=2026-10-20.pq"}) {
    const auto none = name_unit(feed, key);
    ASSERT_TRUE(none) << key;
    EXPECT_FALSE(*none) << key;
  }
}

TEST(ListingReader, EachMistakeIsNamedWithItsPlace) {
  EXPECT_EQ(
      error(with({{"partition", "region={region}/dt={d:%Y}/"}})),
      "forebay.yaml:10: partition: \"region={region}/dt={d:%Y}/\": {region} stands before the "
      "time\n  hint: say which there are: values: {region: [first, second]}");
  EXPECT_THAT(error(with({{"partition", "dt=/"}})), HasSubstr("names no time"));
  EXPECT_THAT(error(with({{"partition", "dt={d:%Y/"}})), HasSubstr("forebay.yaml:10: partition"));
  EXPECT_THAT(error(with({{"window", "2d"}})),
              HasSubstr("window: means nothing without partition"));
  EXPECT_THAT(error(with({{"partition", "{d:%Y}/"}, {"window", "two"}})),
              HasSubstr("forebay.yaml:11: window: \"two\" is no duration"));
  EXPECT_THAT(error(with({{"partition", "{d:%Y}/"}, {"start", "soon"}})),
              HasSubstr("allowed: all, window, or a date such as 2026-10-20"));
  EXPECT_THAT(error(with({{"partition", "{d:%Y}/"}, {"lookback", "1d"}})), HasSubstr("margin"));
  EXPECT_THAT(error(with({{"include", "a[b]"}})), HasSubstr("forebay.yaml:10: include"));
  Options options = with({{"partition", "{r}/{d:%Y}/"}});
  options["values"] = {.where = "c.yaml:3",
                       .is_map = true,
                       .fields = {{"r", {.values = {"a/b"}, .where = "c.yaml:4"}}}};
  EXPECT_THAT(error(options), HasSubstr("c.yaml:4: values.r: a value may not contain a slash"));
  options = with({});
  options["values"] = {.where = "c.yaml:3",
                       .is_map = true,
                       .fields = {{"r", {.values = {"a"}, .where = "c.yaml:4"}}}};
  EXPECT_THAT(error(options), HasSubstr("means nothing without partition"));
}

TEST(ListingReader, AnOrderedFeedHasNoPartition) {
  EXPECT_THAT(error(test::options({{"partition", "{d:%Y}/"}}), *find_builtin_feed("rollerup")),
              HasSubstr("partition: is no option of the feed"));
}

TEST(ListingReader, ALookBackFindsTheTimeInThePattern) {
  const Feed feed =
      test::builtin("files", with({{"pattern", "x/{day:%Y-%m-%d}-*.parquet"}, {"lookback", "2d"}}));
  ASSERT_TRUE(feed.unit.name_time);
  EXPECT_EQ(feed.unit.name_time->capture, "day");
  EXPECT_EQ(feed.unit.lookback, Duration(days(2)));
  EXPECT_THAT(error(with({{"lookback", "2d"}})), HasSubstr("the names of the units tell no time"));
}

TEST(ListingReader, IncludeAndExcludeArePatterns) {
  Options options = with({{"exclude", "*-draft.parquet"}});
  options["include"] = {.values = {"a/**", "b/*"}, .is_list = true, .where = "c.yaml:3"};
  const Feed feed = test::builtin("files", options);
  EXPECT_THAT(feed.listing.include, SizeIs(2));
  EXPECT_TRUE(feed.listing.admits("a/b/c.parquet"));
  EXPECT_FALSE(feed.listing.admits("a/b/c-draft.parquet"));
  EXPECT_FALSE(feed.listing.admits("b/c/d.parquet"));
  EXPECT_THAT(list_ranges(feed), ElementsAre(ListRange{"a/", ""}, ListRange{"b/", ""}));
}

}  // namespace
}  // namespace forebay
