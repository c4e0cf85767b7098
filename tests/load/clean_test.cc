#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "support/run_fixture.h"

// Aim: rule 7 of the feed `rivet`: `cleanup_source` removes exactly the objects of applied runs,
// after the commit. Method: a source with runs of every kind; what is left after a load is listed.
namespace forebay::test {
namespace {

class CleanSource : public RunTest {
 protected:
  CleanSource() : RunTest({{"mode", "full"}, {"cleanup_source", "true"}}) {}

  Lines left() const {
    Lines keys;
    const std::filesystem::path root = runs_.path("");
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
      if (entry.is_regular_file())
        keys.push_back(std::filesystem::relative(entry.path(), root).string());
    }
    std::ranges::sort(keys);
    return keys;
  }
};

// DUP-2: an empty source makes nothing new.
TEST_F(CleanSource, RemovesWhatWasApplied) {
  runs_.deliver({.parts = {{.rows = "SELECT 1 AS id"}}});
  load();
  EXPECT_EQ(left(), Lines{});
  EXPECT_EQ(rows("orders"), Lines{"1"});
  load();
  EXPECT_EQ(rows("orders"), Lines{"1"});
}

TEST_F(CleanSource, LeavesEverythingElse) {
  runs_.deliver({.id = "orders_0", .parts = {{.rows = "SELECT 0 AS id"}}});
  ExportRun failed{.id = "orders_2",
                   .started_at = "2026-11-30T12:00:00Z",
                   .status = "failed",
                   .parts = {{.rows = "SELECT 2 AS id"}}};
  const ExportRun good{.id = "orders_1",
                       .started_at = "2026-11-30T11:00:00Z",
                       .parts = {{.rows = "SELECT 1 AS id"}}};
  runs_.write_parts(good);
  runs_.write_copy(good);
  runs_.write_parts(failed);
  runs_.write_copy(failed);
  runs_.write("orders/notes.txt", "not ours");
  load();
  EXPECT_EQ(rows("orders"), Lines{"1"});
  EXPECT_EQ(left(),
            (Lines{"orders/_SUCCESS", "orders/manifest-orders_0.json",
                   "orders/manifest-orders_2.json", "orders/manifest.json", "orders/notes.txt",
                   "orders/orders_0-1.parquet", "orders/orders_2-1.parquet"}))
      << "superseded and failed runs were never applied";
}

TEST_F(CleanSource, ARunThatIsRefusedStays) {
  const ExportRun run{.parts = {{.rows = "SELECT 1 AS id"}}};
  runs_.deliver(run);
  runs_.remove(RunMaker::part_key(run, 0));
  load(3);
  EXPECT_EQ(left(),
            (Lines{"orders/_SUCCESS", "orders/manifest-orders_1.json", "orders/manifest.json"}));
}

// A loader that is stopped between commit and removal leaves that to the next one.
// DUP-2, CONC-3: what is to be removed, the ledger says.
TEST_F(CleanSource, WhatWasLeftIsRemovedByTheNextLoad) {
  pipeline_.settings.options.pop_back();
  runs_.deliver({.parts = {{.rows = "SELECT 1 AS id"}}});
  load();
  EXPECT_EQ(left().size(), 4U);
  pipeline_.settings.options.emplace_back("cleanup_source", "true");
  load();
  EXPECT_EQ(left(), Lines{});
}

TEST_F(CleanSource, AnObjectThatChangedSinceStays) {
  pipeline_.settings.options.pop_back();
  const ExportRun run{.parts = {{.rows = "SELECT 1 AS id"}}};
  runs_.deliver(run);
  load();
  runs_.write(RunMaker::part_key(run, 0), "something else");
  pipeline_.settings.options.emplace_back("cleanup_source", "true");
  load();
  EXPECT_EQ(left(), Lines{RunMaker::part_key(run, 0)});
}

}  // namespace
}  // namespace forebay::test
