#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>

#include "support/example_feed.h"
#include "support/pipeline_fixture.h"
#include "support/temp_folder.h"

// Aim: examples/debezium.yaml: rows stand in an envelope, and the place in the log decides whatever
// the order of arrival (FEEDS, section 1: a bare name is of the row, a path of the record).
namespace forebay::test {
namespace {

class DebeziumExample : public ::testing::Test {
 protected:
  DebeziumExample() { std::filesystem::create_directories(folder_ / "in"); }
  void put(const std::string& name, const std::string& content) {
    folder_.write("in/" + name, content);
  }
  CycleReport load(int expected = 0) {
    TestPipeline::Settings settings =
        example_feed("debezium", "main", folder_ / "in/", folder_ / "w.duckdb");
    settings.options = {{"table", "orders"}, {"primary_key", "id"}};
    TestPipeline pipeline(std::move(settings));
    pipeline.clock().advance(std::chrono::hours(24 * 365 * 10));
    CycleReport report = pipeline.load();
    EXPECT_EQ(code(report), expected) << text(report);
    return report;
  }
  Lines rows() const {
    return query_lines(folder_ / "w.duckdb",
                       "SELECT * EXCLUDE (_forebay_file, _forebay_version) FROM main.orders "
                       "ORDER BY id");
  }
  static std::string event(const char* op, const std::string& before, const std::string& after,
                           std::uint64_t lsn) {
    return fmt::format(
        "{{\"op\": \"{}\", \"before\": {}, \"after\": {}, \"source\": {{\"lsn\": {}, \"db\": "
        "\"shop\"}}, \"ts_ms\": 1760000000000}}\n",
        op, before, after, lsn);
  }

  TempFolder folder_;
};

TEST_F(DebeziumExample, TheNewestEventOfARowWinsWheneverItArrives) {
  constexpr std::uint64_t kHigh = 9'007'199'254'740'993;  // beyond what a double tells apart
  put("b.json", event("u", "{\"id\": 1, \"n\": 1}", "{\"id\": 1, \"n\": 3}", kHigh) +
                    event("d", "{\"id\": 2, \"n\": 1}", "null", kHigh + 1));
  load();
  put("a.json", event("r", "null", "{\"id\": 1, \"n\": 1}", 10) +
                    event("c", "null", "{\"id\": 2, \"n\": 1}", 11) +
                    event("c", "null", "{\"id\": 3, \"n\": 1}", 12) +
                    event("u", "null", "{\"id\": 1, \"n\": 2}", kHigh - 1));
  load();
  EXPECT_EQ(rows(), (Lines{"1|3", "3|1"}));
}

TEST_F(DebeziumExample, ATruncationIsSetAside) {
  put("a.json", event("c", "null", "{\"id\": 1, \"n\": 1}", 10));
  put("b.json", event("t", "{\"id\": 9}", "null", 11));
  load(5);
  EXPECT_EQ(rows(), (Lines{"1|1"}));
}

}  // namespace
}  // namespace forebay::test
