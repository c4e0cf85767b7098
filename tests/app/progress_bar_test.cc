#include "app/progress_bar.h"

#include <gtest/gtest.h>

namespace forebay {
namespace {

ProgressState busy() {
  return {.pipeline = "orders",
          .step = "reading 12 files",
          .keys_listed = 1200,
          .units_due = 4,
          .units_applied = 1,
          .rows_expected = 4000,
          .rows_applied = 1000,
          .bytes_fetched = 3'500'000,
          .seconds = 2};
}

TEST(ProgressBar, ShowsUnitsRowsBytesRateAndTimeLeft) {
  EXPECT_EQ(render_bar(busy(), {.columns = 200}),
            "orders  [#####...............]   25%  1/4 units  1,000/4,000 rows  3.5 MB  500 rows/s"
            "  6 seconds left  reading 12 files");
}

TEST(ProgressBar, CountsKeysWhileNothingElseIsKnown) {
  EXPECT_EQ(render_bar({.pipeline = "orders", .keys_listed = 12'000}, {.columns = 80}),
            "orders  listing, 12,000 keys");
}

TEST(ProgressBar, CountsSecondsWhileNothingIsApplied) {
  ProgressState state = busy();
  state.units_applied = 0;
  state.rows_applied = 0;
  EXPECT_NE(render_bar(state, {.columns = 200}).find("3.5 MB  2 s  reading"), std::string::npos);
}

TEST(ProgressBar, LeavesOutFromTheEndWhatDoesNotFit) {
  for (int columns = 0; columns < 200; ++columns) {
    const std::string line = render_bar(busy(), {.columns = columns});
    EXPECT_LE(line.size(), static_cast<std::size_t>(std::max(columns - 1, 0))) << columns;
  }
  EXPECT_EQ(render_bar(busy(), {.columns = 45}), "orders  [#####...............]   25%");
}

TEST(ProgressBar, ColoursOnlyWhenAsked) {
  EXPECT_EQ(render_bar(busy(), {.columns = 200, .color = false}).find('\x1b'), std::string::npos);
  EXPECT_NE(render_bar(busy(), {.columns = 200, .color = true}).find("\x1b[32m"),
            std::string::npos);
}

TEST(ProgressBar, LetsNoNameMoveTheCursor) {
  ProgressState state = busy();
  state.pipeline = "a\r\x1b[2Jb";
  state.step = "x\ny";
  const std::string line = render_bar(state, {.columns = 200});
  for (const char c : line) EXPECT_GE(c, ' ');
}

TEST(ProgressBar, NeverShowsMoreThanAllOfIt) {
  ProgressState state = busy();
  state.rows_applied = 9000;
  EXPECT_NE(render_bar(state, {.columns = 200}).find("100%"), std::string::npos);
}

}  // namespace
}  // namespace forebay
