#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "support/files_feed_fixture.h"

// Aim: whatever changes between two files, no value changes: the table takes both, or the second
// file is refused as drift and the table is as it was (CONTRACT, `on_schema_change`; DRIFT-1,
// DRIFT-3, DRIFT-14). Method: a table of changes; each is loaded under each policy, in two cycles
// and in one (where all schemas that wait meet first).
namespace forebay::test {
namespace {

using ::testing::HasSubstr;

struct Change {
  const char* what;
  const char* first;    // SELECT of the first file
  const char* second;   // of the second
  const char* columns;  // "name type, …" afterwards; null: drift
  const char* rows;     // the rows afterwards, as text; of drift a part of the reason
  // Under which policies the change is allowed.
  enum class Allowed { always, add, evolve } allowed = Allowed::always;
};

constexpr Change::Allowed kAdd = Change::Allowed::add;
constexpr Change::Allowed kEvolve = Change::Allowed::evolve;

const Change kChanges[] = {
    {"a new column comes first", "SELECT 1 AS a", "SELECT 'x' AS b, 2 AS a", "a INTEGER, b VARCHAR",
     "1 null / 2 x", kAdd},
    {"a new column comes between others", "SELECT 1 AS a, 2 AS c",
     "SELECT 3 AS a, 'x' AS b, 4 AS c", "a INTEGER, c INTEGER, b VARCHAR", "1 2 null / 3 4 x",
     kAdd},
    {"a new column comes last", "SELECT 1 AS a", "SELECT 2 AS a, 'x' AS b", "a INTEGER, b VARCHAR",
     "1 null / 2 x", kAdd},
    {"a column is gone", "SELECT 1 AS a, 'x' AS b", "SELECT 2 AS a", "a INTEGER, b VARCHAR",
     "1 x / 2 null"},
    {"columns change places", "SELECT 1 AS a, 2 AS b", "SELECT 4 AS b, 3 AS a",
     "a INTEGER, b INTEGER", "1 2 / 3 4"},
    {"a name changes its case", "SELECT 1 AS fee, 1 AS k", "SELECT 2 AS Fee, 2 AS k",
     "fee INTEGER, k INTEGER", "1 1 / 2 2"},
    {"an integer is wider", "SELECT 1::INTEGER AS a", "SELECT 9223372036854775807::BIGINT AS a",
     "a BIGINT", "1 / 9223372036854775807", kEvolve},
    {"an integer is narrower", "SELECT 9223372036854775807::BIGINT AS a", "SELECT 1::TINYINT AS a",
     "a BIGINT", "1 / 9223372036854775807"},
    {"an integer meets an unsigned one", "SELECT -1::INTEGER AS a",
     "SELECT 4294967295::UINTEGER AS a", "a BIGINT", "-1 / 4294967295", kEvolve},
    {"an integer meets decimals", "SELECT 7::INTEGER AS a", "SELECT 1.25::DECIMAL(9,2) AS a",
     "a DECIMAL(12,2)", "1.25 / 7.00", kEvolve},
    {"a decimal gets more digits", "SELECT 1.25::DECIMAL(9,2) AS a",
     "SELECT 1.2345::DECIMAL(10,4) AS a", "a DECIMAL(11,4)", "1.2345 / 1.2500", kEvolve},
    {"a decimal meets doubles", "SELECT 1.25::DECIMAL(9,2) AS a", "SELECT 1.5::DOUBLE AS a",
     nullptr, "DECIMAL(9,2) in the table and DOUBLE"},
    {"a small integer meets doubles", "SELECT 1::INTEGER AS a", "SELECT 1.5::DOUBLE AS a",
     "a DOUBLE", "1.0 / 1.5", kEvolve},
    {"a large integer meets whole doubles", "SELECT 9007199254740993::BIGINT AS a",
     "SELECT 2::DOUBLE AS a", "a BIGINT", "2 / 9007199254740993"},
    {"a large integer meets a fraction", "SELECT 1::BIGINT AS a", "SELECT 1.5::DOUBLE AS a",
     nullptr, "1 of column a, such as 1.5"},
    {"a double meets an integer that it cannot hold", "SELECT 1.5::DOUBLE AS a",
     "SELECT 9007199254740993::BIGINT AS a", nullptr, "such as 9007199254740993"},
    {"an integer meets -0.0", "SELECT 1::BIGINT AS a", "SELECT '-0.0'::DOUBLE AS a", nullptr,
     "such as -0.0"},
    {"integers in a list meet -0.0", "SELECT [1::BIGINT] AS a", "SELECT ['-0.0'::DOUBLE] AS a",
     nullptr, "such as [-0.0]"},
    {"text meets numbers", "SELECT 'x' AS a, 1 AS k", "SELECT 1 AS a, 2 AS k", nullptr,
     "column 'a' is VARCHAR in the table and INTEGER in this file"},
    {"a finer unit of time", "SELECT TIMESTAMP_MS '2026-01-02 03:04:05.678' AS a",
     "SELECT TIMESTAMP '2026-01-02 03:04:05.678901' AS a", "a TIMESTAMP",
     "2026-01-02 03:04:05.678 / 2026-01-02 03:04:05.678901"},
    {"nanoseconds come", "SELECT TIMESTAMP '2026-01-02 03:04:05' AS a",
     "SELECT TIMESTAMP_NS '2026-01-02 03:04:05.000000001' AS a", "a TIMESTAMP_NS",
     "2026-01-02 03:04:05 / 2026-01-02 03:04:05.000000001", kEvolve},
    {"a time gets a zone", "SELECT TIMESTAMP '2026-01-02 03:04:05' AS a",
     "SELECT TIMESTAMPTZ '2026-01-02 03:04:05+00' AS a", nullptr, "no lossless common type"},
    {"a day becomes a time", "SELECT DATE '2026-01-02' AS a",
     "SELECT TIMESTAMP '2026-01-02 03:04:05' AS a", nullptr, "no lossless common type"},
    {"what was always null meets a list", "SELECT NULL::INTEGER AS a, 1 AS k",
     "SELECT [1, 2] AS a, 2 AS k", "a INTEGER[], k INTEGER", "[1, 2] 2 / null 1", kEvolve},
    {"a column without a value has another type", "SELECT 1 AS a, 1 AS k",
     "SELECT NULL::VARCHAR AS a, 2 AS k", "a INTEGER, k INTEGER", "1 1 / null 2"},
    {"a file without rows has another type", "SELECT 1 AS a", "SELECT 'x' AS a WHERE false",
     "a INTEGER", "1"},
    {"a struct gains a field", "SELECT {'x': 1} AS a", "SELECT {'x': 2, 'y': 'z'} AS a",
     "a STRUCT(x INTEGER, y VARCHAR)", "{'x': 1, 'y': NULL} / {'x': 2, 'y': z}", kEvolve},
    {"a struct loses a field", "SELECT {'x': 1, 'y': 'z'} AS a", "SELECT {'x': 2} AS a",
     "a STRUCT(x INTEGER, y VARCHAR)", "{'x': 1, 'y': z} / {'x': 2, 'y': NULL}"},
    {"a struct in a list gains a field", "SELECT [{'x': 1}] AS a", "SELECT [{'x': 2, 'y': 3}] AS a",
     "a STRUCT(x INTEGER, y INTEGER)[]", "[{'x': 1, 'y': NULL}] / [{'x': 2, 'y': 3}]", kEvolve},
    {"a struct in a list loses a field", "SELECT [{'x': 1, 'y': 3}] AS a", "SELECT [{'x': 2}] AS a",
     "a STRUCT(x INTEGER, y INTEGER)[]", "[{'x': 1, 'y': 3}] / [{'x': 2, 'y': NULL}]"},
    {"a struct in a map gains a field", "SELECT MAP {'k': {'x': 1}} AS a",
     "SELECT MAP {'k': {'x': 2, 'y': 3}} AS a", "a MAP(VARCHAR, STRUCT(x INTEGER, y INTEGER))",
     "{k={'x': 1, 'y': NULL}} / {k={'x': 2, 'y': 3}}", kEvolve},
    {"a field of a struct is wider", "SELECT {'x': 1::INTEGER} AS a",
     "SELECT {'x': 5000000000} AS a", "a STRUCT(x BIGINT)", "{'x': 1} / {'x': 5000000000}",
     kEvolve},
    {"a struct has nothing in common", "SELECT {'x': 1} AS a", "SELECT {'y': 1} AS a", nullptr,
     "no lossless common type"},
    {"a file has no column in common", "SELECT 1 AS a", "SELECT 1 AS b", nullptr,
     "shares no column"},
};

class SchemaChange : public ::testing::TestWithParam<const char*> {};

// One pipeline over a folder of its own.
class Scene : public FilesTest {
 public:
  explicit Scene(const std::string& policy) {
    wait_until_all_settled();
    option("on_schema_change", policy);
  }
  using FilesTest::load;
  using FilesTest::put_file;
  using FilesTest::query;
  void TestBody() override {}

