// Aim: what target.h promises of the ledger holds for every kind of target: the fence, and answers
// that say what was done. Method: as in target_test.cc.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/target_fixture.h"

namespace forebay::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

using TargetLedger = TargetConformanceTest;

TEST_P(TargetLedger, AnEmptyDatabaseReadsAsEmpty) {
  const auto target = open(TargetMode::read);
  const auto head = target->head("p");
  ASSERT_TRUE(head) << describe(head.error());
  EXPECT_EQ(head->commit_no, 0);
  EXPECT_EQ(head->next_file_id, 1);
  EXPECT_THAT(target->known("p", {"u1"}).value(), IsEmpty());
  const auto states = target->describe("p", {table()});
  ASSERT_TRUE(states) << describe(states.error());
  EXPECT_FALSE(states->at(0).exists);
}

TEST_P(TargetLedger, ABatchMayBringEntriesAlone) {
  auto target = open();
  Batch quarantined{.pipeline = "p", .commit_no = 1, .decided_at = kNow};
  quarantined.units.push_back(unit(7, UnitState::quarantined));
  quarantined.units.back().reason = "it's 'damaged'\n\\";
  quarantined.documents.push_back({.key = "doc", .version = "1", .unit = "u7"});
  ASSERT_TRUE(target->apply(quarantined));
  const auto known = target->known("p", {"u7"}).value();
  ASSERT_THAT(known, SizeIs(1));
  EXPECT_EQ(known[0].reason, "it's 'damaged'\n\\");
  EXPECT_FALSE(known[0].applied);
  EXPECT_EQ(target->known_documents("p", {"doc"}).value().at(0).unit, "u7");
  const auto history = target->history("p", {.states = {UnitState::quarantined}, .limit = 5});
  ASSERT_TRUE(history) << describe(history.error());
  EXPECT_THAT(*history, SizeIs(1));
}

TEST_P(TargetLedger, WhoPlannedOnAnOlderStateFailsAndChangesNothing_CONC1) {
  auto target = open();
  apply(*target, batch(1, 1, change(1, {{"a", 1}}, true)));
  const auto applied = target->apply(batch(1, 2, change(2, {{"b", 2}}, false)));
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().code, ErrorCode::busy) << describe(applied.error());
  EXPECT_THAT(applied.error().cause, HasSubstr("another loader"));
  apply(*target, batch(2, 2, change(2, {{"c", 3}}, false)));
  target.reset();
  EXPECT_EQ(rows(), "a|1,c|3");
  EXPECT_EQ(place_->rows({"unit"}, "_forebay.units"), "u1,u2");
}

TEST_P(TargetLedger, ManyNamesAreCompared) {
  auto target = open();
  Batch many = batch(1, 1, change(1, {{"a", 1}}, true));
  std::vector<std::string> names;
  for (int i = 0; i < 5000; ++i) {
    names.push_back(fmt::format("Ü{:05}\\'\"", i));
    if (i % 2 == 1) continue;
    many.units.push_back(unit(1));
    many.units.back().unit = names.back();
  }
  apply(*target, many);
  const auto known = target->known("p", names);
  ASSERT_TRUE(known) << describe(known.error());
  EXPECT_THAT(*known, SizeIs(2500));
  const auto files = target->known_files("p", table(), {"a", "k1"});
  ASSERT_TRUE(files) << describe(files.error());
  ASSERT_THAT(*files, SizeIs(1));
  EXPECT_EQ(files->at(0).checksum, "c1");
}

