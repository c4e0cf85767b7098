// Aim: mistakes in `unit:` are found, with line, key and what is allowed.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "feed/description_reader.h"

namespace forebay {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Result<UnitRule> read(std::string_view yaml) {
  ASSIGN_OR_RETURN(YamlValue top, YamlValue::parse(yaml, "f.yaml"));
  ASSIGN_OR_RETURN(YamlValue unit, top.need("unit"));
  Options options;
  OptionBinder binder("mine", &options);
  UnitRule rule;
  RETURN_IF_ERROR(read_unit(unit, binder, rule));
  return rule;
}

std::string error(std::string_view yaml) {
  Result<UnitRule> rule = read(yaml);
  return rule ? "none" : describe(rule.error()).substr(5);
}

TEST(UnitRule, HasOneKind) {
  EXPECT_EQ(error("unit: {order: none}"),
            "f.yaml:1: unit: must have exactly one of the keys document, file, folder and window");
  EXPECT_EQ(error("unit: {file: a, document: b}"),
            "f.yaml:1: unit: must have exactly one of the keys document, file, folder and window");
}

TEST(UnitRule, FilesSkipHiddenKeysAndDocumentsDoNot) {
  EXPECT_TRUE(read("unit: {file: \"*.pq\"}")->skip_hidden);
  EXPECT_FALSE(read("unit: {file: \"*.pq\", hidden: take}")->skip_hidden);
  EXPECT_FALSE(read("unit: {document: \"_m/*.json\"}")->skip_hidden);
  EXPECT_EQ(error("unit: {file: a, hidden: show}"),
            "f.yaml:1: unit.hidden: \"show\" is not known, allowed: skip, take");
}

TEST(UnitRule, APatternThatIsWrongIsShown) {
  EXPECT_THAT(error("unit:\n  file:\n    - a.pq\n    - \"{a}{b}\"\n"),
              HasSubstr("f.yaml:4: unit.file: the pattern \"{a}{b}\" reads \""));
  EXPECT_THAT(error("unit: {file: \"{a:number}\"}"), HasSubstr("the type \"number\""));
  EXPECT_THAT(error("unit: {file: \"{a\"}"), HasSubstr("a { that is never closed"));
}

TEST(UnitRule, ACaptureHasOneTypeInAllPatterns) {
  EXPECT_EQ(error("unit: {file: [\"a/{n:int}.pq\", \"b/{n}.pq\"]}"),
            "f.yaml:1: unit.file: the capture {n} has another type in \"a/{n:int}.pq\"");
  EXPECT_EQ(error("unit: {file: [\"a/{n:int}.pq\", \"b/{n:hex}.pq\"]}"), "none");
}

TEST(UnitRule, OrderNamesCapturesOfSomePattern) {
  EXPECT_THAT(read("unit: {file: [\"a/{n:int}\", \"b/{m:int}\"], order: [m, n, $key]}")->order,
              ElementsAre("m", "n", "$key"));
  EXPECT_TRUE(read("unit: {file: a, order: none}")->order.empty());
  EXPECT_EQ(
      error("unit:\n  file: \"a/{name}.pq\"\n  order: [nam]\n"),
      "f.yaml:3: unit.order: \"nam\" is not known, allowed: $file, $folder, $key, $stem, name\n"
      "  hint: did you mean name?");
  EXPECT_EQ(error("unit: {file: a, order: [none]}"),
            "f.yaml:1: unit.order: \"none\" is not known, allowed: $file, $folder, $key, $stem");
  EXPECT_EQ(error("unit: {file: a, order: [$key, $key]}"),
            "f.yaml:1: unit.order: names \"$key\" twice");
}

TEST(UnitRule, NameTimeNeedsAFormatUnlessTheCaptureIsATime) {
  EXPECT_EQ(
      read("unit: {file: \"{t}.pq\", name_time: {of: t, format: \"%Y%m%d\"}}")->name_time->format,
      "%Y%m%d");
  EXPECT_EQ(read("unit: {file: \"{t:%Y}.pq\", name_time: {of: t}}")->name_time->capture, "t");
  EXPECT_EQ(error("unit: {file: \"{t}.pq\", name_time: {of: t}}"),
            "f.yaml:1: unit.name_time: lacks the key format");
  EXPECT_EQ(error("unit: {file: \"{t:%Y}.pq\", name_time: {of: t, format: \"%Y\"}}"),
            "f.yaml:1: unit.name_time.format: {t} is a time already, its format stands in the "
            "pattern");
  EXPECT_THAT(error("unit: {file: \"{t}.pq\", name_time: {of: t, format: \"%H\"}}"),
              HasSubstr("unit.name_time.format: \"%H\" is no format of a whole date, allowed: %Y"));
  EXPECT_EQ(
      error("unit: {file: \"{t}.pq\", name_time: {of: x, format: \"%Y\"}}"),
      "f.yaml:1: unit.name_time.of: \"x\" is not known, allowed: $file, $folder, $key, $stem, t\n"
      "  hint: did you mean t?");
}

TEST(UnitRule, TheTimeIsAPathInADocument) {
  EXPECT_EQ(error("unit: {document: \"*.json\", time: created_at}"),
            "f.yaml:1: unit.time: \"created_at\" must be a path in the document, such as "
            "/created_at");
  EXPECT_EQ(error("unit: {file: \"*.pq\", time: /created_at}"),
            "f.yaml:1: unit.time: belongs to units that are documents; files have name_time");
}

TEST(ReadPattern, AppliesToTheLastSegmentUnlessItHasASlash) {
  auto text = [](std::string pattern) { return read_pattern({std::move(pattern), {}})->text(); };
  EXPECT_EQ(text("*.pq"), "**/*.pq");
  EXPECT_EQ(text("a/*.pq"), "a/*.pq");
  EXPECT_EQ(text("./*.pq"), "*.pq");
}

}  // namespace
}  // namespace forebay
