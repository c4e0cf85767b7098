#include "app/wiring.h"

#include <gtest/gtest.h>

#include "support/temp_folder.h"

namespace forebay {
namespace {

TEST(Wiring, KnowsWithoutWritingWhetherATargetCouldBeWritten) {
  const test::TempFolder folder;
  PipelineConfig config;
  config.target.database = folder / "w.duckdb";
  EXPECT_TRUE(check_target_rights(config));
  config.target.database = folder / "missing/w.duckdb";
  const Status missing = check_target_rights(config);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::not_found);
}

TEST(Wiring, TakesAQuarterOfTheMachineAtMostFourGigabytes) {
  EXPECT_GT(default_memory_limit(), 0u);
  EXPECT_LE(default_memory_limit(), 4'000'000'000u);
}

}  // namespace
}  // namespace forebay
