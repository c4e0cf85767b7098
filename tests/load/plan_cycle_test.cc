#include "load/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "support/parquet_maker.h"
#include "support/pipeline_fixture.h"

// Aim: a plan says what a load would do to each table, and writes nothing. Method: plans before
// loads of the same folder, in process.
namespace forebay::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> statements(const Plan& plan) {
  std::vector<std::string> texts;
  for (const PlannedStatement& statement : plan.statements) texts.push_back(statement.sql);
  return texts;
}

class PlanCycle : public RollerupTest {
 protected:
  Plan plan() {
    auto planned = pipeline_.plan();
    EXPECT_TRUE(planned.has_value()) << describe(planned.error());
    return planned.value_or(Plan{});
  }
};

// DRIFT-12: the statements are shown before they run.
TEST_F(PlanCycle, ANewTableIsCreatedAndFilled) {
  deliver(batch(batch_name(0), {{.table = "visits", .rows = {put("a", {1, "x"})}}}));
  const Plan before = plan();
  EXPECT_THAT(statements(before), ElementsAre(HasSubstr("CREATE TABLE \"carwash\".\"visits\""),
                                              HasSubstr("INSERT INTO \"carwash\".\"visits\"")));
  ASSERT_EQ(before.units.size(), 1U);
  EXPECT_EQ(before.units[0].rows, 1U);
  EXPECT_EQ(before.units[0].bytes, std::nullopt) << "a marker does not say it";
  EXPECT_FALSE(std::filesystem::exists(database_));
}

TEST_F(PlanCycle, ChangesReplaceByKeyAndASnapshotEmptiesFirst) {
  deliver(batch(batch_name(0), {{.table = "visits", .rows = {put("a", {1, "x"})}}}));
  load();
  deliver(batch(batch_name(1), {{.table = "visits", .rows = {gone("a")}}}));
  EXPECT_THAT(statements(plan()), ElementsAre(HasSubstr("USING delta d WHERE t.\"_row_id\" = "),
                                              HasSubstr("WHERE NOT deleted")));
  deliver(snapshot(batch_name(2), {{.table = "visits", .rows = {put("b", {2, "y"})}}}));
  EXPECT_THAT(statements(plan()), ElementsAre("DELETE FROM \"carwash\".\"visits\"",
                                              HasSubstr("INSERT INTO \"carwash\".\"visits\"")));
}

TEST_F(PlanCycle, AnObjectsSizeIsKnownFromTheListing) {
  const std::string path = folder_ / "in/a.parquet";
  std::filesystem::create_directories(folder_ / "in");
  make_parquet(path, "SELECT 1 AS n");
  TestPipeline files({.feed = "files",
                      .options = {{"table", "events"}},
                      .name = "events",
                      .schema = "main",
                      .source = folder_ / "in",
                      .database = folder_ / "files.duckdb"});
  files.clock().advance(std::chrono::hours(24 * 365 * 10));
  const auto planned = files.plan();
  ASSERT_TRUE(planned.has_value()) << describe(planned.error());
  ASSERT_EQ(planned->units.size(), 1U);
  EXPECT_EQ(planned->units[0].bytes, std::filesystem::file_size(path));
  EXPECT_EQ(planned->units[0].rows, std::nullopt) << "only its footer tells";
  EXPECT_THAT(statements(*planned),
              ElementsAre(HasSubstr("CREATE TABLE"), HasSubstr("read_parquet([1 files])")));
}

}  // namespace
}  // namespace forebay::test
