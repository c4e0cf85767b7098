#include "app/cli/load_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace forebay::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> names;
  for (const auto& [name, value] : object.items()) names.push_back(name);
  return names;
}

CycleReport applied() {
  CycleReport report;
  report.pipeline = "carwash";
  report.feed = "rollerup";
  report.outcome = Outcome::applied;
  report.units = {.applied = 2, .already_applied = 5, .waiting = 1};
  report.waiting = {{"late.json", "its gate is not there yet"}};
  report.files = 3;
  report.rows = 1200;
  report.bytes = 34'000;
  report.tables["raw.visits"] = {
      .inserted = 1100, .updated = 90, .deleted = 10, .rows_after = 5000};
  report.requests = {.list = 1, .get = 5};
  report.seconds = 0.5;
  return report;
}

TEST(LoadReport, HasExactlyTheKeysOfTheContract) {
  const Json json = report_json(applied());
  EXPECT_THAT(keys(json), ElementsAre("pipeline", "feed", "outcome", "units", "waiting",
                                      "changed_since_applied", "files", "rows", "bytes", "tables",
                                      "requests", "seconds", "warnings", "error"));
  EXPECT_THAT(keys(json["units"]),
              ElementsAre("applied", "already_applied", "waiting", "quarantined"));
  EXPECT_THAT(keys(json["tables"]["raw.visits"]), ElementsAre("inserted", "updated", "deleted"));
  EXPECT_THAT(keys(json["requests"]), ElementsAre("list", "get", "head", "other"));
  EXPECT_EQ(json["outcome"], "applied");
  EXPECT_TRUE(json["error"].is_null());
  EXPECT_TRUE(json["warnings"].is_array());
  EXPECT_EQ(json["waiting"].dump(),
            R"([{"unit":"late.json","reason":"its gate is not there yet"}])");
  EXPECT_TRUE(report_json(CycleReport{})["tables"].is_object());
}

TEST(LoadReport, SaysAnErrorWithCodeMessageObjectAndHint) {
  const CycleReport report = failed_report(
      "carwash", "rollerup", {ErrorCode::damaged, "read", "s3://b/k", "too short", ""});
  const Json json = report_json(report);
  EXPECT_EQ(report.exit, ExitCode::integrity);
  EXPECT_EQ(json["outcome"], "failed");
  EXPECT_THAT(keys(json["error"]), ElementsAre("code", "message", "object", "hint"));
  EXPECT_EQ(json["error"]["code"], "damaged");
  EXPECT_EQ(json["error"]["object"], "s3://b/k");
  EXPECT_THAT(json["error"]["message"].get<std::string>(), HasSubstr("too short"));
  EXPECT_NE(json["error"]["hint"], "");
}

TEST(LoadReport, TellsPeopleWhatChangedAndWhatToDoNext) {
  EXPECT_EQ(report_text(applied()),
            "carwash: 2 units applied, 3 files, 1,200 rows, 34.0 kB in 0.50 s, 6 requests\n"
            "  table       inserted  updated  deleted  rows now\n"
            "  raw.visits     1,100       90       10     5,000\n"
            "  1 unit waiting; 'forebay plan carwash' says what for\n");
}

TEST(LoadReport, IsShortWhenNothingIsNew) {
  CycleReport report;
  report.pipeline = "carwash";
  report.requests = {.list = 1};
  EXPECT_EQ(report_text(report), "carwash: nothing new in 0.00 s, 1 request\n");
}

TEST(Hint, IsThereForEveryCode) {
  for (int code = 0; code <= static_cast<int>(ErrorCode::internal); ++code) {
    EXPECT_FALSE(with_hint({static_cast<ErrorCode>(code), "", "", "", ""}).hint.empty()) << code;
  }
}

}  // namespace
}  // namespace forebay::cli
