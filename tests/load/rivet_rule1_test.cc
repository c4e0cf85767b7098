#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "support/run_fixture.h"

// Aim: rule 1 of the feed `rivet`: a run is (folder, run id); of its manifests the newest counts;
// parts stay in the manifest's own folder; other versions of the manifest are refused, fields that
// are not known are passed over. Method: runs written as the exporter writes them, loaded in
// process.
namespace forebay::test {
namespace {

class RivetRule1 : public RunTest {
 protected:
  RivetRule1() : RunTest({{"mode", "full"}}) {}
};

TEST_F(RivetRule1, ARunThatHasBothManifestsIsOneUnit) {
  runs_.deliver({.parts = {{.rows = "SELECT 1 AS id"}}});
  EXPECT_EQ(load().units.applied, 1U);
  EXPECT_EQ(units(), (Lines{"orders/orders_1|applied"}));
  EXPECT_EQ(rows("orders"), (Lines{"1"}));
  expect_quiet();
}

TEST_F(RivetRule1, ARunAtTheTopOfTheSourceIsKnownByItsIdAlone) {
  runs_.deliver({.folder = "", .parts = {{.rows = "SELECT 1 AS id"}}});
  load();
  EXPECT_EQ(units(), (Lines{"orders_1|applied"}));
  expect_quiet();
}

TEST_F(RivetRule1, ARunThatOnlyManifestJsonNamesIsLoaded) {
  const ExportRun run{.parts = {{.rows = "SELECT 1 AS id"}}};
  runs_.write_parts(run);
  runs_.write_canonical(run);
  runs_.write_success(run);
  EXPECT_EQ(load().units.applied, 1U);
}

TEST_F(RivetRule1, TheTablesOfOneStreamShareARunId) {
  runs_.deliver({.id = "shop_1",
                 .folder = "shop/a",
                 .export_name = "shop",
                 .table = "a",
                 .parts = {{.rows = "SELECT 1 AS id"}}});
  runs_.deliver({.id = "shop_1",
                 .folder = "shop/b",
                 .export_name = "shop",
                 .table = "b",
                 .parts = {{.rows = "SELECT 2 AS id"}}});
  EXPECT_EQ(load().units.applied, 2U);
  EXPECT_EQ(rows("a"), (Lines{"1"}));
  EXPECT_EQ(rows("b"), (Lines{"2"}));
}

TEST_F(RivetRule1, ThePartsOfARunStayInItsFolder) {
  runs_.deliver({.folder = "other", .parts = {{.rows = "SELECT 1 AS id"}}});
  const ExportRun run{.parts = {{.rows = "SELECT 1 AS id"}}, .change = [](auto& json) {
                        json["parts"][0]["path"] = "../other/x.parquet";
                      }};
  runs_.deliver(run);
  const CycleReport report = load(5);
  ASSERT_TRUE(report.error);
  EXPECT_NE(report.error->cause.find("/parts/0"), std::string::npos) << text(report);
}

TEST_F(RivetRule1, AnotherManifestVersionIsRefused) {
  runs_.deliver({.parts = {{.rows = "SELECT 1 AS id"}},
                 .change = [](auto& json) { json["manifest_version"] = 2; }});
  load(5);
  EXPECT_FALSE(exists("orders"));
}

TEST_F(RivetRule1, FieldsThatAreNotKnownArePassedOver) {
  runs_.deliver({.parts = {{.rows = "SELECT 1 AS id"}},
                 .change = [](auto& json) { json["parts"][0]["chunk_start"] = "x"; }});
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1"}));
}

// A manifest that is no JSON speaks of no run: it is an error, and what lies beside it waits.
TEST_F(RivetRule1, ADamagedManifestStopsItsOwnFolderOnly) {
  runs_.deliver({.parts = {{.rows = "SELECT 1 AS id"}}});
  runs_.deliver({.id = "visits_1",
                 .folder = "visits",
                 .export_name = "visits",
                 .parts = {{.rows = "SELECT 2 AS id"}}});
  runs_.write("orders/manifest-orders_0.json", "{");
  const CycleReport report = load(3);
  EXPECT_EQ(report.units.applied, 1U) << text(report);
  EXPECT_FALSE(exists("orders"));
  EXPECT_EQ(rows("visits"), (Lines{"2"}));
  runs_.remove("orders/manifest-orders_0.json");
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1"}));
}

TEST_F(RivetRule1, WhatWasMovedAsideIsNeverARun) {
  runs_.deliver({.folder = "_quarantine/orders_0", .parts = {{.rows = "SELECT 1 AS id"}}});
  const CycleReport report = load();
  EXPECT_EQ(report.units.applied, 0U);
}

}  // namespace
}  // namespace forebay::test
