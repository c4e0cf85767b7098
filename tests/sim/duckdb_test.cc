// Aim: the model under the simulation and DuckDB are the same to a loader: one seed makes the same
// life with either, step by step, and leaves the same tables and the same decisions. Method: one
// seed in 200 is lived twice, with one loader at a time in the database, as DuckDB wants it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "sim/simulation.h"
#include "support/pipeline_fixture.h"
#include "support/random_lives.h"
#include "support/temp_folder.h"
#include "target/targets.h"

namespace forebay::sim {
namespace {

constexpr std::size_t kOneIn = 200;

Tables tables_in(test::DatabaseReader& reader) {
  Tables tables;
  std::map<std::string, std::vector<Column>> columns;
  for (const auto& row : reader.rows(
           "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = "
           "'raw' AND column_name <> '_forebay_file' ORDER BY table_name, ordinal_position"))
    columns[*row[0]].push_back({*row[1], {.kind = TypeKind::text}});
  for (const auto& [table, named] : columns) {
    Rows rows;
    for (const auto& cells :
         reader.rows(fmt::format("SELECT * EXCLUDE (_forebay_file) FROM raw.{}", table)))
      rows.push_back(row_text(named, cells));
    std::ranges::sort(rows);
    if (!rows.empty()) tables[table] = std::move(rows);
  }
  return tables;
}

std::vector<std::string> decisions_in(test::DatabaseReader& reader) {
  std::vector<std::string> lines;
  for (const auto& row : reader.rows(
           "SELECT format('{} {} {} {}', commit_no, unit, version, state) FROM _forebay.units"))
    lines.push_back(*row[0]);
  std::ranges::sort(lines);
  return lines;
}

std::vector<std::string> decisions_of(const ModelDatabase& ledger) {
  std::vector<std::string> lines;
  for (const auto& [unit, commit_no] : ledger.units)
    lines.push_back(
        fmt::format("{} {} {} {}", commit_no, unit.unit, unit.version, to_string(unit.state)));
  std::ranges::sort(lines);
  return lines;
}

TEST(Simulation, DuckdbAndTheModelAgree) {
  const test::TempFolder folder;
  const test::Seeds seeds = test::seeds_of(1, 1'000);
  for (std::size_t i = 0; i < seeds.size(); i += kOneIn) {
    SimOptions options{.seed = seeds[i], .folder = folder.path(), .exclusive = true};
    const SimResult model = simulate(options);
    ASSERT_FALSE(model.violation) << seeds[i] << ": " << *model.violation;
    const std::string database = folder / fmt::format("{}.duckdb", seeds[i]);
    SimResult real;
    {
      auto target = open_duckdb_target({.path = database, .threads = 1});
      ASSERT_TRUE(target) << describe(target.error());
      options.real = target->get();
      real = simulate(options);
    }
    ASSERT_FALSE(real.violation) << seeds[i] << ": " << *real.violation;
    EXPECT_EQ(real.steps, model.steps) << seeds[i];
    EXPECT_EQ(real.digest, model.digest) << seeds[i];
    {
      test::DatabaseReader reader(database);
      EXPECT_EQ(tables_in(reader), model.tables) << seeds[i];
      EXPECT_EQ(decisions_in(reader), decisions_of(model.ledger)) << seeds[i];
    }
    std::filesystem::remove(database);
  }
}

}  // namespace
}  // namespace forebay::sim
