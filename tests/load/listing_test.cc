#include <algorithm>

#include "support/files_feed_fixture.h"

// Aim: a cycle lists what it must and nothing else, `plan` says exactly that, and the mark never
// passes what is not settled (FEEDS 2.3, rules 2, 3, 5, 7 and 8; "The mark" of section 1; LIST-1,
// LIST-2, LIST-3, MISS-6, MISS-8, MISS-15). Method: a folder behind a store that remembers each
// request to list.
namespace forebay::test {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::seconds;

class Partition : public WatchedFilesTest {
 protected:
  Partition() { option("partition", "dt={date:%Y-%m-%d}/"); }
};

// FEEDS 2.3, rule 2
// LIST-4, CLOCK-6: what is listed is what the plan says, by days in UTC.
TEST_F(Partition, TakesEverythingFirstAndThenListsTheDaysOfTheWindowAlone) {
  put_file("dt=2026-01-05/a.parquet", 1);
  put_file("dt=2026-12-30/b.parquet", 2);
  load();
  EXPECT_EQ(listed(), (Lines{"dt="}));
  EXPECT_EQ(rows(), (Lines{"1", "2"}));
  put_file("dt=2026-12-31/c.parquet", 3);
  put_file("dt=2026-01-05/late.parquet", 4);
  const Lines plan = planned();
  EXPECT_EQ(plan, (Lines{"dt=2026-12-30/", "dt=2026-12-31/"}));
  EXPECT_EQ(load().units.applied, 1U);
  EXPECT_EQ(listed(), plan);
  EXPECT_EQ(rows(), (Lines{"1", "2", "3"}));
}

TEST_F(Partition, TheAuditFindsWhatLandedInAnOlderDay) {
  put_file("dt=2026-12-30/b.parquet", 2);
  load();
  put_file("dt=2026-01-05/late.parquet", 4);
  pipeline_.clock().advance(hours(23));
  load();
  EXPECT_EQ(rows(), (Lines{"2"}));
  pipeline_.clock().advance(hours(1));
  EXPECT_EQ(planned(), (Lines{"dt="}));
  load();
  EXPECT_EQ(rows(), (Lines{"2", "4"}));
  EXPECT_EQ(query("SELECT full_listing FROM _forebay.cycles ORDER BY finished_at, rowid"),
            (Lines{"true", "false", "true"}));
}

TEST_F(Partition, AfterAPauseListsEveryDaySinceTheMarkMinusTheMargin) {
  option("audit_every", "52w");
  put_file("dt=2026-12-30/a.parquet", 1);
  load();
  pipeline_.clock().advance(days(4));
  put_file("dt=2026-12-29/b.parquet", 2);
  put_file("dt=2027-01-01/c.parquet", 3);
  const Lines plan = planned();
  EXPECT_EQ(plan, (Lines{"dt=2026-12-29/", "dt=2026-12-30/", "dt=2026-12-31/", "dt=2027-01-01/",
                         "dt=2027-01-02/", "dt=2027-01-03/", "dt=2027-01-04/"}));
  load();
  EXPECT_EQ(listed(), plan);
  EXPECT_EQ(rows(), (Lines{"1", "2", "3"}));
}

TEST_F(Partition, AWindowCountsTheDaysThatItLists) {
  option("window", "4d");
  option("margin", "0s");
  put_file("dt=2026-12-30/a.parquet", 1);
  load();
  EXPECT_EQ(planned(),
            (Lines{"dt=2026-12-28/", "dt=2026-12-29/", "dt=2026-12-30/", "dt=2026-12-31/"}));
}

TEST_F(Partition, ListsEveryCombinationOfTheEnumeratedParts) {
  pipeline_.settings.options[1].second = "region={region}/dt={date:%Y-%m-%d}/";
  pipeline_.settings.more["values"] = {
      .where = "forebay.yaml:9",
      .is_map = true,
      .fields = {{"region", {.values = {"us", "eu"}, .is_list = true}}}};
  put_file("region=us/dt=2026-12-30/a.parquet", 1);
  put_file("region=eu/dt=2026-02-03/a.parquet", 2);
  put_file("region=asia/dt=2026-12-30/a.parquet", 3);
  load();
  EXPECT_EQ(listed(), (Lines{"region=eu/dt=", "region=us/dt="}));
  EXPECT_EQ(rows(), (Lines{"1", "2"}));
  EXPECT_EQ(planned(), (Lines{"region=eu/dt=2026-12-30/", "region=eu/dt=2026-12-31/",
                              "region=us/dt=2026-12-30/", "region=us/dt=2026-12-31/"}));
  load();
  EXPECT_EQ(listed(), planned());
}

TEST_F(Partition, HoursInKeysAreListedHourByHour) {
  pipeline_.settings.options[1].second = "{hour:%Y/%m/%d/%H}/";
  option("window", "3h");
  option("margin", "1h");
  put_file("2026/12/30/22/a.parquet", 1);
  load();
  EXPECT_EQ(planned(), (Lines{"2026/12/30/22/", "2026/12/30/23/", "2026/12/31/00/"}));
}

// FEEDS 2.3, rule 2: `start`
TEST_F(Partition, StartsWithTheWindowWhenToldSoAndNeverTakesWhatIsOlder) {
  option("start", "window");
  put_file("dt=2026-12-28/old.parquet", 1);
  put_file("dt=2026-12-30/a.parquet", 2);
  const Lines plan = planned();
  EXPECT_EQ(plan, (Lines{"dt=2026-12-30/", "dt=2026-12-31/"}));
  load();
  EXPECT_EQ(listed(), plan);
  pipeline_.clock().advance(days(5));
  put_file("dt=2026-12-31/late.parquet", 3);
  load();
  EXPECT_EQ(listed(), (Lines{"dt= > dt=2026-12-3"})) << "an audit, from where it began";
  EXPECT_EQ(rows(), (Lines{"2", "3"}));
}

TEST_F(Partition, StartsWithADateWhenToldSo) {
  option("start", "2026-06-01");
  put_file("dt=2026-05-31/old.parquet", 1);
  put_file("dt=2026-06-01/a.parquet", 2);
  load();
  EXPECT_EQ(rows(), (Lines{"2"}));
  EXPECT_EQ(pipeline_.plan()->discovery.before_start, 0U) << "outside of the window";
}

TEST_F(Partition, EmptyDaysAreSuccessAndAMissingFolderIsAnError) {
  load();
  EXPECT_EQ(load().outcome, Outcome::nothing_new);
  EXPECT_EQ(listed(), (Lines{"dt=2026-12-30/", "dt=2026-12-31/"}));
  std::filesystem::remove(folder_ / "in");
  load(1);
}

TEST_F(Partition, AKeyThatDoesNotBeginSoIsNoUnit) {
  put_file("dt=2026-12-30/a.parquet", 1);
  put_file("dt=yesterday/b.parquet", 2);
  put_file("c.parquet", 3);
  EXPECT_EQ(pipeline_.plan()->discovery.not_data_examples, (Lines{"dt=yesterday/b.parquet"}));
  load();
  EXPECT_EQ(rows(), (Lines{"1"}));
}

// FEEDS 1, the mark
TEST_F(Partition, ANameDatedInTheFutureIsLoadedAndDoesNotMoveTheMark) {
  put_file("dt=2026-12-30/a.parquet", 1);
  put_file("dt=2027-03-01/b.parquet", 2);
  EXPECT_TRUE(warns(load(), "dated in the future"));
  EXPECT_EQ(rows(), (Lines{"1", "2"}));
  EXPECT_EQ(mark(), "name dt=2026-12-30/a.parquet");
  EXPECT_EQ(planned(), (Lines{"dt=2026-12-30/", "dt=2026-12-31/"}));
}

// MISS-6
TEST_F(Partition, APassingFailureHoldsTheMark) {
  option("audit_every", "52w");
  put_file("dt=2026-12-01/a.parquet", 1);
  load();
  EXPECT_EQ(mark(), "name dt=2026-12-01/a.parquet");
  put_file("dt=2026-12-01/b.parquet", 2);
  put_file("dt=2026-12-30/c.parquet", 3);
  watch_.before_open = [](const std::string& key) -> Status {
    if (key != "dt=2026-12-01/b.parquet") return {};
    return fail({.code = ErrorCode::unavailable, .operation = "read", .object = key});
  };
  EXPECT_EQ(load(2).units.applied, 1U);
  EXPECT_EQ(rows(), (Lines{"1", "3"}));
  EXPECT_EQ(mark(), "name dt=2026-12-01/a.parquet") << "c is applied, but b below it is not";
  watch_.before_open = nullptr;
  EXPECT_EQ(load().units.applied, 1U);
  EXPECT_EQ(rows(), (Lines{"1", "2", "3"}));
  EXPECT_EQ(mark(), "name dt=2026-12-30/c.parquet") << "and now nothing is left below c";
}

TEST_F(Partition, AQuarantinedUnitDoesNotHoldTheMark) {
  put_file("dt=2026-12-01/a.parquet", 1);
  folder_.write("in/dt=2026-12-30/b.parquet", "not Parquet at all");
  load(3);
  EXPECT_EQ(mark(), "name dt=2026-12-30/b.parquet");
}

TEST_F(Partition, UnitsThatWereNotAskedForHoldTheMark) {
  put_file("dt=2026-12-01/a.parquet", 1);
  put_file("dt=2026-12-02/b.parquet", 2);
  load(0, {.max_units = 1});
  EXPECT_EQ(mark(), "name dt=2026-12-01/a.parquet");
}

TEST_F(Partition, WhatAnAuditFoundAndCouldNotReadIsLookedForAgain) {
  put_file("dt=2026-12-30/a.parquet", 1);
  load();
  pipeline_.clock().advance(days(1));
  put_file("dt=2026-01-01/b.parquet", 2);
  watch_.before_open = [](const std::string& key) -> Status {
    return fail({.code = ErrorCode::unavailable, .operation = "read", .object = key});
  };
  load(2);
  watch_.before_open = nullptr;
  load();
  EXPECT_EQ(listed(), (Lines{"dt="}));
  EXPECT_EQ(rows(), (Lines{"1", "2"}));
  load();
  EXPECT_EQ(listed().size(), 4U) << "and then no more";
}

class NamesThatGrow : public WatchedFilesTest {};

// FEEDS 2.3, rule 3; LIST-1
TEST_F(NamesThatGrow, ListingsResumeAfterTheMarkMinusTheLookBack) {
  option("pattern", "events/{day:%Y-%m-%d}-*.parquet");
  option("lookback", "2d");
  put_file("events/2026-12-10-a.parquet", 1);
  put_file("events/2026-12-20-a.parquet", 2);
  load();
  EXPECT_EQ(listed(), (Lines{"events/"}));
  put_file("events/2026-12-17-late.parquet", 3);
  put_file("events/2026-12-18-late.parquet", 4);
  const Lines plan = planned();
  EXPECT_EQ(plan, (Lines{"events/ > events/2026-12-1"}));
  load();
  EXPECT_EQ(listed(), plan);
  EXPECT_EQ(rows(), (Lines{"1", "2", "3", "4"}));
}

TEST_F(NamesThatGrow, WithoutALookBackEverythingIsListedEachTime) {
  option("pattern", "events/{day:%Y-%m-%d}-*.parquet");
  put_file("events/2026-12-10-a.parquet", 1);
  load();
  load();
  EXPECT_EQ(listed(), (Lines{"events/"}));
}

constexpr const char* kHourly = R"(about: a test
unit:
  file: "lake/{hour:%Y/%m/%d/%H}/{table}/{file}.parquet"
  name_time: {of: hour}
table: {text: events}
effect: append
options: {lookback: 3h}
)";

