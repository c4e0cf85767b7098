#include "load/gates.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "support/parquet_maker.h"
#include "support/pipeline_fixture.h"

// Aim: a unit is read when its gates are open, not before, and a gate that cannot be evaluated
// keeps it shut. Method: descriptions of a few lines over a folder; what a load takes is compared.
namespace forebay::test {
namespace {

class Gates : public ::testing::Test {
 protected:
  TestPipeline& feed(const std::string& yaml) {
    pipeline_.emplace(TestPipeline::Settings{.yaml = yaml,
                                             .name = "gates",
                                             .schema = "raw",
                                             .source = folder_ / "in",
                                             .database = database()});
    pipeline_->clock().advance(system_clock().now() + std::chrono::minutes(10) -
                               pipeline_->clock().now());
    return *pipeline_;
  }
  std::string database() const { return folder_ / "warehouse.duckdb"; }
  std::string path(const std::string& key) const { return folder_ / ("in/" + key); }
  void file(const std::string& key, int id) const {
    std::filesystem::create_directories(std::filesystem::path(path(key)).parent_path());
    make_parquet(path(key), fmt::format("SELECT {} AS id", id));
  }
  void text(const std::string& key, const std::string& bytes) const {
    write_new_version(path(key), bytes);
  }
  Lines ids() const {
    const Lines found =
        query_lines(database(), "SELECT count(*) FROM duckdb_tables() WHERE schema_name = 'raw'");
    return found == Lines{"0"} ? Lines{}
                               : query_lines(database(), "SELECT id FROM raw.t ORDER BY id");
  }

