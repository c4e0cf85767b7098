#include "support/append_fixture.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "support/parquet_maker.h"

namespace forebay::test {

AppendTest::AppendTest(OptionList options)
    : database_(folder_ / "warehouse.duckdb"),
      pipeline_({.feed = "append",
                 .options = std::move(options),
                 .name = "events",
                 .schema = "main",
                 .source = folder_ / "in",
                 .database = database_}) {
  std::filesystem::create_directories(folder_ / "in");
  pipeline_.settings.options.emplace_back("table", "events");
  pipeline_.clock().advance(std::chrono::hours(24 * 365 * 10));
}

void AppendTest::set(const std::string& name, const std::string& value) {
  auto& options = pipeline_.settings.options;
  std::erase_if(options, [&](const auto& option) { return option.first == name; });
  options.emplace_back(name, value);
}

void AppendTest::keep_for(const std::string& period) {
  pipeline_.settings.more["retention"] = {
      .where = "test",
      .is_map = true,
      .fields = {{"period", {.values = {period}, .where = "test"}}}};
}

void AppendTest::put_text(const std::string& key, const std::string& content) {
  folder_.write("in/" + key, content);
}

void AppendTest::put_file(const std::string& key, const std::string& query,
                          const std::string& options) {
  const std::filesystem::path path = folder_ / ("in/" + key);
  std::filesystem::create_directories(path.parent_path());
  std::filesystem::remove(path);
  make_parquet(path.string(), query, options);
}

void AppendTest::put_numbers(const std::string& key, const std::vector<int>& times) {
  put_file(key, fmt::format("SELECT unnest([{}]::BIGINT[]) AS t", fmt::join(times, ",")));
}

void AppendTest::remove_file(const std::string& key) {
  std::filesystem::remove(folder_ / ("in/" + key));
}

CycleReport AppendTest::load(int expected, const CycleOptions& options) {
  CycleReport report = pipeline_.load(options);
  EXPECT_EQ(code(report), expected) << text(report);
  return report;
}

Lines AppendTest::column(const std::string& name) const {
  return query(fmt::format("SELECT {0} FROM main.events ORDER BY {0} NULLS LAST", name));
}

Lines AppendTest::rows() const {
  return query("SELECT * EXCLUDE (_forebay_file) FROM main.events ORDER BY ALL");
}

std::string AppendTest::mark() const {
  return query("SELECT mark FROM _forebay.commits ORDER BY commit_no DESC LIMIT 1").at(0);
}

std::uint64_t AppendTest::ignored(const CycleReport& report, const std::string& reason) const {
  const auto table = report.tables.find("main.events");
  if (table == report.tables.end()) return 0;
  const auto count = table->second.ignored.find(reason);
  return count == table->second.ignored.end() ? 0 : count->second;
}

}  // namespace forebay::test
