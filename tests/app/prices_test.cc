#include "app/prices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/config.h"

// Aim: what a store charges is taken from the configuration as it stands there, and a slip of the
// pen is no price.
namespace forebay {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

Result<Prices> read(std::string_view yaml) {
  ASSIGN_OR_RETURN(const OptionValue value, parse_value(yaml, "forebay.yaml:3"));
  return read_prices(value);
}

std::string refusal(std::string_view yaml) {
  const auto prices = read(yaml);
  return prices ? "taken" : describe(prices.error()) + prices.error().hint;
}

TEST(Prices, CountEachKindOfRequestAndTheBytes) {
  const auto prices =
      read("{list: 5, get: 0.4, head: 0.2, other: 1, per: 1000, egress_per_gb: 90, currency: EUR}");
  ASSERT_TRUE(prices) << describe(prices.error());
  const Cost cost =
      cost_of(*prices, {.list = 2000, .get = 500, .head = 10, .other = 1}, std::uint64_t{3} << 29);
  EXPECT_DOUBLE_EQ(cost.requests, 10 + 0.2 + 0.002 + 0.001);
  EXPECT_DOUBLE_EQ(cost.egress, 135);
  EXPECT_DOUBLE_EQ(cost.total(), 145.203);
  EXPECT_EQ(money_text(cost.total(), prices->currency), "145.2 EUR");
}

TEST(Prices, HeadCostsWhatGetCostsUnlessItIsTold) {
  const auto prices = read("{list: 0.005, get: 0.0004}");
  ASSERT_TRUE(prices) << describe(prices.error());
  EXPECT_DOUBLE_EQ(
      cost_of(*prices, {.list = 1000, .get = 1000, .head = 1000, .other = 7}, 1).total(), 0.0058);
  EXPECT_EQ(prices->currency, "USD");
}

TEST(Prices, RefuseWhatIsNoPrice) {
  EXPECT_THAT(refusal("{list: 0.005, gett: 0.0004}"),
              AllOf(HasSubstr("forebay.yaml:3: key 'prices.gett'"), HasSubstr("mean 'get'")));
  EXPECT_THAT(refusal("{list: 0.005}"), HasSubstr("no price for 'get'"));
  EXPECT_THAT(refusal("{list: -1, get: 1}"), HasSubstr("no price"));
  EXPECT_THAT(refusal("{list: 1e3, get: 1}"), HasSubstr("no price"));
  EXPECT_THAT(refusal("{list: cheap, get: 1}"), HasSubstr("prices.list"));
  EXPECT_THAT(refusal("{list: 1, get: 1, per: 0}"), HasSubstr("prices.per"));
  EXPECT_THAT(refusal("{list: 1, get: 1, currency: dollars}"), HasSubstr("three letters"));
  EXPECT_THAT(refusal("{list: [1, 2], get: 1}"), HasSubstr("one value"));
  EXPECT_THAT(refusal("0.005"), HasSubstr("a mapping"));
}

TEST(Prices, StandAtTheTopOrBesideTheSource) {
  const auto config = parse_config(
      "target: duckdb:w.duckdb\n"
      "prices: {list: 5, get: 1}\n"
      "pipelines:\n"
      "  dear: {source: 's3://a/', feed: files, table: a}\n"
      "  free: {source: 's3://b/', feed: files, table: b, prices: {list: 0, get: 0}}\n",
      "forebay.yaml");
  ASSERT_TRUE(config) << describe(config.error());
  const Environment environment;
  const auto dear = read_pipeline(*config, config->pipelines.at(0), environment);
  const auto free = read_pipeline(*config, config->pipelines.at(1), environment);
  ASSERT_TRUE(dear && free);
  ASSERT_TRUE(dear->prices && free->prices);
  EXPECT_DOUBLE_EQ(dear->prices->list, 5);
  EXPECT_DOUBLE_EQ(free->prices->list, 0);
}

}  // namespace
}  // namespace forebay
