#include "app/source_url.h"

#include <gtest/gtest.h>

namespace forebay {
namespace {

SourceUrl parsed(std::string_view text) {
  auto url = parse_source(text, "/base", "here");
  EXPECT_TRUE(url) << text << ": " << url.error().cause;
  return url.value_or(SourceUrl{});
}

TEST(SourceUrl, TakesBucketAndPrefixLiterally) {
  const SourceUrl url = parsed("s3://acme-lake/roll*er%20up/{x}");
  EXPECT_EQ(url.kind, SourceUrl::Kind::s3);
  EXPECT_EQ(url.bucket, "acme-lake");
  EXPECT_EQ(url.prefix, "roll*er%20up/{x}");
  EXPECT_EQ(url.display(), "s3://acme-lake/roll*er%20up/{x}");
}

TEST(SourceUrl, TakesAWholeBucket) {
  EXPECT_EQ(parsed("s3://acme-lake").prefix, "");
  EXPECT_EQ(parsed("s3://acme-lake/").prefix, "");
  EXPECT_EQ(parsed("s3://my_bucket/").bucket, "my_bucket");
}

TEST(SourceUrl, ReadsAllFormsOfAFolder) {
  EXPECT_EQ(parsed("./data/").folder, "/base/data/");
  EXPECT_EQ(parsed("data").folder, "/base/data/");
  EXPECT_EQ(parsed("../data").folder, "/data/");
  EXPECT_EQ(parsed("/data/x/").folder, "/data/x/");
  EXPECT_EQ(parsed("file:///data/x").folder, "/data/x/");
  EXPECT_EQ(parsed("/data/with blank/%20").folder, "/data/with blank/%20/");
  EXPECT_EQ(parsed("./s3:odd/").folder, "/base/s3:odd/");
}

TEST(SourceUrl, ReadsTheAddressOfAnApiAndKeepsSecretsOutOfIt) {
  const auto api = parse_source("https://api.example.com/v1/graphql", ".", "here");
  ASSERT_TRUE(api.has_value());
  EXPECT_EQ(api->kind, SourceUrl::Kind::api);
  EXPECT_EQ(api->display(), "https://api.example.com/v1/graphql");
  EXPECT_TRUE(parse_source("http://127.0.0.1:8080/graphql", ".", "here").has_value());
  EXPECT_TRUE(parse_source("http://[::1]:8080/", ".", "here").has_value());
  for (const char* text : {"https://", "https:x", "http://example.com/", "https://me:hush@host/",
                           "https://host/?token=hush", "https://host/#hush"}) {
    const auto url = parse_source(text, ".", "here");
    ASSERT_FALSE(url.has_value()) << text;
    EXPECT_EQ(describe(url.error()).find("hush"), std::string::npos) << text;
  }
}

TEST(SourceUrl, SaysWhichKindsAreNotSupportedYet) {
  for (const char* text : {"gs://b/p/", "az://c/p/", "abfss://c@a/p/"}) {
    const auto url = parse_source(text, ".", "here");
    ASSERT_FALSE(url) << text;
    EXPECT_EQ(url.error().code, ErrorCode::invalid_config);
    EXPECT_NE(url.error().cause.find("not supported yet"), std::string::npos) << text;
  }
}

TEST(SourceUrl, RefusesWhatNamesNoSource) {
  for (const char* text : {"", "s3://", "s3:///prefix/", "s3:bucket", "S4://x/", "s3://user:pw@b/x",
                           "file://host/path", "file:x"}) {
    const auto url = parse_source(text, ".", "here");
    ASSERT_FALSE(url) << text;
    EXPECT_EQ(url.error().code, ErrorCode::invalid_config) << text;
    EXPECT_FALSE(url.error().hint.empty()) << text;
  }
}

TEST(DuckdbTarget, IsAPathWithASchemeOrASuffix) {
  EXPECT_EQ(*parse_duckdb_target("duckdb:warehouse.duckdb", "/base", ""), "/base/warehouse.duckdb");
  EXPECT_EQ(*parse_duckdb_target("duckdb:/data/w.db", "/base", ""), "/data/w.db");
  EXPECT_EQ(*parse_duckdb_target("sub/w.duckdb", "/base", ""), "/base/sub/w.duckdb");
}

TEST(DuckdbTarget, RefusesOthersWithoutRepeatingTheirPasswords) {
  for (const char* text : {"", "duckdb:", "duckdb::memory:", "duckdb://x", "duckdb:dir/", "w.db",
                           "postgresql://me:s3cr3t@host/db", "clickhouse://host", "odd:s3cr3t"}) {
    const auto target = parse_duckdb_target(text, ".", "here");
    ASSERT_FALSE(target) << text;
    EXPECT_EQ(target.error().code, ErrorCode::invalid_config) << text;
    EXPECT_EQ(describe(target.error()).find("s3cr3t"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace forebay
