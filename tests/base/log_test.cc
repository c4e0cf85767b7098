#include "base/log.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <type_traits>

#include "base/secret.h"

namespace forebay {
namespace {

TEST(Log, WritesTextLinesForPeople) {
  EXPECT_EQ(format_log_line(LogFormat::text, "2026-01-02T03:04:05Z", LogLevel::info, "loaded",
                            {{"rows", std::uint64_t{3}}, {"pipeline", std::string("orders")}}),
            "info: loaded rows=3 pipeline=orders");
}

TEST(Log, WritesOneJsonObjectALine) {
  const std::string line =
      format_log_line(LogFormat::json, "2026-01-02T03:04:05Z", LogLevel::warning, "two\nlines",
                      {{"rows", std::uint64_t{3}}, {"ok", true}});
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const auto json = nlohmann::json::parse(line);
  EXPECT_EQ(json["time"], "2026-01-02T03:04:05Z");
  EXPECT_EQ(json["level"], "warning");
  EXPECT_EQ(json["message"], "two\nlines");
  EXPECT_EQ(json["rows"], 3);
  EXPECT_EQ(json["ok"], true);
}

TEST(Log, SurvivesBytesThatAreNoUtf8) {
  const std::string line =
      format_log_line(LogFormat::json, "t", LogLevel::error, "key \xff\xfe", {});
  EXPECT_TRUE(nlohmann::json::accept(line));
}

TEST(Log, CannotFormatASecret) {
  static_assert(!std::is_constructible_v<LogValue, Secret>);
  static_assert(!std::is_convertible_v<Secret, std::string_view>);
}

}  // namespace
}  // namespace forebay
