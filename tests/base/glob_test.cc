#include "base/glob.h"

#include <gtest/gtest.h>

#include <string>

namespace forebay {
namespace {

TEST(Glob, AStarIsAnyTextAlsoNone) {
  EXPECT_TRUE(matches_glob("a*c", "abc"));
  EXPECT_TRUE(matches_glob("a*c", "ac"));
  EXPECT_FALSE(matches_glob("a*c", "ab"));
  EXPECT_TRUE(matches_glob("*_id", "user_id_id"));
  EXPECT_TRUE(matches_glob("**", ""));
  EXPECT_FALSE(matches_glob("a", "ab"));
  EXPECT_TRUE(matches_glob("a**", "a"));
}

TEST(Glob, AStarInTheNameIsALetter) {
  EXPECT_TRUE(matches_glob("a*b", "a*xb"));
  EXPECT_FALSE(matches_glob("ab", "a*b"));
}

// Trying every place for every star would take longer than anybody lives.
TEST(Glob, ManyStarsTakeNoLongerThanOne) {
  std::string glob;
  for (int i = 0; i < 30; ++i) glob += "*a";
  EXPECT_FALSE(matches_glob(glob + "*b", std::string(2'000, 'a')));
}

}  // namespace
}  // namespace forebay
