#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/demo_feed.h"
#include "support/parquet_maker.h"
#include "support/paths.h"
#include "support/pipeline_fixture.h"
#include "support/run_program.h"
#include "support/temp_folder.h"

namespace forebay::test {

// The real program over a folder `in` of Parquet files and a database `w.duckdb`, with the pipeline
// `events` of the feed `files`.
class CliFilesTest : public ::testing::Test {
 protected:
  using Json = nlohmann::json;

  CliFilesTest() {
    std::filesystem::create_directories(folder_ / "in");
    configure("");
  }

  // `more`: lines of the pipeline, each with its break.
  void configure(const std::string& more) {
    folder_.write("forebay.yaml",
                  "target: duckdb:w.duckdb\npipelines:\n  events:\n    source: ./in/\n"
                  "    feed: files\n    table: events\n    settle: 0s\n" +
                      more);
  }

  void put_file(const std::string& key, int n) {
    const std::string path = folder_ / ("in/" + key);
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    make_parquet(path, "SELECT " + std::to_string(n) + " AS n");
  }

  // Instead of `events` the pipeline `carwash`: a feed of documents with so many deliveries.
  void configure_carwash(int deliveries) {
    auto feed = DemoFeed::create({.folder = folder_ / "feed/carwash",
                                  .prefix = "carwash/",
                                  .first = Time(std::chrono::hours(490'000))});
    for (int i = 0; i < deliveries; ++i) ASSERT_TRUE(feed && feed->deliver());
    folder_.write("forebay.yaml",
                  "target: duckdb:w.duckdb\npipelines:\n  carwash:\n    source: ./feed/carwash/\n"
                  "    feed: rollerup\n    schema: raw\n");
  }

  ProgramResult run(const std::vector<std::string>& arguments) {
    return run_program(faulty_binary(), arguments,
                       {.folder = folder_.path(), .environment = environment_});
  }

  // With --json: the one document, and the exit code as expected, in the document too.
  Json document(std::vector<std::string> arguments, int code) {
    arguments.push_back("--json");
    const ProgramResult result = run(arguments);
    EXPECT_EQ(result.code, code) << result.out << result.err;
    Json parsed = Json::parse(result.out, nullptr, false);
    EXPECT_FALSE(parsed.is_discarded()) << result.out;
    if (parsed.is_object()) {
      EXPECT_EQ(parsed["exit_code"], code);
    }
    return parsed;
  }
  // The part of the only pipeline.
  Json pipeline(std::vector<std::string> arguments, int code) {
    const Json whole = document(std::move(arguments), code);
    EXPECT_EQ(whole["pipelines"].size(), 1U) << whole;
    return whole["pipelines"].empty() ? Json() : whole["pipelines"][0];
  }

  Lines query(const std::string& sql) const { return query_lines(folder_ / "w.duckdb", sql); }
  Lines rows() const { return query("SELECT n FROM main.events ORDER BY ALL"); }

  TempFolder folder_;
  std::map<std::string, std::string> environment_ = {{"HOME", "/nonexistent"},
                                                     {"PATH", "/usr/bin:/bin"}};
};

}  // namespace forebay::test
