// Aim: a cycle lists no more than it must, and everything when it must.
// Method: plan_listing() on ledger heads made by hand.
#include "load/discover.h"

#include <gtest/gtest.h>

#include "feed/description.h"

namespace forebay {
namespace {

const Time kNow{std::chrono::seconds(1'800'000'000)};

class ListingPlanTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto bound = bind_feed("rollerup", *find_builtin_feed("rollerup"), "test", {});
    ASSERT_TRUE(bound) << describe(bound.error());
    feed_ = std::move(*bound);
    head_.mark_name = "20270115T080000Z.json";
    head_.mark_time = kNow;
    head_.last_full_cycle = CycleNote{.finished_at = kNow - std::chrono::hours(1)};
  }
  Feed feed_;
  LedgerHead head_;
};

TEST_F(ListingPlanTest, StartsAtTheMarkMinusTheLookBack) {
  const ListingPlan plan = plan_listing(feed_, {}, head_, false, kNow);
  EXPECT_FALSE(plan.full);
  ASSERT_EQ(plan.scopes.size(), 1U);
  EXPECT_EQ(plan.scopes[0].prefix, "_batches/");
  EXPECT_EQ(plan.scopes[0].start_after, "_batches/20270114T080000");
}

TEST_F(ListingPlanTest, ListsAllInTheFirstCycleWhenAskedAndForTheAudit) {
  EXPECT_TRUE(plan_listing(feed_, {}, head_, true, kNow).full);
  EXPECT_TRUE(plan_listing(feed_, {}, {}, false, kNow).full);
  const Time audit = head_.last_full_cycle->finished_at + feed_.audit_every;
  EXPECT_FALSE(plan_listing(feed_, {}, head_, false, audit - Duration(1)).full);
  const ListingPlan plan = plan_listing(feed_, {}, head_, false, audit);
  EXPECT_TRUE(plan.full);
  EXPECT_EQ(plan.scopes[0].start_after, "");
}

TEST_F(ListingPlanTest, LooksAgainForAUnitThatFailedInAFullListing) {
  for (const int code : {1, 2, 3, 5}) {
    head_.last_full_cycle->exit_code = code;
    EXPECT_TRUE(plan_listing(feed_, {}, head_, false, kNow).full) << code;
  }
  head_.last_full_cycle->exit_code = 0;
  head_.last_cycle = CycleNote{.outcome = "failed", .exit_code = 3};
  EXPECT_FALSE(plan_listing(feed_, {}, head_, false, kNow).full);
}

}  // namespace
}  // namespace forebay
