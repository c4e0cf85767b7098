#include "feed/line_form.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "feed/unit.h"

// Aim: what a text that is no JSON says, by forms of its lines: checksum files, master lists,
// control files with counts.
namespace forebay {
namespace {

UnitName unit() { return {.key = "a/x.csv"}; }

std::vector<LineForm> forms(const std::vector<std::string>& texts) {
  std::vector<LineForm> result;
  for (const std::string& text : texts) result.push_back(*parse_line_form(text));
  return result;
}

std::string all(const std::vector<std::string>& texts, std::string_view bytes, bool pass = false) {
  const auto found = read_line_forms(forms(texts), pass, unit(), bytes, "list.txt");
  return found ? found->dump() : found.error().cause;
}

std::string one(const std::vector<std::string>& texts, std::string_view bytes) {
  const auto found = read_one_line_form(forms(texts), unit(), bytes, "sum.txt");
  return found ? found->dump() : found.error().cause;
}

std::string wrong(std::string_view text) {
  const auto form = parse_line_form(text);
  return form ? "a form" : form.error().cause;
}

TEST(LineForm, AMasterListHasAnEntryALine) {
  EXPECT_EQ(all({"{size:int} {md5} {url}"},
                "150383 297a16b http://x.org/v2/a b.csv\n\n  7\t0c\t http://x.org/c.csv \r\n"),
            R"([{"md5":"297a16b","size":150383,"url":"http://x.org/v2/a b.csv"},)"
            R"({"md5":"0c","size":7,"url":"http://x.org/c.csv"}])");
  EXPECT_EQ(all({"{a} {b}"}, ""), "[]");
}

TEST(LineForm, ALineOfAnotherFormIsDamageUnlessOthersArePassedOver) {
  EXPECT_EQ(all({"{size:int} {md5}"}, "1 a\nx b\n"),
            "the line \"x b\" is not like \"{size:int} {md5}\"");
  EXPECT_EQ(all({"{size:int} {md5}"}, "1 a\nx b\n", true), R"([{"md5":"a","size":1}])");
  EXPECT_EQ(all({"{size:int} {md5}"}, "18446744073709551616 a\n-1 a\n1\n1a b", true), "[]");
  EXPECT_EQ(all({"{a}"}, "\xff"), "it is no UTF-8");
}

TEST(LineForm, OfSeveralTheFirstThatHoldsCounts) {
  EXPECT_EQ(all({"{sum} *{name}", "{sum}  {name}"}, "aa *b\ncc d\n"),
            R"([{"name":"b","sum":"aa"},{"name":"d","sum":"cc"}])");
}

// Records of several lines between others, as in manifests that are written like mail headers.
TEST(LineForm, AFormMayHaveSeveralLines) {
  EXPECT_EQ(all({"Data-File: {name}\nMD5-Digest: {md5}\nRecord-Count: {rows:int}"},
                "Version: 1.0\n\n Lookup-File: l.tar\n MD5-Digest: ff\n\n Data-File: 01.tsv.gz\n"
                " MD5-Digest: 9c\n Record-Count: 611\n Data-File: 02.tsv.gz\n",
                true),
            R"([{"md5":"9c","name":"01.tsv.gz","rows":611}])");
}

TEST(LineForm, AChecksumFileMayNameManyFilesAndOnlyTheUnitsOwnCounts) {
  EXPECT_EQ(one({"{sum} {$file}"}, "aa  y.csv\nbb  x.csv\ncc  xx.csv\n"), R"({"sum":"bb"})");
  EXPECT_EQ(one({"SHA256 ({$file}) = {sum}"}, "SHA256 (x.csv) = bb"), R"({"sum":"bb"})");
  EXPECT_EQ(one({"{sum} {$file}"}, "aa  y.csv\n"),
            "must have one line like \"{sum} {$file}\", but has 0");
  EXPECT_EQ(one({"{sum} {$file}"}, "aa x.csv\nbb x.csv\n"),
            "must have one line like \"{sum} {$file}\", but has 2");
  EXPECT_EQ(one({"{sum}"}, "d41d8cd98f00b204\n"), R"({"sum":"d41d8cd98f00b204"})");
}

TEST(LineForm, AFormThatNothingCouldReadIsRefused) {
  EXPECT_EQ(wrong("{a} {b:int}"), "a form");
  EXPECT_EQ(wrong("sum"), "has no field, such as {name}");
  EXPECT_EQ(wrong(""), "has no field, such as {name}");
  EXPECT_EQ(wrong("{$file}"), "has no field, such as {name}");
  EXPECT_EQ(wrong("{a}{b}"), "has nothing before {b} that ends the field there");
  EXPECT_EQ(wrong("{a} {a}"), "has the field {a} twice");
  EXPECT_EQ(wrong("{a"), "has a { that is not closed");
  EXPECT_EQ(wrong("a} {b}"), "has a } that closes nothing");
  EXPECT_THAT(wrong("{a:hex}"), testing::HasSubstr("{a:hex} is no field, allowed: {name}"));
  EXPECT_THAT(wrong("{$key:int}"), testing::HasSubstr("is no field"));
}

}  // namespace
}  // namespace forebay
