#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "feed/description.h"

// Aim: `api:` of a description is read whole, and what is wrong in it is named with its line.
namespace forebay {
namespace {

using ::testing::HasSubstr;

const std::string kBegin =
    "about: a feed\n"
    "unit: {file: \"{table}/{file}.parquet\", order: none}\n"
    "table: {capture: table}\n"
    "effect: append\n";

const std::string kApi = R"(api:
  list:
    post: '{"p": "{prefix}", "t": "{token}"}'
    keys: /data/keys
    key: /key
    next: /data/next
  read:
    post: '{"k": "{key}"}'
    url: /data/url
    headers: /data/headers
    expires: /data/until
    stale_after: 3m
  errors: /errors
)";

Result<Feed> read(const std::string& api) { return bind_feed("f", kBegin + api, "f.yaml", {}); }

TEST(ApiReader, ReadsAllOfIt) {
  const auto feed = read(kApi);
  ASSERT_TRUE(feed.has_value()) << describe(feed.error());
  EXPECT_EQ(feed->api, (ListApi{.list_body = R"({"p": "{prefix}", "t": "{token}"})",
                                .keys = "/data/keys",
                                .key = "/key",
                                .next = "/data/next",
                                .read_body = R"({"k": "{key}"})",
                                .url = "/data/url",
                                .headers = "/data/headers",
                                .expires = "/data/until",
                                .stale_after = std::chrono::minutes(3),
                                .errors = "/errors"}));
  EXPECT_FALSE(read("")->api.has_value());
}

TEST(ApiReader, NamesWhatIsWrong) {
  const auto error = [](const std::string& from, const std::string& to) {
    std::string api = kApi;
    const std::size_t at = api.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    const auto feed = read(api.replace(at, from.size(), to));
    return feed ? "no error" : describe(feed.error());
  };
  EXPECT_THAT(error("\"{token}\"", "1"), HasSubstr("f.yaml:7: api.list.post: must have"));
  EXPECT_THAT(error("\"{key}\"}", "\"{key}\""),
              HasSubstr("f.yaml:12: api.read.post: must be a JSON"));
  EXPECT_THAT(error("    keys: /data/keys\n", ""), HasSubstr("api.list"));
  EXPECT_THAT(error("/data/url", "data.url"), HasSubstr("api.read.url"));
  EXPECT_THAT(error("3m", "soon"), HasSubstr("must be a number and s, m, h"));
  EXPECT_THAT(error("headers", "header"), HasSubstr("did you mean headers?"));
}

}  // namespace
}  // namespace forebay
