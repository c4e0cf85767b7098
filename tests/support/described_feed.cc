#include "support/described_feed.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "base/clock.h"
#include "feed/description.h"
#include "support/parquet_bytes.h"
#include "support/paths.h"

namespace forebay::test {

DescribedFeed::DescribedFeed() {
  settings_ = {.feed = "described",
               .name = "main",
               .schema = "main",
               .source = folder_ / "in/",
               .database = folder_ / "w.duckdb"};
  std::filesystem::create_directories(folder_ / "in");
}

void DescribedFeed::describe_as_in(const std::string& example) {
  settings_.yaml = read_file(source_dir() / ("examples/" + example + ".yaml"));
}

void DescribedFeed::put(const std::string& key, const std::string& content) const {
  folder_.write("in/" + key, content);
}

void DescribedFeed::remove(const std::string& key) const {
  std::filesystem::remove_all(folder_ / ("in/" + key));
}

void DescribedFeed::set_list(const std::string& name, std::vector<std::string> values) {
  settings_.more[name] = {.values = std::move(values), .is_list = true, .where = "forebay.yaml:7"};
}

void DescribedFeed::set(const std::string& name, const std::string& value) {
  settings_.options.emplace_back(name, value);
}

CycleReport DescribedFeed::load(int expected) {
  TestPipeline pipeline(settings_);
  pipeline.clock().advance(ahead_);
  CycleReport report = pipeline.load();
  EXPECT_EQ(code(report), expected) << text(report);
  return report;
}

Lines DescribedFeed::waiting() {
  TestPipeline pipeline(settings_);
  pipeline.clock().advance(ahead_);
  const auto plan = pipeline.plan();
  if (!plan) return {describe(plan.error())};
  Lines lines;
  for (const Plan::Unit& unit : plan->units) {
    if (unit.unit.standing == Standing::waiting)
      lines.push_back(fmt::format("{}: {}", unit.unit.name.name, unit.unit.why));
  }
  return lines;
}

std::string DescribedFeed::error_of(std::string_view yaml) const {
  const auto feed = bind_feed("described", yaml, "d.yaml", {});
  return feed ? "none" : describe(feed.error());
}

Lines DescribedFeed::rows(const std::string& table, const std::string& columns) const {
  const bool versions =
      query_lines(settings_.database,
                  fmt::format("SELECT 1 FROM duckdb_columns() WHERE table_name = '{}' AND "
                              "column_name = '_forebay_version'",
                              table)) != Lines();
  const std::string what = columns == "*" ? fmt::format("* EXCLUDE (_forebay_file{})",
                                                        versions ? ", _forebay_version" : "")
                                          : columns;
  return query_lines(settings_.database,
                     fmt::format("SELECT {} FROM main.\"{}\" ORDER BY ALL", what, table));
}

Lines DescribedFeed::query(const std::string& sql) const {
  return query_lines(settings_.database, sql);
}

Lines DescribedFeed::tables() const {
  return query(
      "SELECT table_name FROM duckdb_tables() WHERE schema_name = 'main' AND NOT "
      "starts_with(table_name, '_forebay') AND NOT ends_with(table_name, '__gone') "
      "ORDER BY ALL");
}

}  // namespace forebay::test