  TempFolder folder_;
  std::optional<TestPipeline> pipeline_;
};

constexpr const char* kFiles = R"(about: x
unit: {file: "{hour}/{n:int}.parquet"}
table: {text: t}
effect: append
)";

TEST_F(Gates, AFlagMustBeThere) {
  TestPipeline& pipeline = feed(std::string(kFiles) + "gate: [{exists: \"{hour}/_SUCCESS\"}]\n");
  file("1/1.parquet", 1);
  file("2/2.parquet", 2);
  text("2/_SUCCESS", "");
  CycleReport report = pipeline.load();
  EXPECT_EQ(code(report), 0) << forebay::test::text(report);
  EXPECT_EQ(report.units.waiting, 1U);
  EXPECT_EQ(ids(), Lines{"2"});
  text("1/_SUCCESS", "");
  pipeline.load();
  EXPECT_EQ(ids(), (Lines{"1", "2"}));
}

TEST_F(Gates, AFlagMustBeGone) {
  TestPipeline& pipeline = feed(std::string(kFiles) + "gate: [{absent: \"{hour}/INCOMPLETE\"}]\n");
  file("1/1.parquet", 1);
  text("1/INCOMPLETE", "");
  pipeline.load();
  EXPECT_EQ(ids(), Lines{});
  std::filesystem::remove(path("1/INCOMPLETE"));
  pipeline.load();
  EXPECT_EQ(ids(), Lines{"1"});
}

TEST_F(Gates, WhatAnotherObjectNamesIsStillOpen) {
  TestPipeline& pipeline =
      feed(std::string(kFiles) +
           "gate: [{unlike: {of: \"state.json\", path: /open, value: {capture: hour}}}]\n");
  file("1/1.parquet", 1);
  file("2/2.parquet", 2);
  EXPECT_EQ(pipeline.load().units.waiting, 2U) << "nothing tells what is open";
  text("state.json", R"({"open": "2"})");
  pipeline.load();
  EXPECT_EQ(ids(), Lines{"1"});
  text("state.json", R"({"open": null})");
  pipeline.load();
  EXPECT_EQ(ids(), (Lines{"1", "2"}));
}

TEST_F(Gates, AGateThatCannotBeEvaluatedKeepsTheUnitShut) {
  TestPipeline& pipeline =
      feed(std::string(kFiles) +
           "gate: [{unlike: {of: \"state.json\", path: /open, value: {capture: hour}}}]\n");
  file("1/1.parquet", 1);
  text("state.json", R"({"opened": "2"})");
  EXPECT_EQ(code(pipeline.load()), 5);
  EXPECT_EQ(ids(), Lines{});
}

// Numbers, not texts: 10 is above 9.
TEST_F(Gates, ANameMustBeBelowACheckpoint) {
  TestPipeline& pipeline = feed(std::string(kFiles) + "gate: [{below: \"{n:int}.RESOLVED\"}]\n");
  for (const int n : {8, 9, 10, 11}) file(fmt::format("1/{}.parquet", n), n);
  EXPECT_EQ(pipeline.load().units.waiting, 4U);
  text("9.RESOLVED", "");
  pipeline.load();
  EXPECT_EQ(ids(), Lines{"8"});
  text("11.RESOLVED", "");
  pipeline.load();
  EXPECT_EQ(ids(), (Lines{"8", "9", "10"}));
}

TEST_F(Gates, AGateOfAnOrderedFeedHoldsBackWhatComesAfter) {
  TestPipeline& pipeline = feed(R"(about: x
unit: {file: "{n:int}.parquet", order: [n]}
table: {text: t}
effect: append
gate: [{absent: "{n}.busy"}]
)");
  for (const int n : {1, 2, 3}) file(fmt::format("{}.parquet", n), n);
  text("2.busy", "");
  EXPECT_EQ(pipeline.load().units.waiting, 2U);
  EXPECT_EQ(ids(), Lines{"1"});
  std::filesystem::remove(path("2.busy"));
  pipeline.load();
  EXPECT_EQ(ids(), (Lines{"1", "2", "3"}));
}

// AppsFlyer-like: the folder of an hour is one unit, and its files are listed when the flag is
// seen.
TEST_F(Gates, AFolderWithAFlagIsOneUnit) {
  TestPipeline& pipeline = feed(R"(about: x
unit: {document: "h={hour:int}/_SUCCESS", order: [hour]}
files: {folder: "{$folder}/", match: "*.parquet", table: {text: t}}
effect: append
)");
  file("h=9/a.parquet", 1);
  file("h=10/a.parquet", 2);
  file("h=10/sub/b.parquet", 3);
  file("h=10/_temporary/c.parquet", 4);
  text("h=10/notes.txt", "no data");
  text("h=10/_SUCCESS", "");
  const CycleReport report = pipeline.load();
  EXPECT_EQ(code(report), 0) << forebay::test::text(report);
  EXPECT_EQ(report.units.applied, 1U);
  EXPECT_EQ(report.files, 2U);
  EXPECT_EQ(ids(), (Lines{"2", "3"}));
  EXPECT_EQ(pipeline.load().outcome, Outcome::nothing_new);
}

// A pointer is overwritten; each version of it is a unit that replaces its month.
TEST_F(Gates, EachVersionOfAPointerIsAUnit) {
  TestPipeline& pipeline = feed(R"(about: x
unit:
  document: "{month}/current.json"
  identity: [{capture: $key}, {document: hash}]
  order: [{of: /at, as: time}]
files: {list: /files, path: {field: path, from: document}, table: {text: t}}
effect: {part: [{capture: month}], clear: part, then: append}
)");
  const auto point = [&](const std::string& month, int at, int id) {
    file(fmt::format("{}/{}.parquet", month, id), id);
    text(month + "/current.json",
         fmt::format(R"({{"at": "2026-01-01T{:02}:00:00Z", "files": [{{"path": "{}.parquet"}}]}})",
                     at, id));
  };
  point("m1", 1, 1);
  point("m2", 2, 2);
  CycleReport report = pipeline.load();
  EXPECT_EQ(code(report), 0) << forebay::test::text(report);
  point("m1", 3, 3);
  pipeline.load();
  EXPECT_EQ(ids(), (Lines{"2", "3"}));
  EXPECT_EQ(query_lines(database(), "SELECT count(*) FROM _forebay.units WHERE state = 'applied'"),
            Lines{"3"});
}

}  // namespace
}  // namespace forebay::test
