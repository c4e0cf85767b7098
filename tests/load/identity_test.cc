#include "load/identity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "support/parquet_maker.h"
#include "support/pipeline_fixture.h"

// Aim: what is fixed once rows stand is refused with both values when it changes, and names that a
// database would confuse do no harm. Method: one folder of plain files, loaded under settings that
// change.
namespace forebay::test {
namespace {

using ::testing::HasSubstr;

class Identity : public ::testing::Test {
 protected:
  Identity() {
    std::filesystem::create_directories(folder_ / "in");
    make_parquet(folder_ / "in/a.parquet", "SELECT 1 AS n");
  }
  CycleReport load(const std::string& schema, const std::string& table, int expected = 0) {
    TestPipeline pipeline({.feed = "files",
                           .options = {{"table", table}},
                           .name = "events",
                           .schema = schema,
                           .source = folder_ / "in",
                           .database = database_});
    pipeline.clock().advance(std::chrono::hours(24 * 365 * 10));
    CycleReport report = pipeline.load();
    EXPECT_EQ(code(report), expected) << text(report);
    return report;
  }

  TempFolder folder_;
  std::string database_ = folder_ / "carwash.duckdb";
};

TEST_F(Identity, AnotherTableOrSchemaIsRefusedOnceRowsStand) {
  load("raw", "events");
  make_parquet(folder_ / "in/b.parquet", "SELECT 2 AS n");
  const CycleReport table = load("raw", "visits", 5);
  EXPECT_THAT(table.error->cause, HasSubstr("'visits' now and was 'events'"));
  const CycleReport schema = load("other", "events", 5);
  EXPECT_THAT(schema.error->cause, HasSubstr("'other' now and was 'raw'"));
  load("raw", "events");
  EXPECT_EQ(query_lines(database_, "SELECT n FROM raw.events ORDER BY n"), (Lines{"1", "2"}));
}

TEST_F(Identity, ASchemaMayBeCalledLikeTheDatabasesFile) {
  load("carwash", "events");
  make_parquet(folder_ / "in/b.parquet", "SELECT 2 AS n, 'x' AS more");
  load("carwash", "events");
  EXPECT_EQ(query_lines(database_, "SELECT n, more FROM carwash.carwash.events ORDER BY n"),
            (Lines{"1|null", "2|x"}));
}

}  // namespace
}  // namespace forebay::test
