// Aim: what target.h promises: all or nothing, the fence, and a ledger that says what was done.
// Method: batches made by hand against a database file in a temporary folder.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/database.h"
#include "support/temp_folder.h"
#include "target/targets.h"

namespace forebay {
namespace {

using ::testing::HasSubstr;

const Time kNow{std::chrono::seconds(1'800'000'000)};

class DuckdbTargetTest : public ::testing::Test {
 protected:
  std::unique_ptr<Target> open(TargetMode mode = TargetMode::write) {
    auto target = open_duckdb_target({.path = path_, .mode = mode});
    EXPECT_TRUE(target) << describe(target.error());
    return target ? std::move(*target) : nullptr;
  }

  // A batch that creates table t (k, v) and appends two rows of file `file_id`.
  Batch batch(std::int64_t commit_no, std::int64_t file_id, bool create) const {
    Batch batch{.pipeline = "p",
                .commit_no = commit_no,
                .decided_at = kNow,
                .mark = "name u",
                .mark_name = "u",
                .mark_place = "\x01u",
                .last_file_id = file_id};
    TableChange change{.table = {"main", "t"}, .create = create};
    change.columns = {{"k", {.kind = TypeKind::text}}, {"v", {.kind = TypeKind::int32}}};
    change.key = {"k"};
    const std::string id = std::to_string(file_id);
    change.delta = {.kind = Delta::Kind::append,
                    .rows = "(SELECT * FROM (VALUES ('a" + id + "', 1, " + id + "), ('b" + id +
                            "', 2, " + id + ")) r(k, v, _forebay_file))",
                    .read = 2,
                    .puts = 2};
    change.clear = !create;
    change.clear_place = "\x01u";
    batch.tables.push_back(std::move(change));
    batch.units.push_back({.unit = "u" + id,
                           .version = "v",
                           .kind = "snapshot",
                           .files = 1,
                           .rows = 2,
                           .place = "\x01u" + id,
                           .digest = "d"});
    batch.files.push_back({.file_id = file_id,
                           .unit = "u" + id,
                           .store_key = "k" + id,
                           .size = 9,
                           .etag = "e",
                           .checksum = "c",
                           .table = {"main", "t"},
                           .rows = 2,
                           .place = "\x01u" + id});
    batch.facts.push_back({.name = "table", .subject = "main.t", .value = "made"});
    return batch;
  }

  std::string scalar(const std::string& sql) {
    auto database = duckdb::Database::open({.path = path_});
    EXPECT_TRUE(database) << describe(database.error());
    auto connection = (*database)->connect();
    const auto rows = (*connection)->query("SELECT (" + sql + ")::VARCHAR", "test");
    EXPECT_TRUE(rows) << describe(rows.error());
    return duckdb::text_or_empty((*rows)[0][0]);
  }

  test::TempFolder folder_;
  std::string path_ = folder_ / "t.duckdb";
};

TEST_F(DuckdbTargetTest, ReadingAMissingDatabaseIsEmptyAndCreatesNothing) {
  auto target = open(TargetMode::read);
  const auto head = target->head("p");
  ASSERT_TRUE(head);
  EXPECT_EQ(head->commit_no, 0);
  EXPECT_EQ(head->next_file_id, 1);
  target.reset();
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(DuckdbTargetTest, RowsAndEntriesCommitTogether) {
  auto target = open();
  const auto applied = target->apply(batch(1, 1, true));
  ASSERT_TRUE(applied) << describe(applied.error());
  EXPECT_EQ(applied->tables.at("main.t").inserted, 2U);
  EXPECT_EQ(applied->tables.at("main.t").rows_after, 2U);
  const auto head = target->head("p");
  ASSERT_TRUE(head);
  EXPECT_EQ(head->commit_no, 1);
  EXPECT_EQ(head->mark_name, "u");
  EXPECT_EQ(head->next_file_id, 2);
  const auto known = target->known("p", {"nobody", "u1"});
  ASSERT_TRUE(known);
  ASSERT_EQ(known->size(), 1U);
  EXPECT_EQ((*known)[0].version, "v");
  EXPECT_EQ((*known)[0].state, UnitState::applied);
  target.reset();
  EXPECT_EQ(scalar("SELECT count(*) FROM t WHERE _forebay_file = 1"), "2");
  EXPECT_EQ(scalar("SELECT state FROM _forebay.files"), "live");
  EXPECT_THAT(scalar("SELECT tables FROM _forebay.commits"), HasSubstr("\"inserted\":2"));
}

TEST_F(DuckdbTargetTest, WhoPlannedOnAnOlderStateFailsAndChangesNothing_CONC1) {
  auto target = open();
  ASSERT_TRUE(target->apply(batch(1, 1, true)));
  Batch stale = batch(1, 2, false);
  const auto applied = target->apply(stale);
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().code, ErrorCode::busy) << describe(applied.error());
  EXPECT_THAT(applied.error().cause, HasSubstr("another loader"));
  target.reset();
  EXPECT_EQ(scalar("SELECT string_agg(k, ',' ORDER BY k) FROM t"), "a1,b1");
  EXPECT_EQ(scalar("SELECT count(*) FROM _forebay.units"), "1");
}

TEST_F(DuckdbTargetTest, AFailureInsideTheTransactionLeavesNothing) {
  auto target = open();
  Batch broken = batch(1, 1, true);
  broken.tables[0].delta.puts = 3;  // the rows do not keep what was counted
  broken.tables[0].delta.read = 3;
  const auto applied = target->apply(broken);
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().code, ErrorCode::damaged);
  target.reset();
  EXPECT_EQ(scalar("SELECT count(*) FROM duckdb_tables()"), "0");
}

TEST_F(DuckdbTargetTest, ASnapshotRetractsTheFilesBeforeIt) {
  auto target = open();
  ASSERT_TRUE(target->apply(batch(1, 1, true)));
  Batch next = batch(2, 2, false);
  next.tables[0].clear_place = "\x01u2";
  next.tables[0].clear_below_file = 2;
  const auto applied = target->apply(next);
  ASSERT_TRUE(applied) << describe(applied.error());
  EXPECT_EQ(applied->tables.at("main.t").deleted, 2U);
  target.reset();
  EXPECT_EQ(scalar("SELECT string_agg(k, ',' ORDER BY k) FROM t"), "a2,b2");
  EXPECT_EQ(scalar("SELECT string_agg(state, ',' ORDER BY file_id) FROM _forebay.files"),
            "retracted,live");
}

TEST_F(DuckdbTargetTest, RefusesALedgerOfANewerVersion) {
  open()->apply(batch(1, 1, true)).value();
  scalar("SELECT 1");
  {
    auto database = duckdb::Database::open({.path = path_});
    auto connection = (*database)->connect();
    ASSERT_TRUE((*connection)
                    ->execute("INSERT INTO _forebay.pipelines VALUES "
                              "('', 'ledger_version', '', '99', 0, now())",
                              "test"));
  }
  const auto target = open_duckdb_target({.path = path_});
  ASSERT_FALSE(target);
  EXPECT_EQ(target.error().code, ErrorCode::invalid_config);
}

TEST_F(DuckdbTargetTest, NotesCyclesAndTellsTheLastOne) {
  auto target = open();
  ASSERT_TRUE(target->note_cycle(
      "p", {.finished_at = kNow, .outcome = "nothing_new", .full_listing = true}));
  ASSERT_TRUE(target->note_cycle("p", {.finished_at = kNow + std::chrono::seconds(9),
                                       .outcome = "failed",
                                       .exit_code = 3,
                                       .message = "m"}));
  const auto head = target->head("p");
  ASSERT_TRUE(head);
  ASSERT_TRUE(head->last_full_cycle);
  EXPECT_EQ(head->last_full_cycle->finished_at, kNow);
  ASSERT_TRUE(head->last_cycle);
  EXPECT_EQ(head->last_cycle->exit_code, 3);
  EXPECT_EQ(head->commit_no, 0);
}

TEST_F(DuckdbTargetTest, CompactsATableWhenItsHolesMakeUpAThird_KEY7) {
  auto target = open();
  const auto put = [&](std::int64_t commit_no, int rows) {
    Batch batch = this->batch(commit_no, commit_no, commit_no == 1);
    TableChange& change = batch.tables[0];
    change.clear = false;
    change.delta = {.kind = Delta::Kind::put,
                    .rows = "(SELECT 'k' || i AS k, 1::INT AS v, " + std::to_string(commit_no) +
                            "::BIGINT AS _forebay_file, false AS _forebay_delete, 0::BIGINT AS "
                            "_forebay_rank FROM range(" +
                            std::to_string(rows) + ") r(i))",
                    .read = static_cast<std::uint64_t>(rows),
                    .puts = static_cast<std::uint64_t>(rows)};
    const auto applied = target->apply(batch);
    EXPECT_TRUE(applied) << describe(applied.error());
    return applied->tables.at("main.t").holes;
  };
  EXPECT_EQ(put(1, 240'000), 0U);
  EXPECT_EQ(put(2, 60'000), 60'000U);
  EXPECT_EQ(put(3, 50'000), 110'000U);  // fewer than half of the rows: not yet
  EXPECT_EQ(put(4, 20'000), 0U);        // now it pays
  EXPECT_EQ(put(5, 1'000), 1'000U);
  EXPECT_EQ(put(6, 0), 1'000U);
  target.reset();
  EXPECT_EQ(scalar("SELECT count(*) FROM t"), "240000");
}

}  // namespace
}  // namespace forebay
