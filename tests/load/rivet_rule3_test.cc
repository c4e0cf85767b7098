#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "support/run_fixture.h"

// Aim: rule 3 of the feed `rivet`: only committed parts are loaded, each checked for size, rows,
// xxh3 and MD5 before anything is visible, and never a part that no manifest names. Method: one
// claim of a manifest is made wrong; nothing may be in the table.
namespace forebay::test {
namespace {

class RivetRule3 : public RunTest {
 protected:
  RivetRule3() : RunTest({{"mode", "full"}}) {}

  ExportRun run() { return {.parts = {{.rows = "SELECT 1 AS id"}, {.rows = "SELECT 2 AS id"}}}; }
  void expect_refused(std::function<void(nlohmann::ordered_json&)> change, int exit,
                      const std::string& cause) {
    ExportRun wrong = run();
    wrong.change = std::move(change);
    runs_.deliver(wrong);
    const CycleReport report = load(exit);
    ASSERT_TRUE(report.error);
    EXPECT_NE(describe(*report.error).find(cause), std::string::npos) << text(report);
    EXPECT_FALSE(exists("orders"));
    load(exit);
  }
};

TEST_F(RivetRule3, OnlyCommittedPartsAreLoaded) {
  ExportRun some = run();
  some.parts[0].status = "superseded";
  some.parts.push_back({.rows = "SELECT 3 AS id", .status = "quarantined"});
  runs_.deliver(some);
  load();
  EXPECT_EQ(rows("orders"), (Lines{"2"}));
}

TEST_F(RivetRule3, APartThatNoManifestNamesIsNeverLoaded) {
  runs_.deliver(run());
  runs_.write_parts({.id = "stray", .parts = {{.rows = "SELECT 9 AS id"}}});
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1", "2"}));
}

TEST_F(RivetRule3, TheSizeIsChecked) {
  expect_refused([](auto& json) { json["parts"][1]["size_bytes"] = 1; }, 3, "its unit says 1");
}
TEST_F(RivetRule3, TheRowsAreChecked) {
  expect_refused(
      [](auto& json) {
        json["parts"][1]["rows"] = 2;
        json["row_count"] = 3;
      },
      3, "it has 1 rows, its unit says 2");
}
TEST_F(RivetRule3, TheFingerprintIsChecked) {
  expect_refused(
      [](auto& json) { json["parts"][1]["content_fingerprint"] = "xxh3:0123456789abcdef"; }, 3,
      "its unit says 0123456789abcdef");
}
TEST_F(RivetRule3, TheMd5IsChecked) {
  expect_refused([](auto& json) { json["parts"][1]["content_md5"] = "s/riN5gFKbUswrogroHE3w=="; },
                 3, "its md5 is");
}
TEST_F(RivetRule3, AFingerprintOfAnotherFormIsDamage) {
  expect_refused([](auto& json) { json["parts"][1]["content_fingerprint"] = "md5:00"; }, 3,
                 "must be like xxh3:{hex}");
}
TEST_F(RivetRule3, AnUnknownStatusOfAPartIsRefused) {
  expect_refused(
      [](auto& json) {
        json["parts"][1]["status"] = "half";
        json["part_count"] = 1;
        json["row_count"] = 1;
      },
      5, "/parts/1: status is \"half\"");
}

TEST_F(RivetRule3, AMissingPartAppliesNothing) {
  runs_.deliver(run());
  runs_.remove(RunMaker::part_key(run(), 1));
  const CycleReport report = load(3);
  EXPECT_FALSE(exists("orders"));
  EXPECT_EQ(report.units.applied, 0U);
}

TEST_F(RivetRule3, PartsWithoutFingerprintAreLoadedAndHistorySaysSo) {
  ExportRun resumed = run();
  resumed.parts[0].told = false;
  runs_.deliver(resumed);
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1", "2"}));
  EXPECT_EQ(query("SELECT reason FROM _forebay.units"),
            (Lines{"1 of 2 files without a fingerprint: only size and rows were checked"}));
}

// A resume moves parts of earlier runs away: their bytes prove that they are the same.
TEST_F(RivetRule3, APartThatWasMovedAwayIsReadWhereItIs) {
  const ExportRun moved = run();
  runs_.deliver(moved);
  const std::string key = RunMaker::part_key(moved, 1);
  runs_.write("orders/_quarantine/orders_2/orders_1-2.parquet", runs_.read(key));
  runs_.remove(key);
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1", "2"}));
}

TEST_F(RivetRule3, AMovedPartOfOtherBytesIsRefusedWithItsPlace) {
  const ExportRun moved = run();
  runs_.deliver(moved);
  std::string bytes = runs_.read(RunMaker::part_key(moved, 1));
  bytes[10] ^= 1;
  runs_.write("orders/_quarantine/orders_2/orders_1-2.parquet", bytes);
  runs_.remove(RunMaker::part_key(moved, 1));
  const CycleReport report = load(3);
  ASSERT_TRUE(report.error);
  EXPECT_NE(report.error->cause.find("_quarantine/orders_2/orders_1-2.parquet"), std::string::npos);
  EXPECT_FALSE(exists("orders"));
}

TEST_F(RivetRule3, AMovedPartWithoutFingerprintIsRefused) {
  ExportRun moved = run();
  moved.parts[1].told = false;
  runs_.deliver(moved);
  const std::string key = RunMaker::part_key(moved, 1);
  runs_.write("orders/_quarantine/orders_2/orders_1-2.parquet", runs_.read(key));
  runs_.remove(key);
  load(3);
  EXPECT_FALSE(exists("orders"));
}

// Rule 7: a chunk that was tried again may have left both results in the manifest.
TEST_F(RivetRule3, PartsOfEqualFingerprintCountOnce) {
  ExportRun twice = run();
  twice.parts.push_back({.rows = "SELECT 2 AS id"});
  runs_.deliver(twice);
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1", "2"}));
  EXPECT_EQ(query("SELECT reason FROM _forebay.units"),
            (Lines{"1 files are there twice and count once"}));
}

}  // namespace
}  // namespace forebay::test