// FEEDS 1: a store without start-after lists a prefix for each hour of the look-back.
TEST_F(NamesThatGrow, HoursInFoldersAreListedFromTheLookBackOn) {
  pipeline_.settings.yaml = kHourly;
  pipeline_.settings.options.clear();
  watch_.honours_start_after = false;
  put_file("lake/2026/12/30/23/entry/a.parquet", 1);
  put_file("lake/2026/01/01/00/entry/seed.parquet", 2);
  load();
  EXPECT_EQ(listed(), (Lines{"lake/"}));
  load();
  EXPECT_EQ(listed(), (Lines{"lake/2026/12/30/20/", "lake/2026/12/30/21/", "lake/2026/12/30/22/",
                             "lake/2026/12/30/23/", "lake/2026/12/31/00/"}));
  watch_.honours_start_after = true;
  load();
  EXPECT_EQ(listed(), (Lines{"lake/ > lake/2026/12/30/2"})) << "one request where that is enough";
  watch_.honours_start_after = false;
  pipeline_.settings.options = {{"audit_every", "52w"}};
  pipeline_.clock().advance(days(60));
  load();
  EXPECT_EQ(listed(), (Lines{"lake/"})) << "a listing of all costs less than so many prefixes";
}

TEST_F(NamesThatGrow, IncludeAndExcludeChooseAmongTheKeys) {
  pipeline_.settings.more["include"] = {.values = {"a/**", "b/*.parquet"}, .is_list = true};
  option("exclude", "*-draft.parquet");
  put_file("a/x/1.parquet", 1);
  put_file("b/2.parquet", 2);
  put_file("b/x/3.parquet", 3);
  put_file("c/4.parquet", 4);
  put_file("a/5-draft.parquet", 5);
  load();
  EXPECT_EQ(listed(), (Lines{"a/", "b/"})) << "LIST-3: literal beginnings go into the listing";
  EXPECT_EQ(rows(), (Lines{"1", "2"}));
}

