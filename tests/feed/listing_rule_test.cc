// Aim: times in keys become exactly the prefixes of those times, and what cannot be cut so is
// refused with a reason.
#include "feed/listing_rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace forebay {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::sys_days;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Time at(int year, unsigned month, unsigned day, int hour = 0) {
  return sys_days(std::chrono::year(year) / static_cast<int>(month) / static_cast<int>(day)) +
         hours(hour);
}

Pattern pattern(std::string_view text) {
  Result<Pattern> parsed = Pattern::parse(text);
  if (!parsed) throw std::runtime_error(describe(parsed.error()));
  return *parsed;
}

DatedKeys keys(std::string_view text, const Enumerated& values = {}) {
  Result<DatedKeys> keys = dated_keys(pattern(text), values);
  if (!keys) throw std::runtime_error(describe(keys.error()));
  return *keys;
}

std::string error(std::string_view text, const Enumerated& values = {}) {
  Result<DatedKeys> keys = dated_keys(pattern(text), values);
  return keys ? "none" : keys.error().cause;
}

TEST(Grain, IsTheFinestFieldOfATime) {
  EXPECT_EQ(grain_of("%Y"), Grain::year);
  EXPECT_EQ(grain_of("%Y/%-m"), Grain::month);
  EXPECT_EQ(grain_of("%Y-%m-%d"), Grain::day);
  EXPECT_EQ(grain_of("%Y%j"), Grain::day);
  EXPECT_EQ(grain_of("%d.%m.%Y-%H"), Grain::hour);
  EXPECT_EQ(grain_of("%Y%m%dT%H%M"), Grain::finer);
  EXPECT_EQ(grain_of("%s"), Grain::finer);
  EXPECT_EQ(grain_of("100%%d%Y"), Grain::year) << "%% is a percent sign, and the d behind it text";
}

TEST(Grain, FloorsTimes) {
  const Time time = at(2026, 2, 28, 23) + std::chrono::minutes(59);
  EXPECT_EQ(floor_to(time, Grain::hour), at(2026, 2, 28, 23));
  EXPECT_EQ(floor_to(time, Grain::day), at(2026, 2, 28));
  EXPECT_EQ(floor_to(time, Grain::month), at(2026, 2, 1));
  EXPECT_EQ(floor_to(time, Grain::year), at(2026, 1, 1));
  EXPECT_EQ(floor_to(at(1969, 12, 31, 5), Grain::day), at(1969, 12, 31));
}

TEST(DatedKeys, GiveOnePrefixForEachTimeAcrossMonthsAndLeapDays) {
  EXPECT_THAT(prefixes_between(keys("dt={d:%Y-%m-%d}/**"), at(2028, 2, 28, 5), at(2028, 3, 1)),
              ElementsAre("dt=2028-02-28/", "dt=2028-02-29/", "dt=2028-03-01/"));
  EXPECT_THAT(prefixes_between(keys("{h:%Y/%m/%d/%H}/**"), at(2026, 12, 31, 23), at(2027, 1, 1)),
              ElementsAre("2026/12/31/23/", "2027/01/01/00/"));
  EXPECT_THAT(prefixes_between(keys("m{m:%Y-%-m}-**"), at(2026, 11, 30), at(2027, 1, 1)),
              ElementsAre("m2026-11-", "m2026-12-", "m2027-1-"));
  EXPECT_THAT(prefixes_between(keys("{y:%Y}**"), at(2026, 11, 30), at(2027, 1, 1)),
              ElementsAre("2026", "2027"));
  EXPECT_THAT(prefixes_between(keys("{d:%Y%m%d}.csv"), at(2026, 1, 2), at(2026, 1, 1)), IsEmpty());
}

TEST(DatedKeys, CombineWhatIsEnumerated) {
  const DatedKeys both = keys("{a}/{b}/{d:%Y}/x*", {{"a", {"y", "x"}}, {"b", {"1", "2"}}});
  EXPECT_THAT(both.before, ElementsAre("x/1/", "x/2/", "y/1/", "y/2/"));
  EXPECT_EQ(both.after, "/x");
  EXPECT_EQ(count_between(both, at(2026, 1, 1), at(2027, 6, 1)), 8U);
  EXPECT_THAT(prefixes_between(both, at(2026, 1, 1), at(2027, 6, 1)), SizeIs(8));
}

TEST(DatedKeys, TakeBracesThatStandForThemselves) {
  EXPECT_THAT(prefixes_between(keys("{{a}}{d:%Y}}}**"), at(2026, 1, 1), at(2026, 1, 1)),
              ElementsAre("{a}2026}"));
}

TEST(DatedKeys, CountNoFewerThanThereAre) {
  for (const char* text : {"{d:%Y}/**", "{d:%Y-%m}/**", "{d:%Y-%m-%d}/**", "{d:%Y-%m-%d-%H}/**"}) {
    const DatedKeys dated = keys(text);
    EXPECT_GE(count_between(dated, at(2026, 1, 31), at(2028, 3, 1)),
              prefixes_between(dated, at(2026, 1, 31), at(2028, 3, 1)).size())
        << text;
  }
  EXPECT_EQ(count_between(keys("{d:%Y-%m-%d}/**"), at(2026, 1, 1), at(2026, 1, 3)), 3U);
}

TEST(DatedKeys, RefuseWhatCannotBeCutByTime) {
  EXPECT_EQ(error("{a}/{d:%Y}/**"), "{a} stands before the time");
  EXPECT_EQ(error("*/{d:%Y}/**"), "a wildcard stands before the time");
  EXPECT_EQ(error("events/**"), "names no time");
  EXPECT_EQ(error("{d:%Y}/**", {{"a", {"x"}}}), "no {a} stands before the time");
  EXPECT_THAT(error("{d:%Y%m%d%H%M}/**"), HasSubstr("finer than hours"));
  EXPECT_EQ(error("{d:%Y-%-m}"), "nothing ends the time") << "2026-1 is the beginning of 2026-10";
}

TEST(PartitionRule, BeginsItsWindowWithWholeDays) {
  PartitionRule rule{
      .pattern = pattern("{d:%Y-%m-%d}/**"), .capture = "d", .keys = keys("{d:%Y-%m-%d}/**")};
  const Time now = at(2026, 10, 20, 15);
  EXPECT_EQ(rule.window_begins(now), at(2026, 10, 19)) << "two days are today and yesterday";
  rule.window = days(1);
  EXPECT_EQ(rule.window_begins(now), at(2026, 10, 20));
  rule.window = hours(36);
  EXPECT_EQ(rule.window_begins(now), at(2026, 10, 19));
  rule.window = hours(16);
  EXPECT_EQ(rule.window_begins(now), at(2026, 10, 19)) << "16 hours ago was yesterday";
}

TEST(ListRanges, NarrowToWhatIsIncluded) {
  const std::vector<Pattern> include = {pattern("a/b*"), pattern("c/**")};
  const auto narrowed = narrow({{.prefix = "", .start_after = "a"}}, include);
  EXPECT_THAT(narrowed, ElementsAre(ListRange{"a/b", "a"}, ListRange{"c/", "a"}));
  EXPECT_THAT(narrow({{.prefix = "c/d/"}, {.prefix = "x/"}}, include),
              ElementsAre(ListRange{"c/d/", ""}));
}

TEST(ListRanges, ArePutApart) {
  EXPECT_THAT(apart({{"b", "x"}, {"a/b", ""}, {"a", ""}, {"b/c", ""}}),
              ElementsAre(ListRange{"a", ""}, ListRange{"b", ""}));
}

}  // namespace
}  // namespace forebay
