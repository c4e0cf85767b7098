#include "base/time_text.h"

#include <gtest/gtest.h>

// Aim: strict parsing, exact formatting, in UTC whatever TZ says.
namespace forebay {
namespace {

Time at(std::int64_t seconds, std::int64_t micros = 0) {
  return Time{std::chrono::seconds(seconds)} + Duration(micros);
}

TEST(TimeText, ReadsRfc3339WithFractionsAndOffsets) {
  EXPECT_EQ(parse_rfc3339("1970-01-01T00:00:00Z"), at(0));
  EXPECT_EQ(parse_rfc3339("2026-11-30T12:58:30.5Z"), at(1796043510, 500000));
  EXPECT_EQ(parse_rfc3339("2026-11-30T14:28:30.123456789+01:30"), at(1796043510, 123456));
  EXPECT_EQ(parse_rfc3339("2026-11-30t12:58:30-00:00"), at(1796043510));
  EXPECT_EQ(parse_rfc3339("2026-11-30 12:58:30z"), at(1796043510));
  EXPECT_EQ(parse_rfc3339("1969-12-31T23:59:59.999999Z"), at(-1, 999999));
}

TEST(TimeText, RefusesWhatIsNotRfc3339) {
  for (const char* text :
       {"", "2026-11-30", "2026-11-30T12:58:30", "2026-11-30T12:58Z", "2026-13-01T00:00:00Z",
        "2026-02-29T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z",
        "2026-01-01T00:00:60Z", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00+24:00",
        "2026-01-01T00:00:00+0100", "2026-01-01T00:00:00Z ", " 2026-01-01T00:00:00Z",
        "+026-01-01T00:00:00Z", "0000-01-01T00:00:00Z", "2026-1-01T00:00:00Z"}) {
    EXPECT_EQ(parse_rfc3339(text), std::nullopt) << text;
  }
}

TEST(TimeText, TakesUtcForAnAbsentZoneOnlyWhenAskedTo) {
  EXPECT_EQ(parse_rfc3339("1970-01-02T00:00:00", Zone::utc_when_absent), at(86400));
  EXPECT_EQ(parse_rfc3339("1970-01-02T00:00:00+24", Zone::utc_when_absent), std::nullopt);
}

TEST(TimeText, WritesRfc3339ThatReadsBackExactly) {
  EXPECT_EQ(format_rfc3339(at(0)), "1970-01-01T00:00:00Z");
  EXPECT_EQ(format_rfc3339(at(-1, 999999)), "1969-12-31T23:59:59.999999Z");
  for (const auto time : {at(0), at(-62135596800), at(253402300799, 999999), at(951782400, 1)}) {
    EXPECT_EQ(parse_rfc3339(format_rfc3339(time)), time);
  }
}

TEST(TimeText, ReadsTheThreeFormsOfHttpDates) {
  const auto expected = at(784111777);
  EXPECT_EQ(parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT"), expected);
  EXPECT_EQ(parse_http_date("Sunday, 06-Nov-94 08:49:37 GMT"), expected);
  EXPECT_EQ(parse_http_date("Sun Nov  6 08:49:37 1994"), expected);
  EXPECT_EQ(format_http_date(expected), "Sun, 06 Nov 1994 08:49:37 GMT");
}

TEST(TimeText, RefusesOtherHttpDates) {
  for (const char* text : {"", "120", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
                           "Sun, 31 Feb 1994 08:49:37 GMT", "sun, 06 Nov 1994 08:49:37 GMT",
                           "Sun, 06 Nov 1994 08:49:37 GMT x"}) {
    EXPECT_EQ(parse_http_date(text), std::nullopt) << text;
  }
}

TEST(TimeText, ReadsNamesOfFilesByFormat) {
  EXPECT_EQ(parse_time("20130524T000000Z", "%Y%m%dT%H%M%SZ"), at(1369353600));
  EXPECT_EQ(parse_time("2026/11/30/12", "%Y/%m/%d/%H"), at(1796040000));
  EXPECT_EQ(parse_time("2026-334", "%Y-%j"), parse_time("2026-11-30", "%Y-%m-%d"));
  EXPECT_EQ(parse_time("2026-1-2", "%Y-%-m-%-d"), parse_time("2026-01-02", "%Y-%m-%d"));
  EXPECT_EQ(parse_time("1796043510.25", "%s.%f"), at(1796043510, 250000));
  EXPECT_EQ(parse_time("-1", "%s"), at(-1));
  EXPECT_EQ(parse_time("100%2026", "100%%%Y"), parse_time("2026", "%Y"));
}

TEST(TimeText, RefusesTextThatTheFormatDoesNotDescribe) {
  EXPECT_EQ(parse_time("2026-1-2", "%Y-%m-%d"), std::nullopt);
  EXPECT_EQ(parse_time("2026-01-02x", "%Y-%m-%d"), std::nullopt);
  EXPECT_EQ(parse_time("2026-00-02", "%Y-%m-%d"), std::nullopt);
  EXPECT_EQ(parse_time("2026-366", "%Y-%j"), std::nullopt);
  EXPECT_EQ(parse_time("2026-000", "%Y-%j"), std::nullopt);
  EXPECT_EQ(parse_time("2024-366", "%Y-%j"), parse_time("2024-12-31", "%Y-%m-%d"));
  EXPECT_EQ(parse_time("999999999999", "%s"), std::nullopt);
  EXPECT_EQ(parse_time("12", "%H"), std::nullopt);
  EXPECT_EQ(parse_time("2026", "%Q"), std::nullopt);
}

TEST(TimeText, WantsAFieldThatStandsTwiceToAgreeWithItself) {
  EXPECT_TRUE(parse_time("dt=2026-11-30/20261130", "dt=%Y-%m-%d/%Y%m%d"));
  EXPECT_EQ(parse_time("dt=2026-11-30/20261129", "dt=%Y-%m-%d/%Y%m%d"), std::nullopt);
  EXPECT_EQ(parse_time("2026-01-01 40", "%Y-%m-%d %j"), std::nullopt);
  EXPECT_EQ(parse_time("1970 86400", "%Y %s"), at(86400));
  EXPECT_EQ(parse_time("1971 86400", "%Y %s"), std::nullopt);
}

TEST(TimeText, RefusesOffsetsThatLeadOutOfTheYearsThatHaveAText) {
  EXPECT_TRUE(parse_rfc3339("0001-01-01T00:01:00+00:01"));
  EXPECT_FALSE(parse_rfc3339("0001-01-01T00:00:59+00:01"));
  EXPECT_TRUE(parse_rfc3339("9999-12-31T23:58:59-00:01"));
  EXPECT_FALSE(parse_rfc3339("9999-12-31T23:59:00-00:01"));
}

TEST(TimeText, TellsHowMuchOfATextTheFormatDescribes) {
  std::size_t used = 0;
  EXPECT_EQ(parse_time_prefix("20261130-1.parquet", "%Y%m%d", &used), at(1795996800));
  EXPECT_EQ(used, 8U);
}

TEST(TimeText, FormatsByTheSameDirectives) {
  const auto time = at(1767323045, 678000);
  EXPECT_EQ(format_time(time, "%Y%m%dT%H%M%SZ"), "20260102T030405Z");
  EXPECT_EQ(format_time(time, "%-m/%-d/%-H %j %f %s 100%%"), "1/2/3 002 678000 1767323045 100%");
  EXPECT_EQ(format_time(time, "%Y%"), "2026%");
}

TEST(TimeText, KnowsFormatsThatNameADate) {
  EXPECT_TRUE(valid_time_format("%Y-%m-%d"));
  EXPECT_TRUE(valid_time_format("%s"));
  EXPECT_FALSE(valid_time_format("%m-%d"));
  EXPECT_FALSE(valid_time_format("%Y-%q"));
  EXPECT_FALSE(valid_time_format("%Y-%"));
  EXPECT_FALSE(valid_time_format("%-Y"));
  EXPECT_FALSE(valid_time_format(""));
}

}  // namespace
}  // namespace forebay
