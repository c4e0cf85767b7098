// Aim: collapse() leaves one last action per key, counts every row, and refuses what it must.
// Method: small Parquet files made by the engine itself; the delta is read back row by row.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/collapse_sql.h"
#include "support/engine_fixture.h"
#include "support/parquet_maker.h"

namespace forebay {
namespace {

using test::make_parquet;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const ColumnType kText{.kind = TypeKind::text};
const ColumnType kInt{.kind = TypeKind::int32};
const ColumnType kLong{.kind = TypeKind::int64};

class DuckdbEngineTest : public test::EngineFixture {
 protected:
  DuckdbEngineTest() {
    request_.columns = {{"k", kText}, {"v", kInt}};
    request_.layouts = {
        {.columns = {{"k", kText, false}, {"v", kInt, false}}, .delete_flag = "gone"}};
    request_.key = {"k"};
  }

  // Adds a file with the rows of VALUES (k, v, gone).
  void add(const std::string& values, std::uint64_t rows, bool snapshot = false) {
    const auto number = static_cast<std::int64_t>(request_.files.size());
    const std::string path = folder_ / (std::to_string(number) + ".parquet");
    make_parquet(path, "SELECT k::VARCHAR k, v::INT v, gone::BOOLEAN gone FROM (VALUES " + values +
                           ") t(k, v, gone)");
    request_.files.push_back({.file_id = 100 + number,
                              .rank = number,
                              .path = path,
                              .object = path,
                              .rows = rows,
                              .snapshot = snapshot});
  }

