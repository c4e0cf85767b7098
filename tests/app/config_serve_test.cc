#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/config.h"

namespace forebay {
namespace {

using testing::HasSubstr;

Result<ServeSettings> read(const std::string& serve) {
  const auto config = parse_config(
      "serve: " + serve + "\npipelines:\n  p: {source: ./in/, feed: files}\n", "forebay.yaml");
  if (!config) return fail(config.error());
  return read_serve(*config, Environment({{"TOKEN", "sixteen letters!"}, {"EMPTY", ""}}));
}

TEST(ConfigServe, TakesListenAndToken) {
  const auto settings = read("{listen: '127.0.0.1:9000', token: \"${TOKEN}\"}");
  ASSERT_TRUE(settings) << describe(settings.error());
  EXPECT_EQ(settings->listen, "127.0.0.1:9000");
  EXPECT_THAT(settings->listen_where, HasSubstr("forebay.yaml:1"));
  EXPECT_EQ(settings->token.reveal(), "sixteen letters!");
}

TEST(ConfigServe, NeedsNothing) {
  const auto config = parse_config("pipelines:\n  p: {source: ./in/, feed: files}\n", "f");
  const auto settings = read_serve(*config, {});
  ASSERT_TRUE(settings);
  EXPECT_FALSE(settings->listen);
  EXPECT_TRUE(settings->token.empty());
}

TEST(ConfigServe, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(read("{liste: x}").error().hint, "did you mean 'listen'?");
  for (const char* wrong : {"[a]", "x", "{token: [a, b]}", "{listen: {a: b}}", "{token: short}",
                            "{token: \"${MISSING}\"}", "{token: \"${EMPTY}\"}", "{listen: ''}"}) {
    const auto settings = read(wrong);
    ASSERT_FALSE(settings) << wrong;
    EXPECT_EQ(settings.error().code, ErrorCode::invalid_config) << wrong;
    EXPECT_THAT(settings.error().object, HasSubstr("forebay.yaml:1")) << wrong;
  }
}

}  // namespace
}  // namespace forebay
