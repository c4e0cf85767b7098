// Aim: in a feed without order the mark is the greatest name below which everything seen is
// settled. Method: batches made by hand; tests/load/listing_test.cc has the same through whole
// cycles.
#include "load/mark.h"

#include <gtest/gtest.h>

#include "support/feeds.h"

namespace forebay {
namespace {

using std::chrono::hours;

const Time kNow{std::chrono::seconds(1'800'000'000)};

class MarkTest : public ::testing::Test {
 protected:
  PlannedUnit unit(const std::string& name, std::optional<Time> time = {}) {
    return {.name = {.name = name, .key = name, .name_time = time}};
  }
  // One batch that is committed.
  std::string move(const std::vector<PlannedUnit>& units) {
    std::vector<const PlannedUnit*> pointers;
    for (const PlannedUnit& one : units) pointers.push_back(&one);
    advance_mark(pipeline_, pointers, limits_, kNow, batch_);
    limits_.settle(pipeline_.feed, pointers, kNow);
    return batch_.mark_name;
  }

  Pipeline pipeline_{.feed = test::builtin("files", test::options({{"table", "t"}}))};
  MarkLimits limits_;
  Batch batch_;
};

TEST_F(MarkTest, GoesToTheGreatestNameAndNeverBack) {
  EXPECT_EQ(move({unit("b"), unit("a")}), "b");
  EXPECT_EQ(batch_.mark, "name b");
  EXPECT_EQ(move({unit("a")}), "b");
}

TEST_F(MarkTest, StaysBelowWhatHoldsIt) {
  limits_.hold(unit("d").name);
  limits_.hold(unit("b").name);
  EXPECT_EQ(move({unit("a"), unit("c"), unit("e")}), "a");
}

TEST_F(MarkTest, NeverPassesAUnitThatIsDueAndNotDecidedOn) {
  for (const char* name : {"a", "b", "c"}) limits_.due.insert({.name = name});
  EXPECT_EQ(move({unit("a"), unit("c")}), "a");
  EXPECT_EQ(move({unit("b")}), "c") << "what was decided on before counts now";
}

TEST_F(MarkTest, TakesWhatWasSettledBeforeOnlyWhenNothingIsDueBelow) {
  limits_.seen = MarkPoint{.name = "z"};
  for (const char* name : {"a", "b"}) limits_.due.insert({.name = name});
  EXPECT_EQ(move({unit("a")}), "a");
  EXPECT_EQ(move({unit("b")}), "z");
}

TEST_F(MarkTest, PutsTheTimeInANameBeforeItsBytes) {
  EXPECT_EQ(move({unit("us/1", kNow - hours(2)), unit("eu/2", kNow - hours(1))}), "eu/2");
  EXPECT_EQ(batch_.mark_time, kNow - hours(1));
}

TEST_F(MarkTest, NeverGoesToTheFutureNorWhereACycleLookedAtAPartOnly) {
  EXPECT_EQ(move({unit("a", kNow), unit("b", kNow + hours(25))}), "a");
  limits_.fixed = true;
  EXPECT_EQ(move({unit("b", kNow + hours(1))}), "a");
}

}  // namespace
}  // namespace forebay
