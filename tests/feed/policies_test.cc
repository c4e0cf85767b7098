// Aim: the options that every feed has are read, from the description and from the pipeline, and
// the pipeline's word is the last.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/feeds.h"

namespace forebay {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kFeed = R"(about: a test
unit: {file: "{n:int}.pq", order: [n]}
table: {text: t}
effect: append
options: {settle: 5s, on_rewrite: stop}
)";

std::string error(std::string_view yaml, const Options& options = {}) {
  Result<Feed> feed = bind_feed("mine", yaml, "f.yaml", options);
  return feed ? "none" : describe(feed.error()).substr(5);
}

TEST(Policies, AreWhatTheDescriptionSaysUnlessThePipelineDoes) {
  Feed feed = test::feed(kFeed);
  EXPECT_EQ(feed.settle, Duration(5s));
  EXPECT_EQ(feed.on_rewrite, OnRewrite::stop);
  EXPECT_EQ(feed.stale_after, std::nullopt);
  EXPECT_EQ(feed.audit_every, Duration(24h));
  feed = test::feed(kFeed, test::options({{"settle", "0s"},
                                          {"on_rewrite", "append"},
                                          {"on_schema_change", "fail"},
                                          {"stale_after", "90s"},
                                          {"audit_every", "1w"},
                                          {"max_future", "2d"}}));
  EXPECT_EQ(feed.settle, Duration(0s));
  EXPECT_EQ(feed.on_rewrite, OnRewrite::append);
  EXPECT_EQ(feed.on_schema_change, OnSchemaChange::fail);
  EXPECT_EQ(feed.stale_after, Duration(90s));
  EXPECT_EQ(feed.audit_every, Duration(168h));
  EXPECT_EQ(feed.max_future, Duration(48h));
}

TEST(Policies, ChangesOfSchemaHaveOtherNamesToo) {
  const auto policy = [](const char* word) {
    return test::feed(kFeed, test::options({{"on_schema_change", word}})).on_schema_change;
  };
  EXPECT_EQ(policy("evolve"), OnSchemaChange::evolve);
  EXPECT_EQ(policy("sync_all_columns"), OnSchemaChange::evolve);
  EXPECT_EQ(policy("add"), OnSchemaChange::add);
  EXPECT_EQ(policy("append_new_columns"), OnSchemaChange::add);
  EXPECT_EQ(policy("ignore"), OnSchemaChange::ignore);
  EXPECT_EQ(policy("block"), OnSchemaChange::fail);
  EXPECT_TRUE(test::feed(kFeed, test::options({{"adopt", "true"}})).adopts);
  EXPECT_FALSE(test::feed(kFeed).adopts);
}

TEST(Policies, ErrorsSayWhatIsAllowed) {
  EXPECT_EQ(error(kFeed, test::options({{"settle", "5 minutes"}})),
            "forebay.yaml:10: settle: \"5 minutes\" is no duration, allowed: a number and s, m, h, "
            "d or w, such as 90s or 2d");
  EXPECT_EQ(error(kFeed, test::options({{"on_rewrite", "replce"}})),
            "forebay.yaml:10: on_rewrite: \"replce\" is not known, allowed: warn, replace, append, "
            "stop\n  hint: did you mean replace?");
  std::string yaml(kFeed);
  yaml.replace(yaml.find("settle"), 6, "setle");
  EXPECT_EQ(
      error(yaml),
      "f.yaml:5: options: \"setle\" is not known, allowed: adopt, audit_every, dedup, exclude, "
      "include, kept, lookback, max_future, on_rewrite, on_schema_change, settle, "
      "stale_after\n  hint: did you mean settle?");
}

TEST(Policies, LookbackIsAnOptionOnlyWhereNamesTellTheirTime) {
  EXPECT_NE(error(kFeed, test::options({{"lookback", "1d"}})), "none");
  EXPECT_EQ(test::builtin("rollerup", test::options({{"lookback", "2d"}})).unit.lookback,
            Duration(48h));
}

}  // namespace
}  // namespace forebay
