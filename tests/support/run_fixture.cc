#include "support/run_fixture.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/clock.h"

namespace forebay::test {

RunTest::RunTest(std::vector<std::pair<std::string, std::string>> options)
    : runs_(folder_ / "exports"),
      database_(folder_ / "warehouse.duckdb"),
      pipeline_({.feed = "rivet",
                 .options = std::move(options),
                 .name = "runs",
                 .schema = "raw",
                 .source = folder_ / "exports",
                 .database = database_}) {
  std::filesystem::create_directories(folder_ / "exports");
  pipeline_.clock().advance(system_clock().now() + std::chrono::minutes(1) -
                            pipeline_.clock().now());
}

CycleReport RunTest::load(int expected) {
  CycleReport report = pipeline_.load();
  EXPECT_EQ(code(report), expected) << text(report);
  return report;
}

Lines RunTest::rows(const std::string& table) const {
  return query(
      fmt::format("SELECT COLUMNS(lambda c: NOT starts_with(c, '_forebay_')) FROM "
                  "raw.\"{}\" ORDER BY ALL",
                  table));
}

Lines RunTest::units() const {
  return query("SELECT unit, state FROM _forebay.units ORDER BY commit_no, rowid");
}

bool RunTest::exists(const std::string& table) const {
  return query(fmt::format("SELECT count(*) FROM duckdb_tables() WHERE schema_name = 'raw' AND "
                           "table_name = '{}'",
                           table)) == Lines{"1"};
}

void RunTest::expect_quiet() {
  const std::string counts =
      "SELECT (SELECT count(*) FROM _forebay.commit_log), (SELECT count(*) FROM _forebay.units), "
      "(SELECT count(*) FROM _forebay.documents)";
  load();
  const Lines before = query(counts);
  const CycleReport report = load();
  EXPECT_EQ(report.outcome, Outcome::nothing_new) << text(report);
  EXPECT_EQ(report.requests.get + report.requests.head, 0U);
  EXPECT_EQ(query(counts), before);
}

}  // namespace forebay::test