// FEEDS 2.3, rule 7
TEST_F(NamesThatGrow, PlanListsWhatIsNeverData) {
  put_file("a.parquet", 1);
  put_file("_tmp/b.parquet", 2);
  folder_.write("in/empty.parquet", "");
  const auto plan = pipeline_.plan();
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->units.size(), 1U);
  EXPECT_EQ(plan->discovery.not_data_examples, (Lines{"_tmp/b.parquet", "empty.parquet"}));
}

// FEEDS 2.3, rule 5; CONC-1
TEST_F(NamesThatGrow, TwoRunsAtOnceNeverLoadAFileTwice) {
  put_file("a.parquet", 1);
  put_file("b.parquet", 2);
  const auto target = pipeline_.open_target();
  ASSERT_TRUE(target);
  TestPipeline second(pipeline_.settings);
  int second_code = -1;
  watch_.before_open = [&](const std::string& key) -> Status {
    if (key == "a.parquet" && second_code < 0) second_code = code(second.load_into(**target));
    return {};
  };
  TestPipeline first(pipeline_.settings);
  first.decorate = [this](ObjectStore& inner) {
    return std::make_unique<WatchedStore>(inner, watch_);
  };
  watch_.after_page = nullptr;
  const CycleReport report = first.load_into(**target);
  EXPECT_EQ(second_code, 0);
  EXPECT_EQ(code(report), 2) << text(report);
  EXPECT_EQ(code(first.load_into(**target)), 0);
  const auto rows_now = (*target)->describe("events", {{"main", "events"}});
  ASSERT_TRUE(rows_now);
  EXPECT_EQ(rows_now->front().rows, 2U);
}

