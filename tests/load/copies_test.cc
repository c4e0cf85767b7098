#include "load/copies.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "support/pipeline_fixture.h"

// Aim: the same bytes under a new name are loaded, or skipped and recorded with `dedup: content`
// (FEEDS 2.3 rule 4; DUP-7). Method: files of a folder, loaded in process.
namespace forebay::test {
namespace {

class Copies : public ::testing::Test {
 protected:
  Copies() {
    std::filesystem::create_directories(folder_ / "in");
    pipeline_.clock().advance(std::chrono::hours(24 * 365 * 10));
  }
  void put(const std::string& key, const std::string& bytes) { folder_.write("in/" + key, bytes); }
  CycleReport load(int expected = 0) {
    CycleReport report = pipeline_.load();
    EXPECT_EQ(code(report), expected) << text(report);
    return report;
  }
  Lines rows() const { return query_lines(database_, "SELECT n FROM main.events ORDER BY ALL"); }
  Lines units() const {
    return query_lines(database_, "SELECT unit, state, reason FROM _forebay.units ORDER BY 1, 2");
  }

  TempFolder folder_;
  std::string database_ = folder_ / "warehouse.duckdb";
  TestPipeline pipeline_{{.feed = "files",
                          .options = {{"table", "events"}},
                          .name = "events",
                          .schema = "main",
                          .source = folder_ / "in",
                          .database = database_}};
};

TEST_F(Copies, AreLoadedUnlessTheOptionSaysOtherwise) {
  put("x.csv", "n\n1\n");
  put("x_retry1.csv", "n\n1\n");
  load();
  EXPECT_EQ(rows(), (Lines{"1", "1"}));
}

// DUP-7
TEST_F(Copies, AreSkippedAndRecordedWithDedupContent) {
  pipeline_.settings.options.emplace_back("dedup", "content");
  put("x.csv", "n\n1\n");
  put("x_retry1.csv", "n\n1\n");
  EXPECT_EQ(load().units.applied, 1U);
  put("x_retry2.csv", "n\n1\n");
  put("y.csv", "n\n2\n");
  EXPECT_EQ(load().units.applied, 1U);
  EXPECT_EQ(rows(), (Lines{"1", "2"}));
  EXPECT_EQ(units(), (Lines{"x.csv|applied|", "x_retry1.csv|ignored|the same bytes as x.csv",
                            "x_retry2.csv|ignored|the same bytes as x.csv", "y.csv|applied|"}));
  EXPECT_EQ(load().outcome, Outcome::nothing_new);
}

TEST_F(Copies, ContentThatWasTakenBackIsNewAgain) {
  pipeline_.settings.options.emplace_back("dedup", "content");
  pipeline_.settings.options.emplace_back("on_rewrite", "replace");
  put("x.csv", "n\n1\n");
  load();
  put("x.csv", "n\n2\n");
  load();
  put("y.csv", "n\n1\n");
  load();
  EXPECT_EQ(rows(), (Lines{"1", "2"}));
}

// FEEDS, section 1: a unit that was skipped as equal to what is taken back is due again.
TEST_F(Copies, ACopyOfWhatWasTakenBackIsDueAgain) {
  pipeline_.settings.options.emplace_back("dedup", "content");
  pipeline_.settings.options.emplace_back("on_rewrite", "replace");
  put("x.csv", "n\n1\n");
  put("y.csv", "n\n1\n");
  put("z.csv", "n\n1\n");
  load();
  EXPECT_EQ(rows(), (Lines{"1"}));
  put("x.csv", "n\n2\n");
  load();
  load();
  EXPECT_EQ(rows(), (Lines{"1", "2"}));
  EXPECT_EQ(load().outcome, Outcome::nothing_new);
}

// CONTRACT: what `dedup` says is fixed once rows stand.
TEST_F(Copies, TheOptionIsFixed) {
  put("x.csv", "n\n1\n");
  load();
  pipeline_.settings.options.emplace_back("dedup", "content");
  put("y.csv", "n\n1\n");
  const CycleReport report = load(5);
  EXPECT_TRUE(report.error && report.error->cause.contains("'content'")) << text(report);
}

}  // namespace
}  // namespace forebay::test
