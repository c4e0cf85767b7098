#include "app/cli/type_report.h"

#include <gtest/gtest.h>

namespace forebay::cli {
namespace {

Column column(const char* name, TypeKind kind) { return {name, {.kind = kind}}; }

Feed feed_with_flag() {
  Feed feed;
  feed.rows.deletes.flag = "_deleted";
  return feed;
}

TEST(TypeReport, ComparesEachColumnWithTheTable) {
  const TableState table{.exists = true,
                         .columns = {column("id", TypeKind::int32), column("name", TypeKind::text),
                                     column("when", TypeKind::date)}};
  const auto lines =
      compare_types("raw.t",
                    {column("id", TypeKind::int64), column("NAME", TypeKind::text),
                     column("when", TypeKind::text), column("new", TypeKind::boolean),
                     column("_deleted", TypeKind::boolean)},
                    {"INT64", "BYTE_ARRAY (STRING)", "BYTE_ARRAY (STRING)", "BOOLEAN", "BOOLEAN"},
                    table, feed_with_flag());
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_EQ(lines[0].file_type, "INT64");
  EXPECT_EQ(lines[0].table_type, "BIGINT");
  EXPECT_EQ(lines[0].lost, "nothing; the table's INTEGER widens");
  EXPECT_EQ(lines[1].lost, "nothing");
  EXPECT_TRUE(lines[2].drift);
  EXPECT_EQ(lines[3].lost, "nothing: a new column");
  EXPECT_EQ(lines[4].table_type, "-");
  EXPECT_FALSE(lines[0].drift || lines[1].drift || lines[3].drift || lines[4].drift);
}

TEST(TypeReport, ShowsWhatANewTableWouldGet) {
  const auto lines = compare_types("raw.t", {column("id", TypeKind::int64)}, {}, {}, {});
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].table_type, "BIGINT");
  EXPECT_EQ(lines[0].file_type, "BIGINT");
  EXPECT_EQ(lines[0].lost, "nothing: a new table");
}

TEST(TypeReport, SaysWhetherAFileCanBecomeWhatIsDeclared) {
  Feed feed;
  feed.columns.options = {{.name = "amount", .type = TypeName{"DECIMAL", 18, 2}},
                          {.name = "at", .type = TypeName{"TIMESTAMP"}}};
  const auto lines = compare_types(
      "raw.t", {column("Amount", TypeKind::text), column("at", TypeKind::int64)}, {}, {}, feed);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].table_type, "DECIMAL(18,2)");
  EXPECT_EQ(lines[0].lost, "nothing, or the load stops: each value is compared");
  EXPECT_FALSE(lines[0].drift);
  EXPECT_EQ(lines[1].table_type, "TIMESTAMP");
  EXPECT_TRUE(lines[1].drift);
}

TEST(TypeReport, SaysInWordsWhatChanges) {
  Feed feed;
  feed.columns.excluded = {"ssn"};
  feed.columns.options = {{.name = "odd", .rename = "even", .null_values = {"-", "N/A"}}};
  const auto lines = compare_types(
      "raw.t",
      {column("ssn", TypeKind::text), column("odd", TypeKind::text),
       column("at", TypeKind::timestamp_us), column("wide", TypeKind::text)},
      {"BYTE_ARRAY (STRING)", "BYTE_ARRAY (STRING)", "INT96", "DECIMAL(40,2)"}, {}, feed);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0].table_type, "-");
  EXPECT_EQ(lines[0].lost, "all of it: the pipeline leaves the column out");
  EXPECT_EQ(lines[1].lost, "nothing: a new table; called 'even' in the table; null for -, N/A");
  EXPECT_EQ(lines[2].lost,
            "nothing: a new table; nanoseconds stop the load unless the column is declared as "
            "TIMESTAMP_NS");
  EXPECT_EQ(lines[3].lost,
            "nothing: a new table; text with all digits, which no type has room for");
}

}  // namespace
}  // namespace forebay::cli
