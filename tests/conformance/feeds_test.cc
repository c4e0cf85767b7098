// Aim: what a feed means holds in every target: the same histories, the same oracle.
// Method: random histories of a feed go into PostgreSQL; what stands there is copied into a DuckDB
// file and compared as always.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "support/history_run.h"
#include "support/postgres_mirror.h"
#include "support/postgres_server.h"
#include "support/soak.h"
#include "support/temp_folder.h"
#include "target/targets.h"

namespace forebay::test {
namespace {

TEST(FeedsInPostgres, EveryLoadOfARandomHistoryLeavesWhatTheMarkersSay) {
  const TempFolder folder;
  const std::string url = postgres().create_database("histories");
  const std::string mirror = folder / "mirror.duckdb";
  std::vector<std::unique_ptr<HistoryRun>> runs;
  for (std::uint64_t seed = 1; seed <= (soaking() ? 60U : 4U); ++seed)
    runs.push_back(std::make_unique<HistoryRun>(make_history(seed), folder.path(), mirror));
  while (!runs.empty()) {
    {
      const auto target = open_postgres_target({.url = url, .threads = 1});
      ASSERT_TRUE(target) << describe(target.error());
      std::erase_if(runs, [&](const auto& run) { return !run->load(**target); });
    }
    if (runs.empty()) break;
    mirror_postgres(url, mirror);
    DatabaseReader reader(mirror);
    std::erase_if(runs, [&](const auto& run) {
      const auto problem = run->check(reader);
      EXPECT_FALSE(problem) << *problem;
      return problem.has_value();
    });
  }
}

}  // namespace
}  // namespace forebay::test
