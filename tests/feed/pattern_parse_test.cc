// Aim: a pattern that is wrong gets an error that shows where, and what is allowed.

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

TEST(PatternErrors, ErrorsSayWhatIsWrongAndWhere) {
  EXPECT_THAT(error_of(""), HasSubstr("is empty"));
  EXPECT_THAT(error_of("ab{n"), HasSubstr("a { that is never closed (at character 3)"));
  EXPECT_THAT(error_of("a}b"), HasSubstr("a } that closes nothing (at character 2)"));
  EXPECT_THAT(error_of("{csv,tsv}"), HasSubstr("a capture named \"csv,tsv\""));
  EXPECT_THAT(error_of("{}"), HasSubstr("a capture named \"\""));
  EXPECT_THAT(error_of("{a}/{a}"), HasSubstr("captures {a} twice"));
  EXPECT_THAT(error_of("{a:number}"),
              HasSubstr("the type \"number\" (at character 1)\n  hint: allowed: short, path, int, "
                        "hex, or a time such as %Y-%m-%d"));
  EXPECT_THAT(error_of("{a:%H}"), HasSubstr("the time format \"%H\""));
  EXPECT_THAT(error_of("{a:%Q}"), HasSubstr("the time format \"%Q\""));
  EXPECT_THAT(error_of("{a:short}"), HasSubstr("no character after it"));
  EXPECT_THAT(error_of("data-?.csv"), HasSubstr("uses ?, which has no meaning yet"));
  EXPECT_THAT(error_of("data[0-9].csv"), HasSubstr("uses ["));
  EXPECT_THAT(error_of("***"), HasSubstr("two wildcards in a row"));
  EXPECT_THAT(error_of("**/**/x"), HasSubstr("two wildcards in a row"));
  EXPECT_THAT(error_of(std::string(513, 'a')), HasSubstr("longer than 512 bytes"));
  EXPECT_TRUE(Pattern::parse(std::string(512, 'a')));
}

}  // namespace
}  // namespace forebay