  std::string columns() const {
    std::string text;
    for (const std::string& line :
         query("SELECT column_name || ' ' || data_type FROM duckdb_columns() WHERE table_name = "
               "'events' AND column_name <> '_forebay_file' ORDER BY column_index"))
      text += (text.empty() ? "" : ", ") + line;
    return text;
  }
  std::string all_rows() const {
    std::string text;
    for (std::string line : rows()) {
      std::ranges::replace(line, '|', ' ');
      text += (text.empty() ? "" : " / ") + line;
    }
    return text;
  }
  std::string reason() const {
    const Lines found = query(
        "SELECT reason FROM _forebay.units WHERE state = 'quarantined' AND unit = 'b.parquet'");
    return found.size() == 1 ? found[0] : "not quarantined once";
  }
};

bool allows(const std::string& policy, Change::Allowed needed) {
  if (needed == Change::Allowed::always || policy == "evolve") return true;
  return needed == kAdd && policy == "add";
}

TEST_P(SchemaChange, NeverChangesAValue) {
  const std::string policy = GetParam();
  for (const Change& change : kChanges) {
    SCOPED_TRACE(change.what);
    Scene scene(policy);
    scene.put_file("a.parquet", change.first);
    scene.load();
    const std::string before = scene.all_rows();
    const std::string columns = scene.columns();
    scene.put_file("b.parquet", change.second);
    const bool drifts = change.columns == nullptr || !allows(policy, change.allowed);
    if (drifts && policy == "ignore" && change.allowed == kAdd) {
      scene.load();
      EXPECT_EQ(scene.columns(), columns);
      continue;
    }
    scene.load(drifts ? 4 : 0);
    if (!drifts) {
      EXPECT_EQ(scene.columns(), change.columns);
      EXPECT_EQ(scene.all_rows(), change.rows);
      continue;
    }
    EXPECT_EQ(scene.all_rows(), before);
    EXPECT_EQ(scene.columns(), columns);
    if (change.columns == nullptr) {
      EXPECT_THAT(scene.reason(), HasSubstr(change.rows));
    } else {
      EXPECT_THAT(scene.reason(), HasSubstr("on_schema_change"));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Policies, SchemaChange,
                         ::testing::Values("evolve", "add", "ignore", "fail"),
                         [](const auto& policy) { return std::string(policy.param); });

// All files that wait meet first: the table is made once, as wide as it has to be.
TEST(SchemaChanges, FilesThatWaitTogetherGiveTheSameTable) {
  for (const Change& change : kChanges) {
    if (change.columns == nullptr) continue;
    SCOPED_TRACE(change.what);
    Scene scene("evolve");
    scene.put_file("a.parquet", change.first);
    scene.put_file("b.parquet", change.second);
    scene.load();
    EXPECT_EQ(scene.all_rows(), change.rows);
    // A column of nulls has a type too: the two are told apart by halving.
    if (std::string_view(change.what).contains("always null")) continue;
    EXPECT_EQ(scene.query("SELECT max(commit_no) FROM _forebay.commits"), (Lines{"1"}));
  }
}

}  // namespace
}  // namespace forebay::test
