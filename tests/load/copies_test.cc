#include "load/copies.h"

#include <gtest/gtest.h>

#include "support/files_feed_fixture.h"

// Aim: the same bytes under a new name are loaded, or skipped and recorded with `dedup: content`
// (FEEDS 2.3 rule 4; DUP-7). Method: files of a folder, loaded in process.
namespace forebay::test {
namespace {

class Copies : public FilesTest {
 protected:
  Copies() { wait_until_all_settled(); }
  void put(const std::string& key, const std::string& bytes) { folder_.write("in/" + key, bytes); }
  Lines units() const {
    return query("SELECT unit, state, reason FROM _forebay.units ORDER BY 1, 2");
  }
};

TEST_F(Copies, AreLoadedUnlessTheOptionSaysOtherwise) {
  put("x.csv", "n\n1\n");
  put("x_retry1.csv", "n\n1\n");
  load();
  EXPECT_EQ(rows(), (Lines{"1", "1"}));
}

// DUP-7
TEST_F(Copies, AreSkippedAndRecordedWithDedupContent) {
  option("dedup", "content");
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
  option("dedup", "content");
  option("on_rewrite", "replace");
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
  option("dedup", "content");
  option("on_rewrite", "replace");
  put("x.csv", "n\n1\n");
  put("y.csv", "n\n1\n");
  put("z.csv", "n\n1\n");
  load();
  EXPECT_EQ(rows(), (Lines{"1"}));
  put("x.csv", "n\n2\n");
  load();
  EXPECT_EQ(rows(), (Lines{"1", "2"})) << "a load returns when nothing is left";
  EXPECT_EQ(load().outcome, Outcome::nothing_new);
}

// CONTRACT: what `dedup` says is fixed once rows stand.
TEST_F(Copies, TheOptionIsFixed) {
  put("x.csv", "n\n1\n");
  load();
  option("dedup", "content");
  put("y.csv", "n\n1\n");
  const CycleReport report = load(5);
  EXPECT_TRUE(report.error && report.error->cause.contains("'content'")) << text(report);
}

}  // namespace
}  // namespace forebay::test
