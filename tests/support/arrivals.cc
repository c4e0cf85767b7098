#include "support/arrivals.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>

namespace forebay::test {
namespace {

std::string schema(std::size_t order) { return fmt::format("p{}", order); }

}  // namespace

Arrivals::Arrivals(TestPipeline::Settings settings, std::size_t deliveries, std::size_t together,
                   const Deliver& deliver) {
  settings.database = folder_ / "warehouse.duckdb";
  auto target = TestPipeline(settings).open_target();
  if (!target) {
    ADD_FAILURE() << describe(target.error());
    return;
  }
  std::vector<std::size_t> order(deliveries);
  std::iota(order.begin(), order.end(), 0U);
  do {
    settings.name = settings.schema = schema(orders_.size());
    settings.source = folder_ / settings.name + "/";
    std::filesystem::create_directories(settings.source);
    TestPipeline pipeline(settings);
    pipeline.clock().advance(std::chrono::hours(24 * 365 * 10));
    std::string text;
    for (std::size_t i = 0; i < deliveries; ++i) {
      deliver(settings.source, order[i]);
      text += fmt::format("{} ", order[i]);
      if ((i + 1) % together != 0 && i + 1 < deliveries) continue;
      const CycleReport report = pipeline.load_into(**target);
      EXPECT_EQ(code(report), 0) << test::text(report) << " after " << text;
    }
    orders_.push_back(std::move(text));
  } while (std::ranges::next_permutation(order).found);
}

Lines Arrivals::lines(const std::string& sql) {
  DatabaseReader reader(folder_ / "warehouse.duckdb");
  Lines first;
  for (std::size_t i = 0; i < orders_.size(); ++i) {
    std::string query = sql;
    for (std::size_t at; (at = query.find("$S")) != std::string::npos;)
      query.replace(at, 2, schema(i));
    Lines lines;
    for (const DatabaseReader::Row& row : reader.rows(query)) {
      std::string line;
      for (const auto& cell : row) line += "|" + cell.value_or("null");
      lines.push_back(line.substr(1));
    }
    if (i == 0) first = lines;
    EXPECT_EQ(lines, first) << "arrival " << orders_[i];
    if (lines != first) break;
  }
  return first;
}

}  // namespace forebay::test
