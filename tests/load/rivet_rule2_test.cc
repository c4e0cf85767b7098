#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "support/run_fixture.h"

// Aim: rule 2 of the feed `rivet`: only a successful run that agrees with itself is loaded, with
// _SUCCESS for the batch run that manifest.json describes (CORR-6). Method: runs written step by
// step, loaded in process; the clock is moved past the grace.
namespace forebay::test {
namespace {

using std::chrono::minutes;

class RivetRule2 : public RunTest {
 protected:
  RivetRule2() : RunTest({{"mode", "full"}}) {}

  ExportRun first() { return {.id = "orders_1", .parts = {{.rows = "SELECT 1 AS id"}}}; }
  ExportRun second() {
    return {.id = "orders_2",
            .started_at = "2026-11-30T11:00:00+00:00",
            .parts = {{.rows = "SELECT 2 AS id"}}};
  }
  void expect_damaged(std::function<void(nlohmann::ordered_json&)> change) {
    ExportRun run = first();
    run.change = std::move(change);
    runs_.deliver(run);
    load(3);
    EXPECT_FALSE(exists("orders"));
  }
};

TEST_F(RivetRule2, ARunWaitsForItsSuccessFileAndIsAnErrorAfterTheGrace) {
  runs_.write_parts(first());
  runs_.write_copy(first());
  runs_.write_canonical(first());
  const CycleReport report = load();
  EXPECT_EQ(report.units.waiting, 1U);
  EXPECT_TRUE(warns(report, "orders/_SUCCESS is not there yet")) << text(report);
  EXPECT_FALSE(exists("orders"));
  pipeline_.clock().advance(minutes(15));
  load(3);
  load(3);
  EXPECT_FALSE(exists("orders"));
  runs_.write_success(first());
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1"}));
  expect_quiet();
}

TEST_F(RivetRule2, ASuccessFileOfAnotherRunDoesNotCertifyThisOne) {
  runs_.deliver(first());
  runs_.write_parts(second());
  runs_.write_copy(second());
  runs_.write_canonical(second());  // _SUCCESS still has the hash of the first
  const CycleReport report = load();
  EXPECT_TRUE(warns(report, "does not agree with orders/manifest.json")) << text(report);
  EXPECT_EQ(rows("orders"), (Lines{"1"})) << "the earlier run is complete and is not hidden";
  runs_.write_success(second());
  load();
  EXPECT_EQ(rows("orders"), (Lines{"2"}));
}

TEST_F(RivetRule2, ASuccessFileOfAnotherFormIsNoHash) {
  for (const char* body : {"xxh3:AAB2B800F21D7130", "aab2b800f21d7130", "xxh3:aab2", ""}) {
    runs_.write_parts(first());
    runs_.write_canonical(first());
    runs_.write("orders/_SUCCESS", body);
    const CycleReport report = load();
    EXPECT_TRUE(warns(report, "is not like xxh3:{hex}")) << body << text(report);
  }
}

TEST_F(RivetRule2, BlanksAndLineEndsAfterTheHashAreNothing) {
  runs_.deliver(first());
  runs_.write("orders/_SUCCESS", runs_.read("orders/_SUCCESS") + "\r\n\n");
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1"}));
}

// The failed run replaces manifest.json and removes _SUCCESS; the good one has its copy only.
TEST_F(RivetRule2, AFailedRunIsNeverLoadedAndHidesNoEarlierOne) {
  for (const char* status : {"failed", "interrupted"}) {
    ExportRun failed = second();
    failed.id = std::string("orders_") + status;
    failed.status = status;
    runs_.deliver(first());
    runs_.write_parts(failed);
    runs_.write_copy(failed);
    runs_.write_canonical(failed);
    runs_.remove("orders/_SUCCESS");
    load();
    EXPECT_EQ(rows("orders"), (Lines{"1"})) << status;
  }
  EXPECT_EQ(query("SELECT unit FROM _forebay.units WHERE state = 'ignored' ORDER BY ALL"),
            (Lines{"orders/orders_failed", "orders/orders_interrupted"}));
  expect_quiet();
}

TEST_F(RivetRule2, ARunThatFailedAndWasRepeatedUnderItsIdIsLoaded) {
  ExportRun run = first();
  run.status = "failed";
  runs_.deliver(run);
  load();
  EXPECT_FALSE(exists("orders"));
  runs_.deliver(first());
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1"}));
}

TEST_F(RivetRule2, ARunningRunWaitsAndHoldsNothingBack) {
  ExportRun running = first();
  running.status = "running";
  running.parts.clear();
  runs_.write_copy(running);
  runs_.deliver(second());
  const CycleReport report = load();
  EXPECT_EQ(report.units.waiting, 1U);
  EXPECT_EQ(rows("orders"), (Lines{"2"}));
}

TEST_F(RivetRule2, AnUnknownStatusIsRefused) {
  ExportRun run = first();
  run.status = "partial";
  runs_.deliver(run);
  load(5);
}

TEST_F(RivetRule2, ARunThatItsCopyAloneNamesNeedsNoSuccessFile) {
  runs_.write_parts(first());
  runs_.write_copy(first());
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1"}));
}

TEST_F(RivetRule2, TheNumberOfPartsMustAgree) {
  expect_damaged([](auto& json) { json["part_count"] = 2; });
}
TEST_F(RivetRule2, TheSumOfTheRowsMustAgree) {
  expect_damaged([](auto& json) { json["row_count"] = 2; });
}
TEST_F(RivetRule2, PartIdsAreUnique) {
  expect_damaged([](auto& json) {
    json["parts"].push_back(json["parts"][0]);
    json["parts"][1]["path"] = "b.parquet";
    json["part_count"] = 2;
    json["row_count"] = 2;
  });
}
TEST_F(RivetRule2, TheCountOfTheSourceMustAgree) {
  expect_damaged([](auto& json) { json["source"]["extraction"]["source_row_count"] = 7; });
}

}  // namespace
}  // namespace forebay::test
