#include "app/serve/dashboard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "base/encode.h"

namespace forebay {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Dashboard, AllowsItsOwnScriptAndStyleByTheirHashesAndNothingElse) {
  // The hash of "alert('Hello, world.');" stands in the standard (CSP).
  const std::string policy =
      policy_for("<style>b {}</style><script>alert('Hello, world.');</script>");
  EXPECT_THAT(policy,
              HasSubstr("script-src 'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='"));
  EXPECT_THAT(policy, HasSubstr("default-src 'none'"));
  EXPECT_THAT(policy, HasSubstr("frame-ancestors 'none'"));
  EXPECT_THAT(policy, Not(HasSubstr("unsafe")));
  EXPECT_NE(policy, policy_for("<style>b {}</style><script>alert('hello, world.');</script>"));
}

// One <script> and one <style>: the policy knows one hash of each. Nothing from anywhere else, and
// no text becomes markup.
TEST(Dashboard, NeedsNothingFromOutside) {
  const std::string page(dashboard_page());
  const auto count = [&](const char* pattern) {
    const std::regex regex(pattern);
    return std::distance(std::sregex_iterator(page.begin(), page.end(), regex),
                         std::sregex_iterator());
  };
  EXPECT_EQ(count("<script>"), 1);
  EXPECT_EQ(count("<style>"), 1);
  EXPECT_EQ(count("<script "), 0);
  EXPECT_EQ(count("\\bsrc="), 0);
  EXPECT_EQ(count("\\bstyle="), 0);
  EXPECT_EQ(count("\\bon[a-z]+="), 0);
  EXPECT_EQ(count("@import|url\\("), 0);
  EXPECT_EQ(count("innerHTML|outerHTML|insertAdjacentHTML|document\\.write|\\beval\\("), 0);
  // The name of SVG is the only address there is.
  EXPECT_EQ(count("https?://"), count("http://www\\.w3\\.org/2000/svg"));
  EXPECT_THAT(page, HasSubstr("prefers-color-scheme: dark"));
  EXPECT_THAT(page, HasSubstr("width=device-width"));
}

}  // namespace
}  // namespace forebay
