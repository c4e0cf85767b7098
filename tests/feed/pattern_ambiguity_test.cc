// Aim: what could be read in two ways is refused, what cannot is not. That the search is exact is
// shown on random patterns in pattern_test.cc.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "feed/pattern.h"

namespace forebay {
namespace {

using testing::HasSubstr;

std::string error_of(std::string_view text) {
  Result<Pattern> parsed = Pattern::parse(text);
  if (parsed) return "no error";
  EXPECT_EQ(parsed.error().code, ErrorCode::invalid_config);
  return describe(parsed.error());
}

TEST(PatternAmbiguity, RefusesWhatCouldBeReadInTwoWaysAndShowsAKey) {
  EXPECT_THAT(error_of("{a}{b}.csv"), HasSubstr("reads \"aaa.csv\" in two ways"));
  EXPECT_THAT(error_of("{schema}.{table}.csv"), HasSubstr("in two ways"));
  EXPECT_THAT(error_of("{table}*.parquet"), HasSubstr("in two ways"));
  EXPECT_THAT(error_of("{a:path}/{b:path}/x"), HasSubstr("in two ways"));
  EXPECT_THAT(error_of("**/{table}/**/*.parquet"), HasSubstr("in two ways"));
  EXPECT_THAT(error_of("{day:%Y%-m%-d}"), HasSubstr("in two ways"));
  EXPECT_THAT(error_of("{a:int}{b:hex}"), HasSubstr("in two ways"));
}

TEST(PatternAmbiguity, AllowsWhatHasOneReading) {
  for (std::string_view text :
       {"{a}.{b:int}.csv", "**/{table}/*.parquet", "{schema}/{table}/LOAD{n:hex}.csv",
        "{schema}/{table}/{at:%Y%m%d-%H%M%S}{ms}.csv",
        "warehouse/{hour:%Y/%m/%d/%H}/{t}/{f}.parquet", "*-*-*.x", "**/a/**/b/*",
        "{day:%Y-%-m-%-d}/{f}"}) {
    EXPECT_EQ(error_of(text), "no error") << text;
  }
}

}  // namespace
}  // namespace forebay
