#include "base/json_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/limits.h"

namespace forebay {
namespace {

using testing::HasSubstr;

std::string cause(std::string_view text) {
  Result<nlohmann::json> json = read_json(text, "m.json");
  if (json) return "none";
  EXPECT_EQ(json.error().code, ErrorCode::damaged);
  EXPECT_EQ(json.error().object, "m.json");
  return json.error().cause;
}

TEST(ReadJson, GivesTheValueAsItStands) {
  Result<nlohmann::json> json = read_json(
      R"({"a": [1, -2, 3.5, true, null, "x", {"b": {}}], "c": 18446744073709551615})", "");
  ASSERT_TRUE(json);
  EXPECT_EQ(json->dump(), R"({"a":[1,-2,3.5,true,null,"x",{"b":{}}],"c":18446744073709551615})");
  EXPECT_EQ(read_json("\xef\xbb\xbf{}", "")->dump(), "{}");
}

TEST(ReadJson, SaysWhereItIsNoJson) {
  EXPECT_THAT(cause(""), HasSubstr("no JSON at byte"));
  EXPECT_THAT(cause("{\"a\": 1,}"), HasSubstr("no JSON at byte 9"));
  EXPECT_THAT(cause("{} x"), HasSubstr("no JSON at byte 4"));
  EXPECT_THAT(cause("{}{}"), HasSubstr("no JSON at byte 3"));
  EXPECT_THAT(cause("{\"a\": NaN}"), HasSubstr("no JSON"));
  EXPECT_THAT(cause("{\"a\": 1e999}"), HasSubstr("no JSON"));
  EXPECT_THAT(cause("\"\xff\""), HasSubstr("UTF-8"));
  EXPECT_THAT(cause("\"\\ud800\""), HasSubstr("no JSON"));
  EXPECT_THAT(cause(std::string_view("{}\0", 3)), HasSubstr("no JSON"));
  EXPECT_THAT(cause("\xff\xfe{"), HasSubstr("no JSON"));
}

TEST(ReadJson, RefusesAFieldThatStandsTwiceWhereverItStands) {
  EXPECT_EQ(cause(R"({"a": 1, "a": 1})"), "the outermost object has the field \"a\" twice");
  EXPECT_EQ(cause(R"({"f": [{}, {"x": {"b": 1, "c": 2, "b": 3}}]})"),
            "/f/1/x has the field \"b\" twice");
  EXPECT_EQ(cause("{\"a\": 1, \"\\u0061\": 1}"), "the outermost object has the field \"a\" twice");
}

TEST(ReadJson, BoundsDepth) {
  auto nested = [](int depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(cause(nested(kMaxDocumentDepth)), "none");
  EXPECT_EQ(cause(nested(kMaxDocumentDepth + 1)), "is nested deeper than 64 levels");
  EXPECT_EQ(cause(std::string(5'000'000, '[')), "is nested deeper than 64 levels");
}

TEST(ReadJson, BoundsSize) {
  std::string text(kMaxDocumentBytes, ' ');
  text[0] = '1';
  EXPECT_EQ(cause(text), "none");
  EXPECT_THAT(cause(text + " "), HasSubstr("bytes, more than"));
}

TEST(JsonAt, FollowsAPath) {
  nlohmann::json json = nlohmann::json::parse(R"({"a": [{"b/c": 1}, {"~": 2}], "": 3})");
  EXPECT_EQ(*json_at(json, "/a/0/b~1c"), 1);
  EXPECT_EQ(*json_at(json, "/a/1/~0"), 2);
  EXPECT_EQ(*json_at(json, "/"), 3);
  EXPECT_EQ(json_at(json, ""), &json);
  for (const char* path :
       {"/b", "/a/2", "/a/x", "/a/-1", "/a/0/b", "/a/0/b~1c/d", "/a/99999999999"}) {
    EXPECT_EQ(json_at(json, path), nullptr) << path;
  }
}

TEST(JsonName, IsShortAndReadable) {
  nlohmann::json text = std::string(1000, 'x');
  EXPECT_LT(json_name(&text).size(), 100u);
  nlohmann::json bad = std::string("a\xff");
  EXPECT_NE(json_name(&bad), "");
  nlohmann::json number = 5, null = nullptr, object = nlohmann::json::object();
  EXPECT_EQ(json_name(&number), "5");
  EXPECT_EQ(json_name(&null), "null");
  EXPECT_EQ(json_name(&object), "an object");
  EXPECT_EQ(json_name(nullptr), "nothing");
}

}  // namespace
}  // namespace forebay
