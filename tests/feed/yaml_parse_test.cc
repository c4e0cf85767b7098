// Aim: what is not the plain YAML that people read is refused with its line, and no bytes crash it.

#include "feed/yaml_parse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <random>

#include "base/limits.h"

namespace forebay {
namespace {

using testing::HasSubstr;

std::string error(std::string_view yaml) {
  Result<YamlNode> node = parse_yaml(yaml, "f.yaml");
  if (node) return "none";
  EXPECT_EQ(node.error().code, ErrorCode::invalid_config);
  return describe(node.error());
}

TEST(ParseYaml, KeepsTextsAsWrittenAndTheirLines) {
  Result<YamlNode> node = parse_yaml("a: 1.0\nb:\n  - yes\n  - \"x: y\"\nc: {d: }\n", "f");
  ASSERT_TRUE(node);
  ASSERT_EQ(node->fields.size(), 3u);
  EXPECT_EQ(node->fields[0].key, "a");
  EXPECT_EQ(node->fields[0].line, 1);
  EXPECT_EQ(node->fields[0].value.text, "1.0");
  EXPECT_EQ(node->fields[1].line, 2);
  EXPECT_EQ(node->fields[1].value.items[0].text, "yes");
  EXPECT_EQ(node->fields[1].value.items[1].text, "x: y");
  EXPECT_EQ(node->fields[1].value.items[1].line, 4);
  EXPECT_EQ(node->fields[2].value.fields[0].value.kind, YamlNode::Kind::nothing);
}

TEST(ParseYaml, AnEmptyTextIsNothing) {
  EXPECT_EQ(parse_yaml("", "f")->kind, YamlNode::Kind::nothing);
  EXPECT_EQ(parse_yaml("# only a comment\n", "f")->kind, YamlNode::Kind::nothing);
}

TEST(ParseYaml, RefusesKeysGivenTwice) {
  EXPECT_EQ(error("a: 1\nb:\n  c: 1\n  d: 2\n  c: 3\n"),
            "read f.yaml:5: c: is given twice, first in line 3");
}

TEST(ParseYaml, RefusesAnchorsAliasesAndTags) {
  EXPECT_THAT(error("a: 1\nb: &x [1]\nc: *x\n"),
              HasSubstr("f.yaml:2: the anchor &x is not allowed"));
  EXPECT_THAT(error("a: !!binary aGk=\n"), HasSubstr("f.yaml:1: the tag"));
  EXPECT_THAT(error("a: !mine {b: c}\n"), HasSubstr("f.yaml:1: the tag"));
}

TEST(ParseYaml, ExplainsAStarWithoutQuotes) {
  EXPECT_THAT(error("a: 1\npattern: *.parquet\n"),
              HasSubstr("hint: a text that begins with * or & must stand in quotes"));
}

TEST(ParseYaml, ExplainsABraceWithoutQuotes) {
  EXPECT_THAT(error("{a}: b\n"), HasSubstr("f.yaml:1: a key must be a text"));
}

TEST(ParseYaml, RefusesASecondDocument) {
  EXPECT_EQ(error("a: 1\n---\nb: 2\n"),
            "read f.yaml:2: a second document begins here\n  hint: one file holds one document");
  EXPECT_EQ(error("---\na: 1\n"), "none");
}

TEST(ParseYaml, SaysWhereItIsNoYaml) {
  EXPECT_THAT(error("a: [1, 2\nb: 3\n"), HasSubstr("f.yaml:2: no YAML:"));
  EXPECT_THAT(error("a:\n\t- b\n"), HasSubstr("no YAML"));
  EXPECT_THAT(error(std::string_view("a: 1\nb: x\0y\n", 13)),
              HasSubstr("f.yaml:2: has a control character"));
  EXPECT_THAT(error("a: 1\nb: \x04\n"), HasSubstr("f.yaml:2: has a control character"));
}

TEST(ParseYaml, BoundsSizeAndDepth) {
  std::string filler(kMaxDescriptionBytes - 5, '#');
  EXPECT_EQ(error("a: 1\n" + filler), "none");
  EXPECT_THAT(error("a: 1\n" + filler + "#"), HasSubstr("has 65536 bytes, at most 65535"));
  auto nested = [](int depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(error(nested(kMaxDescriptionDepth)), "none");
  EXPECT_THAT(error(nested(kMaxDescriptionDepth + 1)), HasSubstr("nested deeper than 32 levels"));
  EXPECT_THAT(error(std::string(60'000, '[')), HasSubstr("nested deeper"));
  EXPECT_THAT(error(std::string(60'000, '{')), HasSubstr("f.yaml:1"));
}

TEST(ParseYaml, AnAliasBombEndsAtItsFirstAnchor) {
  std::string bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n";
  for (char c = 'b'; c < 'z'; ++c) {
    std::string before(1, static_cast<char>(c - 1));
    bomb += std::string(1, c) + ": &" + c + " [*" + before + ",*" + before + ",*" + before + "]\n";
  }
  EXPECT_THAT(error(bomb), HasSubstr("f.yaml:1: the anchor &a is not allowed"));
}

TEST(ParseYaml, RandomBytesNeverCrashIt) {
  std::mt19937 random(9);
  const std::string_view start = "a: [1, {b: c}]\n\"d\": |\n  text\n? e\n: - f\n";
  for (int i = 0; i < 20'000; ++i) {
    std::string yaml(start);
    for (std::size_t n = 1 + random() % 6; n > 0; --n) {
      std::size_t at = random() % yaml.size();
      if (random() % 2) {
        yaml[at] = "{}[]:,-?|>&*!%@`'\"#\n \t\xff"[random() % 23];
      } else {
        yaml.insert(at, 1, "{}[]:,-?|>&*!%@`'\"#\n \t\xff"[random() % 23]);
      }
    }
    ignore_error(parse_yaml(yaml, "f"), "that it returns is all");
  }
}

}  // namespace
}  // namespace forebay