// FEEDS 2.3, rule 8
class Settle : public WatchedFilesTest {
 protected:
  Settle() {
    put_file("a.parquet", 1);
    written(Duration(0));
  }
  // So long before now.
  void written(Duration ago) {
    const Time time = pipeline_.clock().now() - ago;
    watch_.after_page = [time](std::vector<ObjectInfo>& objects) {
      for (ObjectInfo& object : objects) object.last_modified = time;
    };
  }
};

TEST_F(Settle, LoadWaitsForAFileOfAFolderThatIsTooYoung) {
  EXPECT_EQ(load().units.applied, 1U);
  EXPECT_EQ(pipeline_.clock().naps(), (std::vector<Duration>{seconds(2)}));
}

// CLOCK-1
TEST_F(Settle, DoesNotWaitForOneThatIsOldEnough) {
  written(seconds(2));
  EXPECT_EQ(load().units.applied, 1U);
  EXPECT_TRUE(pipeline_.clock().naps().empty());
}

TEST_F(Settle, CanBeTurnedOff) {
  option("settle", "0s");
  EXPECT_EQ(load().units.applied, 1U);
  EXPECT_TRUE(pipeline_.clock().naps().empty());
}

// CLOCK-1
TEST_F(Settle, LoadWaitsForNoMoreThanAMinute) {
  option("settle", "10m");
  const CycleReport report = load();
  EXPECT_EQ(report.units.applied, 0U);
  EXPECT_EQ(report.units.waiting, 1U);
  EXPECT_TRUE(pipeline_.clock().naps().empty());
  pipeline_.clock().advance(std::chrono::minutes(9) + seconds(30));
  EXPECT_EQ(load().units.applied, 1U);
  EXPECT_EQ(pipeline_.clock().naps(), (std::vector<Duration>{seconds(30)}));
}

TEST_F(Settle, WorkDoesNotCountAsWaiting) {
  const auto as_written = watch_.after_page;
  watch_.after_page = [this, as_written](std::vector<ObjectInfo>& objects) {
    as_written(objects);
    pipeline_.clock().advance(std::chrono::minutes(5));
  };
  EXPECT_EQ(load().units.applied, 1U);
  EXPECT_EQ(pipeline_.clock().naps(), (std::vector<Duration>{seconds(2)}));
}

TEST_F(Settle, OneThatIsDatedInTheFutureHasSettledAfterTwoEqualListings) {
  written(-hours(5));
  EXPECT_EQ(load().units.applied, 1U);
  EXPECT_EQ(pipeline_.clock().naps(), (std::vector<Duration>{seconds(2)}));
}

TEST_F(Settle, OneThatIsDatedInTheFutureAndStillChangesIsLeftAlone) {
  const Time time = pipeline_.clock().now() + hours(5);
  int page = 0;
  watch_.after_page = [time, page](std::vector<ObjectInfo>& objects) mutable {
    for (ObjectInfo& object : objects) {
      object.last_modified = time;
      object.version += std::to_string(++page);
    }
  };
  const CycleReport report = load();
  EXPECT_EQ(report.units.applied, 0U);
  EXPECT_EQ(report.units.waiting, 1U);
}

}  // namespace
}  // namespace forebay::test
