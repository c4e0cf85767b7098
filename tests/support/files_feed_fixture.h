#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include "support/parquet_maker.h"
#include "support/pipeline_fixture.h"
#include "support/watched_store.h"

namespace forebay::test {

// The feed `files` over a folder `in`, loaded in process into the table main.events. The clock
// stands at the beginning of 2026-12-31, whenever the files are written.
class FilesTest : public ::testing::Test {
 protected:
  FilesTest() { std::filesystem::create_directories(folder_ / "in"); }

  // For tests that write files now: later than any of them.
  void wait_until_all_settled() { pipeline_.clock().advance(std::chrono::hours(24 * 365 * 10)); }
  void option(const std::string& name, const std::string& value) {
    pipeline_.settings.options.emplace_back(name, value);
  }
  void put_file(const std::string& key, const std::string& query) {
    const std::string path = folder_ / ("in/" + key);
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    make_parquet(path, query);
  }
  CycleReport load(int expected = 0, const CycleOptions& options = {}) {
    CycleReport report = pipeline_.load(options);
    EXPECT_EQ(code(report), expected) << text(report);
    return report;
  }
  Lines query(const std::string& sql) const { return query_lines(database_, sql); }
  Lines rows() const {
    return query("SELECT * EXCLUDE (_forebay_file) FROM main.events ORDER BY ALL");
  }

  // Name and type of each column.
  Lines columns() const {
    return query(
        "SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = 'events' AND "
        "column_name <> '_forebay_file' ORDER BY column_index");
  }
  std::string reason(const std::string& unit) const {
    const Lines found = query(
        "SELECT reason FROM _forebay.units WHERE state = 'quarantined' AND unit = '" + unit + "'");
    return found.size() == 1 ? found[0] : "not quarantined once";
  }

  TempFolder folder_;
  std::string database_ = folder_ / "warehouse.duckdb";
  TestPipeline pipeline_{{.feed = "files",
                          .options = {{"table", "events"}},
                          .name = "events",
                          .schema = "main",
                          .source = folder_ / "in",
                          .database = database_}};
};

// The same with its store watched, and files that are never still settling.
class WatchedFilesTest : public FilesTest {
 protected:
  WatchedFilesTest() {
    pipeline_.decorate = [this](ObjectStore& inner) {
      return std::make_unique<WatchedStore>(inner, watch_);
    };
    watch_.after_page = [](std::vector<ObjectInfo>& objects) {
      // As old as their names are, so that none is still settling.
      for (ObjectInfo& object : objects) object.last_modified = Time{};
    };
  }

  // One row, the number n.
  void put_file(const std::string& key, int n) {
    FilesTest::put_file(key, "SELECT " + std::to_string(n) + " AS n");
  }
  CycleReport load(int expected = 0, const CycleOptions& options = {}) {
    watch_.listed.clear();
    return FilesTest::load(expected, options);
  }
  // What the last load listed, in byte order: prefixes, with "> key" where it started after one.
  Lines listed() const {
    Lines lines;
    for (const auto& [prefix, start_after] : watch_.listed) {
      lines.push_back(start_after.empty() ? prefix : prefix + " > " + start_after);
    }
    std::ranges::sort(lines);  // several are begun at once
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
  std::string mark() const {
    return query("SELECT mark FROM _forebay.commits ORDER BY commit_no DESC LIMIT 1").at(0);
  }

  WatchedStore::Watch watch_;
};

}  // namespace forebay::test
