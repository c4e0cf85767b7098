// Aim: a key has one reading or none, the same that a slow and obvious matcher gives, and the
// search for ambiguity is exact.

#include "feed/pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <random>

#include "base/error.h"

namespace forebay {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Pattern pattern(std::string_view text) {
  Result<Pattern> parsed = Pattern::parse(text);
  if (!parsed) throw std::runtime_error(describe(parsed.error()));
  return *parsed;
}

bool matches(std::string_view text, std::string_view key) {
  return pattern(text).match(key).has_value();
}

template <class T>
T captured(std::string_view text, std::string_view key, std::string_view name) {
  std::optional<Captures> captures = pattern(text).match(key);
  if (!captures) throw std::runtime_error("no match");
  return std::get<T>(*captures->find(name));
}

std::string text_of(std::string_view text, std::string_view key, std::string_view name) {
  return captured<std::string>(text, key, name);
}

std::string error_of(std::string_view text) {
  Result<Pattern> parsed = Pattern::parse(text);
  if (parsed) return "no error";
  EXPECT_EQ(parsed.error().code, ErrorCode::invalid_config);
  return describe(parsed.error());
}

TEST(Pattern, LiteralTextMatchesOnlyItself) {
  EXPECT_TRUE(matches("a/b.json", "a/b.json"));
  EXPECT_FALSE(matches("a/b.json", "a/b.jsonx"));
  EXPECT_FALSE(matches("a/b.json", "xa/b.json"));
  EXPECT_FALSE(matches("a/b.json", "a/bxjson"));
  EXPECT_FALSE(matches("a/b.json", ""));
}

TEST(Pattern, StarStaysWithinASegmentAndMayBeEmpty) {
  EXPECT_TRUE(matches("_batches/*.json", "_batches/20261020T140003Z.json"));
  EXPECT_TRUE(matches("_batches/*.json", "_batches/.json"));
  EXPECT_FALSE(matches("_batches/*.json", "_batches/old/20261020T140003Z.json"));
  EXPECT_FALSE(matches("_batches/*.json", "x/_batches/20261020T140003Z.json"));
}

TEST(Pattern, TwoStarsCrossSegments) {
  EXPECT_TRUE(matches("a/**.csv", "a/b/c/d.csv"));
  EXPECT_TRUE(matches("a/**", "a/"));
  EXPECT_FALSE(matches("a/**.csv", "b/c.csv"));
}

TEST(Pattern, TwoStarsAndASlashAreAnyFoldersAlsoNone) {
  EXPECT_TRUE(matches("**/*.parquet", "x.parquet"));
  EXPECT_TRUE(matches("**/*.parquet", "a/b/x.parquet"));
  EXPECT_TRUE(matches("**/*.parquet", "/x.parquet"));  // the source had no slash at its end
  EXPECT_TRUE(matches("a/**/x", "a/x"));
  EXPECT_TRUE(matches("a/**/x", "a/b/c/x"));
  EXPECT_FALSE(matches("a/**/x", "a/bx"));
}

TEST(Pattern, CapturesTextWithinASegment) {
  EXPECT_EQ(text_of("{table}/{file}.parquet", "prices/x.y.parquet", "table"), "prices");
  EXPECT_EQ(text_of("{table}/{file}.parquet", "prices/x.parquet.parquet", "file"), "x.parquet");
  EXPECT_FALSE(matches("{table}/{file}.parquet", "a/b/x.parquet"));
  EXPECT_FALSE(matches("{table}/{file}.parquet", "a/.parquet"));
}

TEST(Pattern, CapturesTextAcrossSegmentsWhenAsked) {
  EXPECT_EQ(text_of("{dir:path}/manifest.json", "a/b/manifest.json", "dir"), "a/b");
  EXPECT_FALSE(matches("{dir:path}/manifest.json", "manifest.json"));
}

TEST(Pattern, AShortCaptureEndsBeforeTheCharacterThatFollows) {
  EXPECT_EQ(text_of("{schema:short}.{table}.csv", "a.b.c.csv", "schema"), "a");
  EXPECT_EQ(text_of("{schema:short}.{table}.csv", "a.b.c.csv", "table"), "b.c");
}

TEST(Pattern, CapturesWholeNumbersByValue) {
  EXPECT_EQ(captured<std::uint64_t>("{n:int}.csv", "0012.csv", "n"), 12u);
  EXPECT_EQ(captured<std::uint64_t>("LOAD{n:hex}.csv", "LOAD0000001f.csv", "n"), 31u);
  EXPECT_EQ(captured<std::uint64_t>("LOAD{n:hex}.csv", "LOAD0000001F.csv", "n"), 31u);
  EXPECT_EQ(captured<std::uint64_t>("{n:int}", "18446744073709551615", "n"), UINT64_MAX);
  EXPECT_FALSE(matches("{n:int}", "18446744073709551616"));
  EXPECT_FALSE(matches("{n:int}", "-1"));
  EXPECT_FALSE(matches("{n:int}", "1a"));
}

TEST(Pattern, CapturesTimesThatExist) {
  using std::chrono::hours;
  using std::chrono::seconds;
  using std::chrono::sys_days;
  using std::chrono::year;
  EXPECT_EQ(captured<Time>("{at:%Y%m%dT%H%M%SZ}.json", "20261020T140003Z.json", "at"),
            Time(sys_days(year(2026) / 10 / 20) + hours(14) + seconds(3)));
  EXPECT_EQ(captured<Time>("{day:%Y/%m/%d}/x", "2026/10/20/x", "day"),
            Time(sys_days(year(2026) / 10 / 20)));
  EXPECT_EQ(captured<Time>("{day:%Y-%-m-%-d}/x", "2026-1-2/x", "day"),
            Time(sys_days(year(2026) / 1 / 2)));
  EXPECT_FALSE(matches("{day:%Y-%m-%d}/x", "2026-02-30/x"));
  EXPECT_FALSE(matches("{day:%Y-%m-%d}/x", "2026-2-3/x"));
}

TEST(Pattern, SeparatesNumbersFromTextThatHoldsTheSameMarks) {
  EXPECT_EQ(text_of("{topic}+{partition:int}+{offset:int}.json", "a+1+2+3.json", "topic"), "a+1");
}

TEST(Pattern, DoubledBracesAreLiteral) { EXPECT_TRUE(matches("{{x}}/*", "{x}/y")); }

TEST(Pattern, TakesKeysAsBytes) {
  EXPECT_EQ(text_of("{a}.x", std::string_view("\0\xff.x", 4), "a"), std::string("\0\xff", 2));
}

TEST(Pattern, KnowsItsLiteralBeginningAndWhatFollows) {
  EXPECT_EQ(pattern("_batches/*.json").literal_prefix(), "_batches/");
  EXPECT_EQ(pattern("a{{/{n:int}").literal_prefix(), "a{/");
  EXPECT_EQ(pattern("a/{n:int}.x").first_capture(), "n");
  EXPECT_EQ(pattern("a/*-{n:int}").first_capture(), std::nullopt);
  EXPECT_EQ(pattern("**/*.x").literal_prefix(), "");
  EXPECT_EQ(pattern("all/of/it").literal_prefix(), "all/of/it");
  EXPECT_EQ(pattern("_batches/*.json").literal_bytes(), 14u);
  EXPECT_THAT(pattern("{a}/{b:int}").capture_names(), ElementsAre("a", "b"));
  EXPECT_EQ(pattern("{a}/{b:int}").capture_type("b"), CaptureType::number);
  EXPECT_EQ(pattern("{a}/{b:int}").capture_type("c"), std::nullopt);
}

// The obvious matcher, exponential: all readings of `key` by a pattern given as its parts.
struct Part {
  std::string text;   // as in the pattern
  std::string label;  // of a capture; empty: none
};
void readings(const std::vector<Part>& parts, std::size_t part, std::string_view key,
              const std::string& path, std::map<std::string, int>& found) {
  if (part == parts.size()) {
    if (key.empty()) ++found[path];
    return;
  }
  const std::string& text = parts[part].text;
  bool wild = text == "*" || text == "**";
  if (parts[part].label.empty() && !wild) {
    if (key.starts_with(text)) readings(parts, part + 1, key.substr(text.size()), path, found);
    return;
  }
  for (std::size_t n = wild ? 0 : 1; n <= key.size(); ++n) {
    std::string_view taken = key.substr(0, n);
    if (text != "**" && !text.contains(":path") && taken.contains('/')) break;
    if (text.contains(":int") && taken.find_first_not_of("0123456789") != taken.npos) break;
    std::string next = path;
    if (!wild) next += parts[part].label + "=" + std::string(taken) + ";";
    readings(parts, part + 1, key.substr(n), next, found);
  }
}

std::vector<Part> random_parts(std::mt19937& random) {
  const std::vector<std::string> kinds = {"a", "b", "/", "1", "*", "**", "{}", "{:path}", "{:int}"};
  std::vector<Part> parts;
  std::size_t wanted = 1 + random() % 5;
  for (std::size_t i = 0; i < wanted; ++i) {
    std::string kind = kinds[random() % kinds.size()];
    bool after_wild = !parts.empty() && parts.back().text[0] == '*';
    // Wildcards in a row are refused, and "**/" is another part than "**" and "/".
    if (after_wild && (kind[0] == '*' || kind == "/")) continue;
    std::string label;
    if (kind[0] == '{') {
      label = "c" + std::to_string(i);
      kind.insert(1, label);
    }
    parts.push_back({kind, label});
  }
  return parts;
}

void expect_captures(const std::vector<Part>& parts, std::string_view reading,
                     const Captures& captures) {
  for (const Part& part : parts) {
    if (part.label.empty()) continue;
    std::size_t at = reading.find(part.label + "=") + part.label.size() + 1;
    std::string value(reading.substr(at, reading.find(';', at) - at));
    const CaptureValue* got = captures.find(part.label);
    ASSERT_NE(got, nullptr);
    if (part.text.contains(":int")) {
      EXPECT_EQ(std::get<std::uint64_t>(*got), std::stoull(value)) << reading;
    } else {
      EXPECT_EQ(std::get<std::string>(*got), value) << reading;
    }
  }
}

TEST(Pattern, AgreesWithTheObviousMatcherOnRandomPatternsAndKeys) {
  std::mt19937 random(7);
  int refused = 0;
  int matched = 0;
  for (int round = 0; round < 3000; ++round) {
    std::vector<Part> parts = random_parts(random);
    if (parts.empty()) continue;
    std::string text;
    for (const Part& part : parts) text += part.text;
    Result<Pattern> parsed = Pattern::parse(text);
    if (!parsed) {
      ++refused;
      // The key in the message must have two readings.
      std::string cause = parsed.error().cause;
      std::size_t begin = cause.find('"') + 1;
      std::map<std::string, int> found;
      readings(parts, 0, cause.substr(begin, cause.find('"', begin) - begin), "", found);
      EXPECT_GT(found.size(), 1u) << text << ": " << cause;
      continue;
    }
    for (int k = 0; k < 40; ++k) {
      std::string key;
      for (std::size_t n = random() % 7; n > 0; --n) key += "ab/1"[random() % 4];
      std::map<std::string, int> found;
      readings(parts, 0, key, "", found);
      ASSERT_LE(found.size(), 1u) << text << " " << key;
      std::optional<Captures> captures = parsed->match(key);
      ASSERT_EQ(captures.has_value(), !found.empty()) << text << " " << key;
      if (!captures) continue;
      ++matched;
      expect_captures(parts, found.begin()->first, *captures);
    }
  }
  EXPECT_GT(refused, 100);
  EXPECT_GT(matched, 1000);
}

TEST(Pattern, TakesNoExponentialTimeOnHostileInput) {
  std::string text;
  for (int i = 0; i < 60; ++i) text += "*a";
  auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(matches(text, std::string(1023, 'a') + "b"));
  EXPECT_TRUE(matches(text, std::string(1024, 'a')));
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += "**/a/";
  EXPECT_FALSE(matches(deep + "x", std::string(1000, 'a')));
  std::string many;
  for (int i = 0; i < 70; ++i) many += "{c" + std::to_string(i) + "}-";
  EXPECT_THAT(error_of(many), HasSubstr("in two ways"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

}  // namespace
}  // namespace forebay
