#include "app/source_url.h"

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

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

TEST(SourceUrl, TakesABucketOfGoogleCloudStorageLiterally) {
  const SourceUrl url = parsed("gs://acme_lake.x/roll*er%20up/");
  EXPECT_EQ(url.kind, SourceUrl::Kind::gcs);
  EXPECT_EQ(url.bucket, "acme_lake.x");
  EXPECT_EQ(url.prefix, "roll*er%20up/");
  EXPECT_EQ(url.display(), "gs://acme_lake.x/roll*er%20up/");
  EXPECT_EQ(url.uri_bucket(), "acme_lake.x");
}

TEST(SourceUrl, TakesAContainerOfAzureInEachForm) {
  for (const auto& [text, account, shown] :
       std::vector<std::tuple<const char*, const char*, const char*>>{
           {"az://lake/a b%20/", "", "az://lake/"},
           {"abfss://lake@acme.dfs.core.windows.net/a b%20/", "acme",
            "abfss://lake@acme.dfs.core.windows.net/"},
           {"https://acme.blob.core.windows.net/lake/a b%20/", "acme",
            "https://acme.blob.core.windows.net/lake/"}}) {
    const SourceUrl url = parsed(text);
    EXPECT_EQ(url.kind, SourceUrl::Kind::azure) << text;
    EXPECT_EQ(url.bucket, "lake") << text;
    EXPECT_EQ(url.prefix, "a b%20/") << text;
    EXPECT_EQ(url.account, account) << text;
    EXPECT_EQ(url.shown, shown) << text;
    EXPECT_EQ(url.endpoint, *account == 0 ? "" : "https://acme.blob.core.windows.net") << text;
    EXPECT_EQ(url.display(), text);
    EXPECT_EQ(parsed(url.display()).display(), text);
  }
  EXPECT_EQ(parsed("abfss://lake@acme.dfs.core.windows.net/x").uri_bucket(),
            "lake@acme.dfs.core.windows.net");
  EXPECT_EQ(parsed("https://acme.blob.core.chinacloudapi.cn/$web/").endpoint,
            "https://acme.blob.core.chinacloudapi.cn");
}

TEST(SourceUrl, RefusesContainersThatAreNoneAndTellsNoSignature) {
  for (const char* text :
       {"az://", "az:///x", "az:lake", "az://la ke/", "abfss://lake/", "abfss://lake@acme/x",
        "abfss://lake@acme.dfs.core.windows.net.example.com/",
        "abfss://@acme.dfs.core.windows.net/", "https://acme.blob.core.windows.net/", "gs://",
        "gs:x", "gs://user:pw@b/", "https://acme.blob.core.windows.net/lake?sv=1&sig=hush"}) {
    const auto url = parse_source(text, ".", "here");
    ASSERT_FALSE(url) << text;
    EXPECT_EQ(url.error().code, ErrorCode::invalid_config) << text;
    EXPECT_EQ(describe(url.error()).find("hush"), std::string::npos) << text;
  }
  // Not Azure's, so an API's.
  EXPECT_EQ(parsed("https://acme.blob.core.windows.net.example.com/x").kind, SourceUrl::Kind::api);
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

TEST(TargetUrl, OfPostgresIsShownWithoutUserPasswordAndOptions) {
  const std::string text = "postgresql://me:s3c/r3t@host:5433/db?sslmode=require&password=s3cr3t";
  const auto target = parse_target(text, "/base", "");
  ASSERT_TRUE(target);
  EXPECT_EQ(target->database, "postgresql://host:5433/db");
  EXPECT_EQ(target->address.reveal(), text);
  EXPECT_EQ(parse_target("w.duckdb", "/base", "")->database, "/base/w.duckdb");
  EXPECT_TRUE(parse_target("w.duckdb", "/base", "")->address.empty());
}

TEST(DuckdbTarget, IsAPathWithASchemeOrASuffix) {
  EXPECT_EQ(*parse_duckdb_target("duckdb:warehouse.duckdb", "/base", ""), "/base/warehouse.duckdb");
  EXPECT_EQ(*parse_duckdb_target("duckdb:/data/w.db", "/base", ""), "/data/w.db");
  EXPECT_EQ(*parse_duckdb_target("sub/w.duckdb", "/base", ""), "/base/sub/w.duckdb");
}

TEST(DuckdbTarget, RefusesOthersWithoutRepeatingTheirPasswords) {
  for (const char* text : {"", "duckdb:", "duckdb::memory:", "duckdb://x", "duckdb:dir/", "w.db",
                           "mysql://me:s3cr3t@host/db", "clickhouse://host", "odd:s3cr3t"}) {
    const auto target = parse_duckdb_target(text, ".", "here");
    ASSERT_FALSE(target) << text;
    EXPECT_EQ(target.error().code, ErrorCode::invalid_config) << text;
    EXPECT_EQ(describe(target.error()).find("s3cr3t"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace forebay