TEST_P(TargetLedger, FilesAreFoundByPlaceUnitAndChecksum) {
  auto target = open();
  apply(*target, batch(1, 1, change(1, {{"a", 1}}, true)));
  apply(*target, batch(2, 2, change(2, {{"b", 2}}, false)));
  const auto ids = [](const auto& files) {
    std::string list;
    for (const auto& file : files.value()) list += fmt::format("{} ", file.file_id);
    return list;
  };
  EXPECT_EQ(ids(target->live_files("p", table(), "", "")), "1 2 ");
  EXPECT_EQ(ids(target->live_files("p", table(), "\x01u1", "\x01u2")), "1 ");
  EXPECT_EQ(ids(target->live_files_of("p", "u2")), "2 ");
  EXPECT_EQ(ids(target->files_of("p", "u1")), "1 ");
  EXPECT_EQ(ids(target->files_from("p", table(), "\x01u2")), "2 ");
  EXPECT_EQ(target->files_of("p", "u2").value().at(0).last_modified, kNow);
  EXPECT_EQ(target->units_with("p", {"c2", "c9"}).value().at("c2"), "u2");
  EXPECT_FALSE(target->column_is_all_null(table(), "v").value());
}

TEST_P(TargetLedger, ListingsAreCompared) {
  auto target = open();
  apply(*target, batch(1, 1, change(1, {{"a", 1}}, true)));
  apply(*target, batch(2, 2, change(2, {{"b", 2}}, false)));
  ASSERT_TRUE(target->begin_listing());
  ASSERT_TRUE(target->add_listing({{"k1", "e1"}}));
  const auto differences = target->compare_listing("p", 10);
  ASSERT_TRUE(differences) << describe(differences.error());
  ASSERT_THAT(*differences, SizeIs(1));
  EXPECT_EQ(differences->at(0).file.store_key, "k2");
  EXPECT_TRUE(differences->at(0).gone);
  const auto audit = target->audit("p", table(), false, 10);
  ASSERT_TRUE(audit) << describe(audit.error());
  EXPECT_EQ(audit->rows, 2U);
  EXPECT_EQ(audit->recorded, 2U);
}

TEST_P(TargetLedger, CyclesAreNotedAndToldBack) {
  auto target = open();
  ASSERT_TRUE(target->note_cycle(
      "p", {.finished_at = kNow, .outcome = "nothing_new", .full_listing = true}));
  ASSERT_TRUE(target->note_cycle("p", {.finished_at = kNow + std::chrono::microseconds(9),
                                       .outcome = "failed",
                                       .exit_code = 3,
                                       .message = "m"}));
  const auto head = target->head("p");
  ASSERT_TRUE(head) << describe(head.error());
  EXPECT_EQ(head->last_full_cycle->finished_at, kNow);
  EXPECT_EQ(head->last_cycle->exit_code, 3);
  EXPECT_EQ(head->last_cycle->finished_at, kNow + std::chrono::microseconds(9));
}

TEST_P(TargetLedger, AResetForgetsAndGoesOnCounting) {
  auto target = open();
  apply(*target, batch(1, 1, change(1, {{"a", 1}, {"b", 0, true}}, true)));
  ASSERT_TRUE(target->reset({.pipeline = "p",
                             .commit_no = 2,
                             .decided_at = kNow,
                             .whole = true,
                             .tables = {table()},
                             .drop_tables = true}));
  const auto head = target->head("p").value();
  EXPECT_EQ(head.commit_no, 2);
  EXPECT_EQ(head.next_file_id, 2);
  EXPECT_THAT(target->known("p", {"u1"}).value(), IsEmpty());
  apply(*target, batch(3, 2, change(2, {{"c", 3}}, true)));
  target.reset();
  EXPECT_EQ(rows(), "c|3");
}

TEST_P(TargetLedger, ReopenedItTellsWhatWasCommitted) {
  auto target = open();
  apply(*target, batch(1, 1, change(1, {{"a", 1}}, true)));
  ASSERT_TRUE(target->reopen());
  EXPECT_EQ(target->head("p").value().commit_no, 1);
  apply(*target, batch(2, 2, change(2, {{"b", 2}}, false)));
  target.reset();
  EXPECT_EQ(rows(), "a|1,b|2");
}

INSTANTIATE_TEST_SUITE_P(Every, TargetLedger, every_target(), target_kind_name);

}  // namespace
}  // namespace forebay::test
