#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "support/example_feed.h"
#include "support/parquet_bytes.h"
#include "support/pipeline_fixture.h"
#include "support/random_lives.h"
#include "support/temp_folder.h"

// Aim: examples/debezium.yaml: rows stand in an envelope, and the place in the log decides whatever
// the order of arrival (FEEDS, section 1: a bare name is of the row, a path of the record).
// Method: cases by hand, and lives of a table drawn from seeds; their oracle is the newest event of
// each key among those that were delivered.
//
// FOREBAY_SEED=17 runs that seed alone.
namespace forebay::test {
namespace {

std::string event(const char* op, const std::string& before, const std::string& after,
                  std::uint64_t lsn) {
  return fmt::format(
      "{{\"op\": \"{}\", \"before\": {}, \"after\": {}, \"source\": {{\"lsn\": {}, \"db\": "
      "\"shop\"}}, \"ts_ms\": 1760000000000}}\n",
      op, before, after, lsn);
}

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

// A table whose changes are written into files that arrive in any order, some of them twice.
class DebeziumLife {
 public:
  DebeziumLife(std::uint64_t seed, std::string folder, std::string database)
      : random_(seed), folder_(std::move(folder)), database_(std::move(database)) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }

  void live() {
    write_log();
    while (!files_.empty()) {
      const std::size_t many = draw(1, 3);
      for (std::size_t i = 0; i < many && !files_.empty(); ++i) deliver();
      load();
      compare();
    }
  }

 private:
  struct Event {
    std::uint64_t lsn = 0;
    int key = 0;
    std::optional<int> value;  // nothing: deleted
  };

  std::size_t draw(std::size_t least, std::size_t most) {
    return std::uniform_int_distribution<std::size_t>(least, most)(random_);
  }

  // Above 2^53, so that no double tells neighbours apart.
  void write_log() {
    std::uint64_t lsn = 9'007'199'254'740'992;
    const std::size_t events = draw(5, 40);
    for (std::size_t i = 0; i < events; ++i) {
      Event one{.lsn = ++lsn, .key = static_cast<int>(draw(1, 5))};
      if (draw(1, 4) > 1) one.value = static_cast<int>(draw(0, 99));
      if (files_.empty() || draw(1, 4) == 1) files_.emplace_back();
      files_.back().push_back(one);
    }
    // At least once: what was sent may be sent again, alone or with more.
    if (draw(0, 1) == 1) files_.push_back(files_[draw(0, files_.size() - 1)]);
    std::ranges::shuffle(files_, random_);
  }

  void deliver() {
    std::string lines;
    for (const Event& one : files_.back()) {
      lines += one.value
                   ? event("u", "null",
                           fmt::format("{{\"id\": {}, \"n\": {}}}", one.key, *one.value), one.lsn)
                   : event("d", fmt::format("{{\"id\": {}, \"n\": 0}}", one.key), "null", one.lsn);
      Event& newest = newest_[one.key];
      if (one.lsn > newest.lsn) newest = one;
    }
    write_file(fmt::format("{}/{}.json", folder_, files_.size()), lines);
    files_.pop_back();
  }

  void load() {
    TestPipeline::Settings settings = example_feed("debezium", "main", folder_ + "/", database_);
    settings.options = {{"table", "orders"}, {"primary_key", "id"}};
    TestPipeline pipeline(std::move(settings));
    pipeline.clock().advance(std::chrono::hours(24 * 365 * 10));
    const CycleReport report = pipeline.load();
    EXPECT_EQ(code(report), 0) << text(report);
  }

  void compare() const {
    Lines expected;
    for (const auto& [key, newest] : newest_) {
      if (newest.value) expected.push_back(fmt::format("{}|{}", key, *newest.value));
    }
    EXPECT_EQ(query_lines(database_, "SELECT id, n FROM main.orders ORDER BY id"), expected);
  }

  std::mt19937_64 random_;
  std::string folder_;
  std::string database_;
  std::vector<std::vector<Event>> files_;
  std::map<int, Event> newest_;
};

TEST(DebeziumLives, GiveTheNewestEventOfEachKey) { live_each<DebeziumLife>(seeds_of(1, 30)); }

}  // namespace
}  // namespace forebay::test
