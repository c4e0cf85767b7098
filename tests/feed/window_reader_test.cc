#include <gtest/gtest.h>

#include <string>

#include "support/feeds.h"

// Aim: what a description and a pipeline say of a window means what FEEDS says, and what is wrong
// is told with its place.
namespace forebay {
namespace {

using test::options;

std::string error_of(const Options& given) {
  const auto feed =
      bind_feed("append", find_builtin_feed("append").value(), "feeds/append.yaml", given);
  return feed ? "" : describe(feed.error());
}

TEST(WindowReader, TheDefaultsAreTheDocuments) {
  const Feed feed = test::builtin("append", options({{"table", "e"}, {"time_column", "at"}}));
  ASSERT_TRUE(feed.window);
  EXPECT_EQ(feed.unit.kind, UnitKind::window);
  EXPECT_EQ(feed.window->time_column, "at");
  EXPECT_EQ(feed.window->format, TimeFormat::own);
  EXPECT_EQ(feed.window->overlap, Duration::zero());
  EXPECT_FALSE(feed.window->inclusive);
  EXPECT_FALSE(feed.window->load_late);
  EXPECT_TRUE(feed.window->load_nulls);
  EXPECT_FALSE(feed.window->partition);
  EXPECT_FALSE(feed.window->retention);
  EXPECT_EQ(feed.on_rewrite, OnRewrite::append);
}

TEST(WindowReader, EveryOptionIsRead) {
  Options given = options({{"table", "e"},
                           {"time_column", "at"},
                           {"time_format", "unix_millis"},
                           {"overlap", "1h"},
                           {"boundary", "inclusive"},
                           {"late", "load"},
                           {"null_time", "skip"},
                           {"time_partition_column", "dt"},
                           {"time_partition_format", "%Y%m"},
                           {"time_partition_grain", "month"}});
  given["retention"] = {.where = "forebay.yaml:20",
                        .is_map = true,
                        .fields = {{"period", {.values = {"90d"}, .where = "forebay.yaml:21"}}}};
  const Feed feed = test::builtin("append", given);
  const WindowRule& window = *feed.window;
  EXPECT_EQ(window.format, TimeFormat::unix_millis);
  EXPECT_EQ(window.overlap, std::chrono::hours(1));
  EXPECT_TRUE(window.inclusive && window.load_late && !window.load_nulls);
  EXPECT_EQ(window.retention, std::chrono::hours(24 * 90));
  EXPECT_EQ(window.partition->column, "dt");
  EXPECT_EQ(window.partition->format, "%Y%m");
  EXPECT_EQ(window.partition->grain, TimeGrain::month);
}

TEST(WindowReader, WrongWordsAreToldWithTheirPlace) {
  EXPECT_NE(error_of(options({{"table", "e"}, {"time_column", "t"}, {"time_format", "epoch"}}))
                .find("forebay.yaml:12"),
            std::string::npos);
  EXPECT_NE(error_of(options({{"table", "e"}, {"time_column", "t"}, {"boundary", "open"}}))
                .find("exclusive, inclusive"),
            std::string::npos);
  EXPECT_NE(error_of(options({{"table", "e"},
                              {"time_column", "t"},
                              {"time_partition_column", "d"},
                              {"time_partition_format", "%d"}}))
                .find("no format of a time in a key"),
            std::string::npos);
  EXPECT_NE(error_of(options({{"table", "e"}})).find("time_column"), std::string::npos);
}

TEST(WindowReader, AWindowIsOfOneTableAndHasNoOrder) {
  const std::string text =
      "about: x\nunit:\n  window: \"{a}.parquet\"\nwindow: {time: t}\neffect: append\n";
  EXPECT_FALSE(bind_feed("x", text + "table: {capture: a}\n", "x.yaml", {}));
  EXPECT_TRUE(bind_feed("x", text + "table: {text: a}\n", "x.yaml", {}));
  const std::string ordered =
      "about: x\nunit:\n  window: \"{a}.parquet\"\n  order: [a]\nwindow: {time: t}\n"
      "effect: append\ntable: {text: a}\n";
  EXPECT_FALSE(bind_feed("x", ordered, "x.yaml", {}));
  EXPECT_FALSE(bind_feed("x",
                         "about: x\nunit:\n  file: \"*.parquet\"\nwindow: {time: t}\n"
                         "effect: append\ntable: {text: a}\n",
                         "x.yaml", {}));
}

}  // namespace
}  // namespace forebay
