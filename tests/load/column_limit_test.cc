#include "load/column_limit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "app/cli/type_report.h"
#include "store/stores.h"
#include "support/files_feed_fixture.h"
#include "support/narrow_target.h"

// Aim: a table that a target cannot hold is refused before anything is written, by plan, check and
// load alike. Method: the comparison itself; then files, and a target that takes few columns.
namespace forebay::test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;

const TableName kTable{"main", "t"};
const std::vector<Column> kTwo = {{.name = "k", .type = {.kind = TypeKind::int64}},
                                  {.name = "v", .type = {.kind = TypeKind::text}}};

TargetPromises at_most(std::size_t columns) {
  return {.name = "a narrow database", .max_columns = columns};
}

TEST(ColumnLimit, OursCountToo) {
  EXPECT_TRUE(check_column_limit(kTable, kTwo, {}, at_most(3)).has_value());
  const Status refused = check_column_limit(kTable, kTwo, {}, at_most(2));
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::refused);
  EXPECT_THAT(describe(refused.error()),
              AllOf(HasSubstr("main.t"), HasSubstr("3 columns (2 of its files, 1 of ours)"),
                    HasSubstr("a narrow database takes at most 2"), HasSubstr("exclude_columns")));
}

TEST(ColumnLimit, ATargetWithoutALimitTakesAll) {
  EXPECT_TRUE(check_column_limit(kTable, std::vector<Column>(10'000, kTwo[0]), {},
                                 {.name = "a wide database"})
                  .has_value());
}

TEST(ColumnLimit, AVersionBesideTheColumnsIsOneMore) {
  const RowOrder by_column{.terms = {{.name = "v", .column = "v"}}, .decisive = 1};
  EXPECT_TRUE(check_column_limit(kTable, kTwo, by_column, at_most(3)).has_value());
  const RowOrder by_unit{.terms = {{.name = "started_at"}}, .decisive = 1};
  EXPECT_FALSE(check_column_limit(kTable, kTwo, by_unit, at_most(3)).has_value());
  EXPECT_TRUE(check_column_limit(kTable, kTwo, by_unit, at_most(4)).has_value());
}

TEST(ColumnLimit, AHistoryHasTwoMore) {
  EXPECT_TRUE(check_history_limit(kTable, kTwo, {}, at_most(5)).has_value());
  const Status refused = check_history_limit(kTable, kTwo, {}, at_most(4));
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(describe(refused.error()), HasSubstr("main.t__history"));
}

class NarrowTables : public FilesTest {
 protected:
  CycleReport load_narrow(std::size_t columns) {
    auto inner = pipeline_.open_target();
    EXPECT_TRUE(inner.has_value()) << describe(inner.error());
    NarrowTarget target(**inner, columns);
    return pipeline_.load_into(target);
  }
};

TEST_F(NarrowTables, AFileThatIsTooWideIsSetAsideAndNothingOfItIsWritten) {
  wait_until_all_settled();
  put_file("1.parquet", "SELECT 1 AS a, 2 AS b");
  EXPECT_EQ(code(load_narrow(3)), 0);
  put_file("2.parquet", "SELECT 1 AS a, 2 AS b, 3 AS c");
  EXPECT_EQ(code(load_narrow(3)), 5);
  EXPECT_THAT(reason("2.parquet"),
              HasSubstr("it would have 4 columns (3 of its files, 1 of ours)"));
  EXPECT_EQ(columns(), (Lines{"a|INTEGER", "b|INTEGER"}));
  EXPECT_EQ(rows(), (Lines{"1|2"}));
}

TEST_F(NarrowTables, PlanAndCheckSayItBeforeAnythingIsWritten) {
  wait_until_all_settled();
  put_file("1.parquet", "SELECT 1 AS a, 2 AS b");
  auto store = open_local_store({.folder = folder_ / "in"});
  ASSERT_TRUE(store.has_value()) << describe(store.error());
  auto inner = pipeline_.open_target();
  ASSERT_TRUE(inner.has_value()) << describe(inner.error());
  NarrowTarget target(**inner, 2);
  auto pipeline = pipeline_.bind(**store, target);
  ASSERT_TRUE(pipeline.has_value()) << describe(pipeline.error());
  const auto plan = plan_cycle(*pipeline, {}, pipeline_.clock());
  ASSERT_TRUE(plan.has_value()) << describe(plan.error());
  EXPECT_THAT(plan->warnings, Contains(HasSubstr("it would have 3 columns")));
  EXPECT_TRUE(plan->statements.empty());
  const auto types = cli::report_types(*pipeline);
  ASSERT_FALSE(types.has_value());
  EXPECT_EQ(types.error().code, ErrorCode::refused);
  EXPECT_THAT(describe(types.error()), HasSubstr("it would have 3 columns"));
}

}  // namespace
}  // namespace forebay::test
