#include "app/pipeline_status.h"

#include <gtest/gtest.h>

namespace forebay {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

const Time kNow{hours(500'000)};

TEST(PipelineStatus, IsStaleWhenItsNewestUnitIsOlderThanItsLimit) {
  PipelineStatus status{.stale_after = hours(1)};
  EXPECT_TRUE(status.stale(kNow));  // nothing was ever applied
  EXPECT_FALSE(status.age(kNow));
  status.newest = KnownUnit{.unit = "u", .unit_time = kNow - hours(1), .decided_at = kNow};
  EXPECT_FALSE(status.stale(kNow));
  EXPECT_TRUE(status.stale(kNow + Duration(1)));
  status.stale_after.reset();
  EXPECT_FALSE(status.stale(kNow + hours(1'000)));
}

TEST(PipelineStatus, TakesNoUnitForNewerThanTheMomentOfItsLoad) {
  PipelineStatus status;
  status.newest = KnownUnit{.unit_time = kNow + hours(48), .decided_at = kNow - minutes(5)};
  EXPECT_EQ(status.age(kNow), minutes(5));
  EXPECT_EQ(status_json("p", "f", status, kNow)["age_seconds"], 300.0);
}

}  // namespace
}  // namespace forebay
