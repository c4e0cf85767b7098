#include "base/version.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace forebay {
namespace {

TEST(Version, HasThreeNumbers) {
  EXPECT_FALSE(version().empty());
  EXPECT_EQ(std::ranges::count(version(), '.'), 2);
}

}  // namespace
}  // namespace forebay
