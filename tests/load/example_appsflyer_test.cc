#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "support/example_feed.h"
#include "support/packed.h"
#include "support/parquet_bytes.h"
#include "support/pipeline_fixture.h"
#include "support/random_lives.h"
#include "support/temp_folder.h"

// Aim: examples/appsflyer.yaml: hours without leading zeros, closed by a flag, load whole and once,
// in whatever order they are closed (FEEDS, section 3; an unmet gate means waiting). Method: hours
// drawn from seeds, written part by part and then closed; the oracle is the rows of those closed.
//
// FOREBAY_SEED=17 runs that seed alone.
namespace forebay::test {
namespace {

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
    TestPipeline pipeline(example_feed("appsflyer", name_, source_, "none"));
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
  std::map<std::uint64_t, Lives> lives;
  expect_agreement(
      seeds_of(1, 60),
      [&](std::uint64_t seed, const std::string& folder, Target& target) {
        lives.try_emplace(seed, seed, folder).first->second.run(target);
      },
      [&](std::uint64_t seed, DatabaseReader& reader) { lives.at(seed).check(reader); });
}

class AppsFlyerExample : public ::testing::Test {
 protected:
  CycleReport load(int expected = 0) {
    TestPipeline pipeline(example_feed("appsflyer", "main", folder_ / "in/", folder_ / "w.duckdb"));
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
