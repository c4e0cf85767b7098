#include "app/cli/inspect.h"

#include <gtest/gtest.h>

#include "app/config.h"

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

}  // namespace
}  // namespace forebay::cli
