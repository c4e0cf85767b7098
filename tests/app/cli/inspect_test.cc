#include "app/cli/inspect.h"

#include <gtest/gtest.h>

#include "app/config.h"
#include "feed/builtin.h"
#include "feed/description.h"

namespace forebay::cli {
namespace {

TEST(Inspect, NamesAPipelineAfterTheLastPartOfItsSource) {
  EXPECT_EQ(name_after("s3://acme-lake/roller-up/"), "roller_up");
  EXPECT_EQ(name_after("s3://acme-lake/"), "acme_lake");
  EXPECT_EQ(name_after("/data/exports/"), "exports");
  EXPECT_EQ(name_after("/data/2026/"), "feed_2026");
  EXPECT_EQ(name_after("/"), "feed_");
}

TEST(Inspect, PrintsAConfigurationThatIsAccepted) {
  const Recognised found{.feed = "files", .needed = {"table"}};
  for (const char* source :
       {"s3://acme-lake/roller-up/", "s3://b/odd #: 'name'/", "/data/a b/", "s3://b/x: y/"}) {
    const auto config =
        parse_config(config_for(found, source, {"endpoint=http://127.0.0.1:8333"}), "forebay.yaml");
    ASSERT_TRUE(config) << describe(config.error());
    const Options& settings = config->pipelines.front().settings;
    EXPECT_EQ(settings.at("source").values.front(), source);
    EXPECT_EQ(settings.at("endpoint").values.front(), "http://127.0.0.1:8333");
    EXPECT_TRUE(check_keys(*config, config->pipelines.front())) << source;
  }
}

// What the feed needs is in it, so that it can be bound as it stands.
TEST(Inspect, PrintsAConfigurationThatWorksForEachFeedThatIsBuiltIn) {
  const std::vector<std::string> keys = {"_batches/20261020T141502Z.json", "visits/a.parquet",
                                         "warehouse/parquet/2026/10/20/14/entry/a.parquet",
                                         "orders/manifest.json"};
  const auto found = recognise(builtin_feeds(), keys);
  ASSERT_TRUE(found) << describe(found.error());
  EXPECT_EQ(found->size(), builtin_feeds().size());
  for (const Recognised& one : *found) {
    const auto config = parse_config(config_for(one, "s3://acme/x/", {}), "forebay.yaml");
    ASSERT_TRUE(config) << describe(config.error());
    const RawPipeline& pipeline = config->pipelines.front();
    EXPECT_TRUE(check_keys(*config, pipeline)) << one.feed;
    Options options = pipeline.settings;
    options.erase("source");
    options.erase("feed");
    const auto feed = bind_feed(one.feed, find_builtin_feed(one.feed).value(), one.feed, options);
    EXPECT_TRUE(feed) << one.feed << ": " << describe(feed.error());
  }
}

// Nothing in the names of files tells which columns name a row.
TEST(Inspect, SaysThatRunsOfChangesNeedAKey) {
  const auto found = recognise(builtin_feeds(), {"orders/manifest.json", "orders/a.parquet",
                                                 "orders/manifest-orders_1.json"});
  ASSERT_TRUE(found) << describe(found.error());
  const auto runs = std::ranges::find(*found, "rivet", &Recognised::feed);
  ASSERT_NE(runs, found->end());
  ASSERT_EQ(runs->warnings.size(), 1U);
  EXPECT_TRUE(runs->warnings.front().contains("primary_key")) << runs->warnings.front();
}

}  // namespace
}  // namespace forebay::cli
