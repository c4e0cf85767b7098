#include "support/random_lives.h"

#include <cstdlib>
#include <numeric>

namespace forebay::test {

Seeds seeds_of(std::uint64_t first, std::uint64_t count) {
  if (const char* seed = std::getenv("FOREBAY_SEED"); seed != nullptr)
    return {std::strtoull(seed, nullptr, 10)};
  if (const char* many = std::getenv("FOREBAY_SEEDS"); many != nullptr)
    count = std::strtoull(many, nullptr, 10);
  Seeds seeds(count);
  std::iota(seeds.begin(), seeds.end(), first);
  return seeds;
}

void expect_agreement(
    const Seeds& seeds,
    const std::function<void(std::uint64_t seed, const std::string& folder, Target& target)>& run,
    const std::function<void(std::uint64_t seed, DatabaseReader& reader)>& check) {
  const TempFolder folder;
  const std::string database = folder / "warehouse.duckdb";
  {
    auto target = TestPipeline({.database = database}).open_target();
    ASSERT_TRUE(target) << describe(target.error());
    for (const std::uint64_t seed : seeds) run(seed, folder.path(), **target);
  }
  DatabaseReader reader(database);
  for (const std::uint64_t seed : seeds) check(seed, reader);
}

}  // namespace forebay::test
