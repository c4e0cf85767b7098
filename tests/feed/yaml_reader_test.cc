#include "feed/yaml_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace forebay {
namespace {

using testing::ElementsAre;

YamlValue parse(std::string_view yaml) {
  Result<YamlValue> value = YamlValue::parse(yaml, "f.yaml");
  if (!value) throw std::runtime_error(describe(value.error()));
  return *value;
}

template <class T>
std::string error(const Result<T>& result) {
  if (result) return "none";
  EXPECT_EQ(result.error().code, ErrorCode::invalid_config);
  return describe(result.error());
}

TEST(YamlValue, ReadsTextsAndLists) {
  YamlValue top = parse("a: x\nb: [y, z]\n");
  EXPECT_EQ(*top.need("a")->text(), "x");
  EXPECT_THAT(*top.need("a")->texts(), ElementsAre("x"));
  EXPECT_THAT(*top.need("b")->texts(), ElementsAre("y", "z"));
  EXPECT_EQ(top.find("c"), std::nullopt);
}

TEST(YamlValue, OutlivesTheValueItCameFrom) {
  std::optional<YamlValue> value;
  {
    YamlValue top = parse("a: {b: x}\n");
    value = top.need("a")->need("b").value();
  }
  EXPECT_EQ(*value->text(), "x");
  EXPECT_EQ(value->place().where, "f.yaml:1");
  EXPECT_EQ(value->place().key, "a.b");
}

TEST(YamlValue, ErrorsNameLineKeyAndWhatIsAllowed) {
  YamlValue top = parse("a:\n  b: [1, 1]\n  c:\n  d: {e: f}\n  g: []\n  h: \"\"\n");
  YamlValue a = *top.need("a");
  EXPECT_EQ(error(top.need("x")), "read f.yaml:1: lacks the key x");
  EXPECT_EQ(error(a.need("x")), "read f.yaml:1: a: lacks the key x");
  EXPECT_EQ(error(a.need("b")->text()), "read f.yaml:2: a.b: must be one value, not a list");
  EXPECT_EQ(error(a.need("b")->texts()), "read f.yaml:2: a.b: names \"1\" twice");
  EXPECT_EQ(error(a.need("c")->text()), "read f.yaml:3: a.c: has no value");
  EXPECT_EQ(error(a.need("d")->text()),
            "read f.yaml:4: a.d: must be a text, not a map\n"
            "  hint: a text that begins with { must stand in quotes: \"{table}\"");
  EXPECT_EQ(error(a.need("g")->texts()), "read f.yaml:5: a.g: must not be an empty list");
  EXPECT_EQ(error(a.need("h")->text()), "read f.yaml:6: a.h: must not be empty");
  EXPECT_EQ(error(a.need("d")->only({"ee", "x"})),
            "read f.yaml:4: a.d.e: is no known key, allowed: ee, x\n  hint: did you mean ee?");
  EXPECT_EQ(error(a.need("b")->only({"x"})), "read f.yaml:2: a.b: must be a map with keys from: x");
  EXPECT_EQ(error(parse("k: puts").need("k")->word({"append", "put"})),
            "read f.yaml:1: k: \"puts\" is not known, allowed: append, put\n"
            "  hint: did you mean put?");
}

}  // namespace
}  // namespace forebay
