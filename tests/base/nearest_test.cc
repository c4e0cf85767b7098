#include "base/nearest.h"

#include <gtest/gtest.h>

namespace forebay {
namespace {

TEST(Nearest, FindsASlipOfThePen) {
  const std::vector<std::string> known = {"append", "put", "lookback", "on_rewrite"};
  EXPECT_EQ(nearest("apend", known), "append");
  EXPECT_EQ(nearest("lokback", known), "lookback");
  EXPECT_EQ(nearest("look_back", known), "lookback");
  EXPECT_EQ(nearest("on-rewrite", known), "on_rewrite");
  EXPECT_EQ(nearest("tup", {"tap", "put"}), "tap");
  EXPECT_EQ(nearest("PUT", known), "put");
  EXPECT_EQ(nearest("appned", known), "append");
}

TEST(Nearest, SaysNothingWhenNothingIsNear) {
  EXPECT_EQ(nearest("colour", {"append", "put"}), "");
  EXPECT_EQ(nearest("x", {}), "");
  EXPECT_EQ(nearest(std::string(1000, 'a'), {std::string(1000, 'b')}), "");
}

}  // namespace
}  // namespace forebay
