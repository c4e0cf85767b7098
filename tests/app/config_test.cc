#include "app/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "support/temp_folder.h"

namespace forebay {
namespace {

using testing::HasSubstr;
using testing::Not;

// Reads the first pipeline of a configuration whose settings end with `more`.
class Config : public testing::Test {
 protected:
  Result<PipelineConfig> read(const std::string& more, const std::string& basics =
                                                           "    source: ./data/\n"
                                                           "    feed: rollerup\n") {
    folder_.write("forebay.yaml", "target: duckdb:w.duckdb\npipelines:\n  p:\n" + basics + more);
    const auto config = load_config(folder_ / "forebay.yaml", environment_);
    if (!config) return fail(config.error());
    return read_pipeline(*config, config->pipelines.front(), environment_);
  }

  Error refusal(const std::string& more) {
    const auto config = read(more);
    EXPECT_FALSE(config) << more;
    if (config) return {};
    EXPECT_EQ(config.error().code, ErrorCode::invalid_config) << more;
    return config.error();
  }

  test::TempFolder folder_;
  Environment environment_{{{"REGION", "eu-west-1"}, {"TOKEN", "s3cr3t"}, {"SLASH", "x/y"}}};
};

TEST_F(Config, TakesRelativePathsFromItsOwnFolder) {
  const auto config = read("");
  ASSERT_TRUE(config) << describe(config.error());
  EXPECT_EQ(config->source.folder, folder_ / "data/");
  EXPECT_EQ(config->target.database, folder_ / "w.duckdb");
  EXPECT_EQ(config->staging, folder_ / "w.duckdb.staging");
  EXPECT_EQ(config->feed.name, "rollerup");
}

TEST_F(Config, ReadsStoreOptionsBesideTheSource) {
  const auto config = read(
      "    region: ${REGION}\n    endpoint: http://127.0.0.1:8333\n    path_style: false\n"
      "    role_arn: arn:aws:iam::1:role/lake\n    request_payer: true\n"
      "    concurrency: 3\n    retry_for: 90s\n    memory_limit: 512MB\n"
      "    staging: /var/tmp/staging\n    schema: raw\n    profile: lake\n",
      "    source: s3://lake/x/\n    feed: rollerup\n");
  ASSERT_TRUE(config) << describe(config.error());
  EXPECT_EQ(config->store.region, "eu-west-1");
  EXPECT_EQ(config->store.endpoint, "http://127.0.0.1:8333");
  EXPECT_EQ(config->store.path_style, false);
  EXPECT_EQ(config->store.role_arn, "arn:aws:iam::1:role/lake");
  EXPECT_TRUE(config->store.request_payer);
  EXPECT_FALSE(config->store.anonymous);
  EXPECT_EQ(config->store.concurrency, 3);
  EXPECT_EQ(config->store.retry_for, std::chrono::seconds(90));
  EXPECT_EQ(config->store.profile, "lake");
  EXPECT_EQ(config->memory_limit, 512'000'000u);
  EXPECT_EQ(config->staging, "/var/tmp/staging");
  EXPECT_EQ(config->schema, "raw");
}

TEST_F(Config, NobodyIsAnonymousAndSomebodyAtOnce) {
  const std::string bucket = "    source: s3://lake/x/\n    feed: rollerup\n";
  EXPECT_TRUE(read("    anonymous: true\n", bucket));
  for (const char* other :
       {"profile: dev", "role_arn: arn:aws:iam::1:role/x", "request_payer: true"}) {
    const auto both = read(std::string("    anonymous: true\n    ") + other + "\n", bucket);
    ASSERT_FALSE(both) << other;
    EXPECT_THAT(both.error().object, HasSubstr("key 'anonymous'"));
  }
  const auto role = read("    role_arn: reader\n", bucket);
  ASSERT_FALSE(role);
  EXPECT_THAT(role.error().object, HasSubstr("key 'role_arn'"));
}

TEST_F(Config, HandsAllOtherKeysToTheFeed) {
  const auto config = read("    stale_after: 3h\n");
  ASSERT_TRUE(config) << describe(config.error());
  EXPECT_EQ(config->feed.stale_after, std::chrono::hours(3));
}

TEST_F(Config, AnswersAnUnknownKeyWithTheOneThatWasMeant) {
  const Error error = refusal("    stale_afer: 3h\n");
  EXPECT_THAT(error.object, HasSubstr("forebay.yaml:6: key 'stale_afer'"));
  EXPECT_EQ(error.hint, "did you mean 'stale_after'?");
  EXPECT_EQ(refusal("    regio: x\n").hint, "did you mean 'region'?");
}

TEST_F(Config, SaysWhichKeysAreNotSupportedYet) {
  for (const char* key : {"share: true", "quarantine_rows: true", "tables: {a: {}}"}) {
    EXPECT_THAT(refusal(std::string("    ") + key + "\n").cause, HasSubstr("not supported yet"))
        << key;
  }
}

TEST_F(Config, KnowsHowOftenAPipelineRuns) {
  EXPECT_EQ(read("")->every, kDefaultEvery);
  EXPECT_EQ(read("    every: 30s\n")->every, std::chrono::seconds(30));
  EXPECT_THAT(refusal("    every: 0s\n").object, HasSubstr("'every'"));
  EXPECT_THAT(refusal("    every: often\n").cause, HasSubstr("no duration"));
}

TEST_F(Config, TakesWhatToKeep) {
  EXPECT_TRUE(read("    keep: current\n"));
  EXPECT_TRUE(read("    keep: both\n"));
  EXPECT_THAT(refusal("    keep: all\n").cause, HasSubstr("current"));
}

TEST_F(Config, NamesTheKeyOfAWrongValue) {
  for (const auto& [key, value] : {std::pair{"concurrency", "0"},
                                   {"concurrency", "65"},
                                   {"concurrency", "many"},
                                   {"retry_for", "5"},
                                   {"retry_for", "soon"},
                                   {"memory_limit", "0"},
                                   {"memory_limit", "big"},
                                   {"proxy", "ftp://proxy"},
                                   {"proxy", "http://us\ter@proxy:1"},
                                   {"proxy", "http://[::1"},
                                   {"proxy", "http://proxy:99999"},
                                   {"proxy", "a b"},
                                   {"schema", "temp"},
                                   {"schema", "[a, b]"},
                                   {"schema", "_forebay"},
                                   {"schema", "_Forebay"},
                                   {"schema", "''"},
                                   {"schema", "{a: b}"}}) {
    const Error error = refusal(std::string("    ") + key + ": " + value + "\n");
    EXPECT_THAT(error.object, HasSubstr(std::string("key '") + key + "'")) << key << value;
  }
}

TEST_F(Config, RefusesStoreOptionsThatMeanNothingForAFolder) {
  EXPECT_THAT(refusal("    region: eu-west-1\n").cause, HasSubstr("folder"));
}

TEST_F(Config, AnswersAnUnknownFeedWithTheOneThatWasMeant) {
  const auto config = read("", "    source: ./data/\n    feed: rolerup\n");
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().hint, "did you mean 'rollerup'?");
  EXPECT_THAT(config.error().object, HasSubstr("forebay.yaml:5"));
}

TEST_F(Config, ReadsADescriptionOfOnesOwn) {
  folder_.write("mine.yaml", *find_builtin_feed("rollerup"));
  const auto config = read("", "    source: ./data/\n    feed: ./mine.yaml\n");
  ASSERT_TRUE(config) << describe(config.error());
  EXPECT_FALSE(read("", "    source: ./data/\n    feed: ./other.yaml\n"));
}

TEST_F(Config, NamesAMissingVariableWithItsKey) {
  const Error error = refusal("    schema: ${NO_SUCH_NAME}\n");
  EXPECT_THAT(error.object, HasSubstr("key 'schema'"));
  EXPECT_THAT(error.cause, HasSubstr("NO_SUCH_NAME"));
}

TEST_F(Config, LetsAMissingVariableOfOnePipelineLeaveTheOthersAlone) {
  folder_.write("forebay.yaml",
                "target: duckdb:w.duckdb\npipelines:\n"
                "  a: {source: './${NO_SUCH_NAME}/', feed: rollerup}\n"
                "  b: {source: ./b/, feed: rollerup}\n");
  const auto config = load_config(folder_ / "forebay.yaml", environment_);
  ASSERT_TRUE(config) << describe(config.error());
  EXPECT_FALSE(read_pipeline(*config, config->pipelines[0], environment_));
  EXPECT_TRUE(read_pipeline(*config, config->pipelines[1], environment_));
}

TEST_F(Config, NeverRepeatsTheValueOfAReference) {
  for (const char* key : {"memory_limit", "retry_for", "concurrency", "stale_after", "target"}) {
    EXPECT_THAT(describe(refusal(std::string("    ") + key + ": ${TOKEN}\n")),
                Not(HasSubstr("s3cr3t")))
        << key;
  }
}

TEST_F(Config, LooksInItsThreePlaces) {
  folder_.write("other.yaml", "pipelines: {p: {source: ./a/, feed: rollerup}}");
  const Environment named({{"FOREBAY_CONFIG", folder_ / "other.yaml"}});
  const auto config = load_config(std::nullopt, named);
  ASSERT_TRUE(config) << describe(config.error());
  EXPECT_EQ(config->folder, folder_.path());
  const auto none = load_config(std::nullopt, Environment());
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().hint, HasSubstr("--source"));
  EXPECT_FALSE(load_config("/no/such/forebay.yaml", named));
}

TEST(ConfigOfCommandLine, IsCalledDefaultAndTakesSettings) {
  const auto config = config_of({.source = "./data/",
                                 .feed = "rollerup",
                                 .target = "duckdb:w.duckdb",
                                 .settings = {"schema=raw", "stale_after=2h"}});
  ASSERT_TRUE(config) << describe(config.error());
  const auto pipeline = read_pipeline(*config, config->pipelines.front(), Environment());
  ASSERT_TRUE(pipeline) << describe(pipeline.error());
  EXPECT_EQ(pipeline->name, "default");
  EXPECT_EQ(pipeline->schema, "raw");
  EXPECT_EQ(pipeline->feed.stale_after, std::chrono::hours(2));
}

TEST(ConfigOfCommandLine, RefusesSettingsThatAreNone) {
  for (const char* setting : {"schema", "=x", "source=./b/", "shema=raw", "share=x", ""}) {
    const auto config = config_of(
        {.source = "./d/", .feed = "rollerup", .target = "w.duckdb", .settings = {setting}});
    ASSERT_FALSE(config) << setting;
    EXPECT_EQ(config.error().code, ErrorCode::invalid_config) << setting;
  }
}

}  // namespace
}  // namespace forebay
