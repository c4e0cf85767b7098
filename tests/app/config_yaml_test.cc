#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/config.h"

// parse_config() and parse_value(): what stands in the file, before anything is looked up.
namespace forebay {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Error refusal(std::string_view yaml) {
  const auto config = parse_config(yaml, "forebay.yaml");
  EXPECT_FALSE(config) << yaml;
  return config ? Error{} : config.error();
}

TEST(ConfigYaml, KeepsPipelinesInTheOrderOfTheFile) {
  const auto config = parse_config(R"(
target: duckdb:w.duckdb
pipelines:
  zebra: {source: ./z/, feed: rollerup}
  apple: {source: ./a/, feed: files, table: a, primary_key: [x, y]}
)",
                                   "forebay.yaml");
  ASSERT_TRUE(config) << describe(config.error());
  EXPECT_THAT(config->target->values, ElementsAre("duckdb:w.duckdb"));
  ASSERT_EQ(config->pipelines.size(), 2u);
  EXPECT_EQ(config->pipelines[0].name, "zebra");
  EXPECT_EQ(config->pipelines[1].name, "apple");
  const OptionValue& key = config->pipelines[1].settings.at("primary_key");
  EXPECT_TRUE(key.is_list);
  EXPECT_THAT(key.values, ElementsAre("x", "y"));
  EXPECT_EQ(key.where, "forebay.yaml:5");
}

TEST(ConfigYaml, KeepsMappingsWithThePlaceOfEachKey) {
  const auto config = parse_config(
      "pipelines:\n  p:\n    source: ./a/\n    feed: files\n    values:\n      region: [us, eu]\n"
      "      kind: x\n",
      "forebay.yaml");
  ASSERT_TRUE(config) << describe(config.error());
  const OptionValue& values = config->pipelines[0].settings.at("values");
  EXPECT_TRUE(values.is_map);
  EXPECT_EQ(values.where, "forebay.yaml:5");
  ASSERT_EQ(values.fields.size(), 2u);
  EXPECT_EQ(values.fields[0].first, "region");
  EXPECT_THAT(values.fields[0].second.values, ElementsAre("us", "eu"));
  EXPECT_EQ(values.fields[1].second.where, "forebay.yaml:7");
  EXPECT_EQ(refusal("pipelines: {p: {source: a, feed: b, v: {x: 1, x: 2}}}").code,
            ErrorCode::invalid_config);
}

TEST(ConfigYaml, LeavesReferencesAsTheyStand) {
  const auto config = parse_config("pipelines: {p: {source: '${S}', feed: files}}", "f");
  ASSERT_TRUE(config);
  EXPECT_EQ(config->pipelines[0].settings.at("source").values.front(), "${S}");
}

TEST(ConfigYaml, RefusesAKeyThatStandsTwice) {
  const Error error =
      refusal("pipelines:\n  p:\n    source: ./a/\n    feed: files\n    source: ./b/");
  EXPECT_EQ(error.code, ErrorCode::invalid_config);
  EXPECT_EQ(error.object, "forebay.yaml:5");
  EXPECT_THAT(error.cause, HasSubstr("source: is given twice, first in line 3"));
  EXPECT_EQ(refusal("pipelines: {p: {source: a, feed: b}, p: {source: a, feed: b}}").code,
            ErrorCode::invalid_config);
}

TEST(ConfigYaml, SuggestsTheKeyThatWasMeant) {
  const Error error = refusal("pipeline:\n  p: {source: ./a/, feed: files}");
  EXPECT_EQ(error.object, "forebay.yaml:1: key 'pipeline'");
  EXPECT_EQ(error.hint, "did you mean 'pipelines'?");
}

TEST(ConfigYaml, SuggestsServeAsAMapping) {
  EXPECT_THAT(refusal("serve: yes").hint, HasSubstr("listen"));
}

TEST(ConfigYaml, NamesTheLineOfBrokenYaml) {
  const Error error = refusal("pipelines:\n  p: [unclosed\n");
  EXPECT_EQ(error.code, ErrorCode::invalid_config);
  EXPECT_THAT(error.object, HasSubstr("forebay.yaml:"));
  EXPECT_THAT(error.cause, HasSubstr("no YAML"));
}

TEST(ConfigYaml, RefusesEveryOtherShape) {
  for (const char* yaml :
       {"", "---\n---\n", "just text", "[a, b]", "pipelines:", "pipelines: []", "pipelines: {}",
        "pipelines: {p: x}", "pipelines: {p: }", "pipelines: {'': {source: a, feed: b}}",
        "pipelines: {p: {feed: files}}", "pipelines: {p: {source: ./a/}}",
        "pipelines: {p: {source: ~, feed: files}}", "target: [a]\n", "target: {a: b}\n",
        "pipelines: {p: {source: a, feed: b, primary_key: [[a]]}}",
        "pipelines: {[a]: {source: a, feed: b}}", "\xff\xfe", "pipelines: {p: {? [a] : b}}"}) {
    EXPECT_EQ(refusal(yaml).code, ErrorCode::invalid_config) << yaml;
  }
}

// yaml-cpp's own loader finds documents without end in these.
TEST(ConfigYaml, RefusesTextsThatBeginInTheMiddleOfAList) {
  for (const char* yaml : {", \"c\"]", ",", ", a", "]", "}"})
    EXPECT_EQ(refusal(yaml).code, ErrorCode::invalid_config) << yaml;
}

// A few lines of aliases stand for more values than there is memory.
TEST(ConfigYaml, RefusesAnchorsAndAliases) {
  const Error error = refusal("pipelines:\n  p: &p {source: ./a/, feed: files}\n  q: *p\n");
  EXPECT_EQ(error.object, "forebay.yaml:2");
  EXPECT_THAT(error.cause, HasSubstr("anchor"));
}

TEST(ConfigYaml, RefusesAFileThatIsTooLarge) {
  EXPECT_THAT(refusal(std::string(2 << 20, '#')).cause, HasSubstr("larger"));
}

TEST(ConfigValue, IsTextAListOrAMapping) {
  EXPECT_THAT(parse_value("a, b", "--set")->values, ElementsAre("a, b"));
  EXPECT_THAT(parse_value("[a, b]", "--set")->values, ElementsAre("a", "b"));
  EXPECT_TRUE(parse_value("[a]", "--set")->is_list);
  EXPECT_FALSE(parse_value("[a", "--set"));
  EXPECT_FALSE(parse_value("[a, {b: c}]", "--set"));
  const auto mapping = parse_value("{a: [b, c]}", "--set");
  ASSERT_TRUE(mapping);
  ASSERT_EQ(mapping->fields.size(), 1u);
  EXPECT_THAT(mapping->fields[0].second.values, ElementsAre("b", "c"));
  EXPECT_FALSE(parse_value("{a: b", "--set"));
}

}  // namespace
}  // namespace forebay