  // "k v file delete" of each row of the delta, in order of keys.
  std::vector<std::string> rows(const Delta& delta) {
    const std::string flag = delta.kind == Delta::Kind::put ? "_forebay_delete" : "false";
    const auto result =
        connection_->query("SELECT concat_ws(' ', k, coalesce(v::VARCHAR, '-'), _forebay_file, " +
                               flag + ") FROM " + delta.rows + " ORDER BY ALL",
                           "test");
    EXPECT_TRUE(result) << describe(result.error());
    std::vector<std::string> texts;
    for (const auto& row : *result) texts.push_back(duckdb::text(row[0]));
    return texts;
  }
};

TEST_F(DuckdbEngineTest, TheLaterFileThenTheLaterRowWins) {
  add("('a', 1, false), ('a', 2, false), ('b', 1, false)", 3);
  add("('b', 5, false), ('c', 1, true), ('c', 2, NULL)", 3);
  const auto delta = engine_->collapse(request_);
  ASSERT_TRUE(delta) << describe(delta.error());
  EXPECT_THAT(rows(*delta), ElementsAre("a 2 100 false", "b 5 101 false", "c 2 101 false"));
  EXPECT_EQ(delta->read, 6U);
  EXPECT_EQ(delta->puts, 3U);
  EXPECT_EQ(delta->deletes, 0U);
  EXPECT_EQ(delta->collapsed, 3U);
}

TEST_F(DuckdbEngineTest, ADeleteThatIsLastDeletes) {
  add("('a', 1, false), ('a', NULL, true)", 2);
  add("('b', NULL, true), ('b', 2, false), ('b', NULL, true)", 3);
  const auto delta = engine_->collapse(request_);
  ASSERT_TRUE(delta) << describe(delta.error());
  EXPECT_THAT(rows(*delta), ElementsAre("a - 100 true", "b - 101 true"));
  EXPECT_EQ(delta->deletes, 2U);
}

TEST_F(DuckdbEngineTest, ASnapshotWithDistinctKeysGoesStraightIn) {
  request_.meets_nothing = true;
  add("('a', 1, false), ('b', 2, true)", 2, true);
  add("('c', 3, false)", 1, true);
  const auto delta = engine_->collapse(request_);
  ASSERT_TRUE(delta) << describe(delta.error());
  EXPECT_EQ(delta->kind, Delta::Kind::append);
  EXPECT_THAT(rows(*delta), ElementsAre("a 1 100 false", "c 3 101 false"));
  EXPECT_EQ(delta->left_out, 1U);
  EXPECT_EQ(delta->puts, 2U);
}

TEST_F(DuckdbEngineTest, ASnapshotThatHoldsAKeyTwiceIsCollapsed) {
  request_.meets_nothing = true;
  add("('a', 1, false), ('b', 2, false)", 2, true);
  add("('a', 3, false)", 1, true);
  const auto delta = engine_->collapse(request_);
  ASSERT_TRUE(delta) << describe(delta.error());
  EXPECT_EQ(delta->kind, Delta::Kind::put);
  EXPECT_THAT(rows(*delta), ElementsAre("a 3 101 false", "b 2 100 false"));
  EXPECT_EQ(delta->collapsed, 1U);
}

TEST_F(DuckdbEngineTest, ANullKeyIsRefusedInEveryWay) {
  for (const bool snapshot : {false, true}) {
    request_.files.clear();
    request_.meets_nothing = snapshot;
    add("('a', 1, false), (NULL, 2, false)", 2, snapshot);
    const auto delta = engine_->collapse(request_);
    ASSERT_FALSE(delta);
    EXPECT_EQ(delta.error().code, ErrorCode::refused);
  }
}

TEST_F(DuckdbEngineTest, RowsThatTheFooterDidNotPromiseAreDamage) {
  for (const bool snapshot : {false, true}) {
    request_.files.clear();
    request_.meets_nothing = snapshot;
    add("('a', 1, false)", 2, snapshot);
    const auto delta = engine_->collapse(request_);
    ASSERT_FALSE(delta);
    EXPECT_EQ(delta.error().code, ErrorCode::damaged) << describe(delta.error());
  }
}

TEST_F(DuckdbEngineTest, WithoutAKeyEveryRowAppends) {
  request_.key.clear();
  request_.layouts[0].delete_flag.clear();
  add("('a', 1, false), ('a', 1, false)", 2);
  const auto delta = engine_->collapse(request_);
  ASSERT_TRUE(delta) << describe(delta.error());
  EXPECT_THAT(rows(*delta), ElementsAre("a 1 100 false", "a 1 100 false"));
}

TEST_F(DuckdbEngineTest, FilesOfDifferentLayoutsKeepTheirOrder) {
  request_.columns.push_back({"extra", kLong});
  request_.layouts[0].columns.push_back({});
  request_.layouts.push_back(request_.layouts[0]);
  add("('a', 1, false)", 1);
  add("('a', 2, false)", 1);
  add("('a', 3, false)", 1);
  request_.files[1].layout = 1;
  const auto delta = engine_->collapse(request_);
  ASSERT_TRUE(delta) << describe(delta.error());
  EXPECT_THAT(rows(*delta), ElementsAre("a 3 102 false"));
}

TEST_F(DuckdbEngineTest, FilesAppliedBeforeGiveOnlyTheKeysAskedFor) {
  ASSERT_TRUE(connection_->execute("CREATE TEMP TABLE wanted AS SELECT 'a' AS k", "test"));
  request_.known_keys = "wanted";
  add("('a', 1, false), ('b', 1, false)", 2);
  request_.files[0].known_keys_only = true;
  request_.files[0].file_id = 7;
  add("('c', 2, false)", 1);
  const auto delta = engine_->collapse(request_);
  ASSERT_TRUE(delta) << describe(delta.error());
  EXPECT_THAT(rows(*delta), ElementsAre("a 1 7 false", "c 2 101 false"));
}

TEST_F(DuckdbEngineTest, AValueThatDoesNotSurviveIsDrift) {
  request_.columns[1].type = {.kind = TypeKind::int8};
  request_.layouts[0].columns[1].check_values = true;
  add("('a', 127, false)", 1);
  EXPECT_TRUE(engine_->collapse(request_));
  add("('b', 128, false)", 1);
  const auto delta = engine_->collapse(request_);
  ASSERT_FALSE(delta);
  EXPECT_EQ(delta.error().code, ErrorCode::drift);
  EXPECT_THAT(delta.error().cause, HasSubstr("128"));
}

TEST_F(DuckdbEngineTest, AFileThatIsNoParquetIsDamage) {
  folder_.write("noise.parquet", "PAR1 this is not what it seems PAR1");
  const auto columns = engine_->file_columns(folder_ / "noise.parquet", "noise");
  ASSERT_FALSE(columns);
  EXPECT_EQ(columns.error().code, ErrorCode::damaged) << describe(columns.error());
  EXPECT_EQ(columns.error().object, "noise");
}

TEST_F(DuckdbEngineTest, ReleaseLeavesNothingBehind) {
  add("('a', 1, false)", 1);
  ASSERT_TRUE(engine_->collapse(request_));
  ASSERT_TRUE(engine_->collapse(request_));
  ASSERT_TRUE(engine_->release());
  const auto left = connection_->query("SELECT count(*) FROM duckdb_tables()", "test");
  EXPECT_EQ(duckdb::integer((*left)[0][0]), 0);
}

}  // namespace
}  // namespace forebay
