#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "support/pipeline_fixture.h"
#include "support/temp_folder.h"

// What tests have in common that draw lives of a feed from seeds.
namespace forebay::test {

using Seeds = std::vector<std::uint64_t>;

// `count` seeds from `first` on, or FOREBAY_SEEDS of them; FOREBAY_SEED alone where that is set.
Seeds seeds_of(std::uint64_t first, std::uint64_t count);

// All lives are loaded into one database, which is read at the end.
void expect_agreement(
    const Seeds& seeds,
    const std::function<void(std::uint64_t seed, const std::string& folder, Target& target)>& run,
    const std::function<void(std::uint64_t seed, DatabaseReader& reader)>& check);

// Each life has a database of its own, and compares it as it goes on; the first failure ends it.
template <class Life>
void live_each(const Seeds& seeds) {
  const TempFolder folder;
  for (const std::uint64_t seed : seeds) {
    if (::testing::Test::HasFailure()) return;
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const std::string database = folder / fmt::format("{}.duckdb", seed);
    Life life(seed, folder / "exports", database);
    life.live();
    std::filesystem::remove(database);
  }
}

}  // namespace forebay::test
