#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "support/packed.h"
#include "support/parquet_bytes.h"
#include "support/paths.h"
#include "support/pipeline_fixture.h"
#include "support/temp_folder.h"

// Aim: examples/appsflyer.yaml: hours without leading zeros, closed by a flag, load whole and once,
// in whatever order they are closed (FEEDS, section 3; an unmet gate means waiting). Method: hours
// drawn from seeds, written part by part and then closed; the oracle is the rows of those closed.
//
// FOREBAY_SEED=17 runs that seed alone.
namespace forebay::test {
namespace {

TestPipeline::Settings settings(const std::string& name, const std::string& source,
                                const std::string& database) {
  return {.feed = "appsflyer",
          .yaml = read_file(source_dir() / "examples/appsflyer.yaml"),
          .name = name,
          .schema = name,
          .source = source,
          .database = database};
}

std::string folder_of(const std::string& topic, int hour) {
  return fmt::format("t={}/dt=2026-10-{:02}/h={}", topic, 20 + hour / 24, hour % 24);
}

void write(const std::string& path, const std::string& bytes) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  write_file(path, bytes);
}

class Lives {
 public:
  Lives(std::uint64_t seed, const std::string& folder)
      : random_(seed), name_(fmt::format("s{}", seed)), source_(folder + "/" + name_ + "/") {
    std::filesystem::create_directories(source_);
  }

  void run(Target& target) {
    TestPipeline pipeline(settings(name_, source_, "none"));
    pipeline.clock().advance(std::chrono::hours(24 * 365 * 10));
    for (int round = 0; round < 4; ++round) {
      for (int i = below(4); i > 0; --i) write_part();
      close_some();
      const CycleReport report = pipeline.load_into(target);
      EXPECT_EQ(code(report), 0) << name_ << "\n" << text(report);
    }
  }

  void check(DatabaseReader& reader) const {
    for (const std::string topic : {"installs", "clicks"}) {
      const auto expected = loaded_.find(topic);
      if (expected == loaded_.end()) continue;
      Lines found;
      for (const auto& row :
           reader.rows(fmt::format("SELECT n FROM {}.{} ORDER BY n", name_, topic)))
        found.push_back(row[0].value_or("null"));
      Lines wanted;
      for (const int n : expected->second) wanted.push_back(std::to_string(n));
      EXPECT_EQ(found, wanted) << name_ << " " << topic;
    }
  }

 private:
  int below(int bound) { return static_cast<int>(random_() % static_cast<std::uint64_t>(bound)); }

  void write_part() {
    const std::string folder = folder_of(below(2) == 0 ? "installs" : "clicks", below(30));
    if (closed_.contains(folder)) return;
    std::string csv = "n,what\n";
    std::vector<int>& rows = open_[folder];
    for (int i = 1 + below(3); i > 0; --i) {
      rows.push_back(++last_);
      csv += fmt::format("{},event\n", last_);
    }
    write(fmt::format("{}{}/part-{:05}.gz", source_, folder, last_), gzip(csv));
  }

  void close_some() {
    for (auto hour = open_.begin(); hour != open_.end();) {
      if (below(2) == 0) {
        ++hour;
        continue;
      }
      write(source_ + hour->first + "/_SUCCESS", "");
      closed_.insert(hour->first);
      const std::string topic = hour->first.substr(2, hour->first.find('/') - 2);
      loaded_[topic].insert(hour->second.begin(), hour->second.end());
      hour = open_.erase(hour);
    }
  }

  std::mt19937_64 random_;
  std::string name_;
  std::string source_;
  int last_ = 0;
  std::map<std::string, std::vector<int>> open_;  // folder → its rows
  std::set<std::string> closed_;
  std::map<std::string, std::set<int>> loaded_;  // topic → rows
};

TEST(RandomAppsFlyerLives, TablesHaveTheRowsOfTheHoursThatAreClosed) {
  std::uint64_t first = 1;
  std::uint64_t count = 60;
  if (const char* seed = std::getenv("FOREBAY_SEED"); seed != nullptr) {
    first = std::strtoull(seed, nullptr, 10);
    count = 1;
  }
  const TempFolder folder;
  const std::string database = folder / "warehouse.duckdb";
  std::vector<std::unique_ptr<Lives>> lives;
  {
    auto target = TestPipeline({.database = database}).open_target();
    ASSERT_TRUE(target) << describe(target.error());
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
      lives.push_back(std::make_unique<Lives>(seed, folder.path()));
      lives.back()->run(**target);
    }
  }
  DatabaseReader reader(database);
  for (const auto& life : lives) life->check(reader);
}

class AppsFlyerExample : public ::testing::Test {
 protected:
  CycleReport load(int expected = 0) {
    TestPipeline pipeline(settings("main", folder_ / "in/", folder_ / "w.duckdb"));
    pipeline.clock().advance(std::chrono::hours(24 * 365 * 10));
    CycleReport report = pipeline.load();
    EXPECT_EQ(code(report), expected) << text(report);
    return report;
  }
  Lines query(const std::string& sql) const { return query_lines(folder_ / "w.duckdb", sql); }

  TempFolder folder_;
};

TEST_F(AppsFlyerExample, AnHourLoadsWholeAndOnce) {
  const std::string hour = folder_ / ("in/" + folder_of("installs", 9));
  write(hour + "/part-00000.gz", gzip("n\n1\n"));
  write(hour + "/part-00001.gz", gzip("n\n2\n"));
  write(hour + "/_temporary.gz", "half");
  EXPECT_EQ(load().units.applied, 0U);
  write(hour + "/_SUCCESS", "");
  EXPECT_EQ(load().units.applied, 1U);
  EXPECT_EQ(query("SELECT n FROM installs ORDER BY n"), (Lines{"1", "2"}));
  EXPECT_EQ(query("SELECT unit, files, rows FROM _forebay.units"),
            (Lines{"t=installs/dt=2026-10-20/h=9/_SUCCESS|2|2"}));
  EXPECT_EQ(load().outcome, Outcome::nothing_new);
}

TEST_F(AppsFlyerExample, AnHourWithABrokenPartIsSetAsideWhole) {
  const std::string hour = folder_ / ("in/" + folder_of("installs", 9));
  write(hour + "/part-00000.gz", gzip("n\n1\n"));
  write(hour + "/part-00001.gz", gzip("n\n2\n").substr(0, 20));
  write(hour + "/_SUCCESS", "");
  write(folder_ / ("in/" + folder_of("installs", 10) + "/part-0.gz"), gzip("n\n3\n"));
  write(folder_ / ("in/" + folder_of("installs", 10) + "/_SUCCESS"), "");
  load(3);
  EXPECT_EQ(query("SELECT n FROM installs ORDER BY n"), (Lines{"3"}));
}

}  // namespace
}  // namespace forebay::test
