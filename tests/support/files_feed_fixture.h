#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "support/parquet_maker.h"
#include "support/pipeline_fixture.h"
#include "support/watched_store.h"

namespace forebay::test {

// The feed `files` over a folder `in`, loaded in process into the table main.events, with its store
// watched. The clock stands at the beginning of 2026-12-31, whenever the files are written.
class WatchedFilesTest : public ::testing::Test {
 protected:
  WatchedFilesTest() {
    std::filesystem::create_directories(folder_ / "in");
    pipeline_.decorate = [this](ObjectStore& inner) {
      return std::make_unique<WatchedStore>(inner, watch_);
    };
    watch_.after_page = [](std::vector<ObjectInfo>& objects) {
      // As old as their names are, so that none is still settling.
      for (ObjectInfo& object : objects) object.last_modified = Time{};
    };
  }

  void option(const std::string& name, const std::string& value) {
    pipeline_.settings.options.emplace_back(name, value);
  }
  // One row, the number n.
  void put_file(const std::string& key, int n) {
    const std::string path = folder_ / ("in/" + key);
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    make_parquet(path, "SELECT " + std::to_string(n) + " AS n");
  }
  CycleReport load(int expected = 0, const CycleOptions& options = {}) {
    watch_.listed.clear();
    CycleReport report = pipeline_.load(options);
    EXPECT_EQ(code(report), expected) << text(report);
    return report;
  }
  // What the last load listed: prefixes, with "> key" where it started after one.
  Lines listed() const {
    Lines lines;
    for (const auto& [prefix, start_after] : watch_.listed) {
      lines.push_back(start_after.empty() ? prefix : prefix + " > " + start_after);
    }
    return lines;
  }
  // What plan says that load would list.
  Lines planned() {
    const auto plan = pipeline_.plan();
    EXPECT_TRUE(plan) << describe(plan.error());
    Lines lines;
    if (!plan) return lines;
    for (const ListRange& range : plan->discovery.scopes) {
      lines.push_back(range.start_after.empty() ? range.prefix
                                                : range.prefix + " > " + range.start_after);
    }
    return lines;
  }
  Lines query(const std::string& sql) const { return query_lines(database_, sql); }
  Lines rows() const { return query("SELECT n FROM main.events ORDER BY ALL"); }
  std::string mark() const {
    return query("SELECT mark FROM _forebay.commits ORDER BY commit_no DESC LIMIT 1").at(0);
  }

  TempFolder folder_;
  std::string database_ = folder_ / "warehouse.duckdb";
  WatchedStore::Watch watch_;
  TestPipeline pipeline_{{.feed = "files",
                          .options = {{"table", "events"}},
                          .name = "events",
                          .schema = "main",
                          .source = folder_ / "in",
                          .database = database_}};
};

}  // namespace forebay::test
