#include "app/interpolation.h"

#include <gtest/gtest.h>

#include "support/temp_folder.h"

namespace forebay {
namespace {

class Interpolation : public testing::Test {
 protected:
  Result<std::string> read(std::string_view text) {
    return interpolate(text, {&environment_, folder_.path(), "forebay.yaml:7: key 'source'"});
  }

  test::TempFolder folder_;
  Environment environment_{{{"BUCKET", "acme-lake"}, {"EMPTY", ""}, {"ODD", "a${b}$"}}};
};

TEST_F(Interpolation, ReplacesVariables) {
  EXPECT_EQ(*read("s3://${BUCKET}/x/"), "s3://acme-lake/x/");
  EXPECT_EQ(*read("${BUCKET}${BUCKET}"), "acme-lakeacme-lake");
}

TEST_F(Interpolation, LeavesTextWithoutReferencesAlone) {
  for (const char* text : {"", "$", "a$b", "cost: 5$", "$BUCKET", "}{"}) {
    EXPECT_EQ(*read(text), text);
  }
}

TEST_F(Interpolation, WritesALiteralReferenceAfterTwoDollars) {
  EXPECT_EQ(*read("$${BUCKET}"), "${BUCKET}");
}

TEST_F(Interpolation, NeverReadsAValueAgain) { EXPECT_EQ(*read("${ODD}"), "a${b}$"); }

TEST_F(Interpolation, UsesTheDefaultForAMissingOrEmptyVariable) {
  EXPECT_EQ(*read("${NONE:-eu-west-1}"), "eu-west-1");
  EXPECT_EQ(*read("${EMPTY:-eu-west-1}"), "eu-west-1");
  EXPECT_EQ(*read("${BUCKET:-other}"), "acme-lake");
  EXPECT_EQ(*read("[${NONE:-}]"), "[]");
  EXPECT_EQ(*read("${EMPTY}"), "");
}

TEST_F(Interpolation, NamesAMissingVariableAndItsPlace) {
  const auto result = read("s3://${NO_SUCH_BUCKET}/");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::invalid_config);
  EXPECT_EQ(result.error().object, "forebay.yaml:7: key 'source'");
  EXPECT_NE(result.error().cause.find("NO_SUCH_BUCKET"), std::string::npos);
}

TEST_F(Interpolation, ReadsAFileWithoutItsLastLineBreak) {
  folder_.write("token", "s3cr3t\n");
  EXPECT_EQ(*read("Bearer ${file:token}"), "Bearer s3cr3t");
  EXPECT_EQ(*read("${file:" + folder_ / "token" + "}"), "s3cr3t");
}

TEST_F(Interpolation, NamesAMissingFile) {
  const auto result = read("${file:/no/such/file}");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::invalid_config);
  EXPECT_NE(result.error().cause.find("/no/such/file"), std::string::npos);
}

TEST_F(Interpolation, RefusesWhatLooksLikeAReferenceAndIsNone) {
  for (const char* text : {"${", "${BUCKET", "${}", "${1A}", "${A B}", "${:-x}", "${A-B}"}) {
    const auto result = read(text);
    ASSERT_FALSE(result) << text;
    EXPECT_EQ(result.error().code, ErrorCode::invalid_config) << text;
  }
}

TEST_F(Interpolation, NeverRepeatsAValueInAnError) {
  folder_.write("token", "s3cr3t\n");
  const auto result = read("${file:token}${NO_SUCH_VARIABLE}");
  ASSERT_FALSE(result);
  EXPECT_EQ(describe(result.error()).find("s3cr3t"), std::string::npos);
}

}  // namespace
}  // namespace forebay
