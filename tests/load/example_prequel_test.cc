#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "base/digest.h"
#include "support/example_feed.h"
#include "support/parquet_bytes.h"
#include "support/parquet_maker.h"
#include "support/pipeline_fixture.h"
#include "support/random_lives.h"
#include "support/temp_folder.h"

// Aim: examples/prequel.yaml: transfers whose ids have no order give the model as it was when the
// last of them ended, whatever the order in which their manifests become visible (FEEDS, section
// 3). Method: lives of a model drawn from seeds; the oracle is the model.
//
// FOREBAY_SEED=17 runs that seed alone.
namespace forebay::test {
namespace {

using Rows = std::map<int, int>;  // id → amount

struct Transfer {
  std::string id;
  std::string type;
  int minute = 0;
  std::vector<Rows> files;
};

// Writes the files of a transfer, then its manifest. `wrong`: the checksum of another file.
void deliver(const std::string& source, const Transfer& transfer, bool wrong = false) {
  std::vector<std::string> entries;
  for (std::size_t i = 0; i < transfer.files.size(); ++i) {
    const std::string key = fmt::format("users/dt=2026-10-20/{}_{}.parquet", transfer.id, i);
    std::filesystem::create_directories(source + "users/dt=2026-10-20");
    std::string rows;
    for (const auto& [id, amount] : transfer.files[i])
      rows += fmt::format("{}({}, {})", rows.empty() ? "" : ", ", id, amount);
    make_parquet(source + key, rows.empty()
                                   ? std::string("SELECT 0 AS id, 0 AS amount LIMIT 0")
                                   : fmt::format("SELECT * FROM (VALUES {}) t(id, amount)", rows));
    entries.push_back(
        fmt::format(R"({{"data_file_key": "{}", "etag": "x", "sha256_checksum": "{}"}})", key,
                    sha256_hex(wrong ? std::string("other") : read_file(source + key))));
  }
  const std::string folder = source + "_manifests/users/dt=2026-10-20";
  std::filesystem::create_directories(folder);
  write_file(fmt::format("{}/manifest_{}.json", folder, transfer.id),
             fmt::format(R"({{"version": "1", "transfer_id": "{}", "model_name": "users",
"transfer_type": "{}", "start_time": "2026-10-20T00:00:00Z",
"end_time": "2026-10-20T{:02}:{:02}:00Z", "files": [{}]}})",
                         transfer.id, transfer.type, transfer.minute / 60, transfer.minute % 60,
                         fmt::join(entries, ", ")));
}

struct Life {
  std::vector<Transfer> transfers;  // as they become visible
  Rows model;
};

Life make_life(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](int bound) {
    return static_cast<int>(random() % static_cast<std::uint64_t>(bound));
  };
  Life life;
  for (int i = 0; i <= below(6); ++i) {
    // Ids that say nothing about the order.
    Transfer transfer{.id = fmt::format("{:08x}", random() & 0xffffffffU), .minute = 7 * i};
    Rows changed;
    for (int n = below(4); n > 0; --n) changed[below(6)] = 100 * i + n;
    if (i == 0 || below(3) == 0) {
      transfer.type = "FULL_REFRESH";
      if (below(3) == 0) life.model.clear();
      for (const auto& [id, amount] : changed) life.model[id] = amount;
      transfer.files.push_back(life.model);
      if (below(2) == 0) transfer.files.emplace_back();
    } else {
      transfer.type = "INCREMENTAL";
      for (const auto& [id, amount] : changed) life.model[id] = amount;
      Rows sent = changed;
      for (const auto& [id, amount] : life.model) {
        if (below(3) == 0) sent[id] = amount;  // again
      }
      transfer.files.push_back(sent);
    }
    life.transfers.push_back(std::move(transfer));
  }
  std::ranges::shuffle(life.transfers, random);
  return life;
}

void run(std::uint64_t seed, const std::string& folder, Target& target) {
  const std::string name = fmt::format("s{}", seed);
  const std::string source = folder + "/" + name + "/";
  std::filesystem::create_directories(source);
  TestPipeline pipeline(example_feed("prequel", name, source, "none"));
  pipeline.clock().advance(std::chrono::hours(24 * 365 * 10));
  std::size_t arrived = 0;
  for (const Transfer& transfer : make_life(seed).transfers) {
    deliver(source, transfer);
    if (++arrived % 2 == 0) pipeline.load_into(target);
  }
  const CycleReport report = pipeline.load_into(target);
  EXPECT_EQ(code(report), 0) << name << "\n" << text(report);
}

void check(std::uint64_t seed, DatabaseReader& reader) {
  Lines expected;
  for (const auto& [id, amount] : make_life(seed).model)
    expected.push_back(fmt::format("{}|{}", id, amount));
  Lines found;
  for (const auto& row :
       reader.rows(fmt::format("SELECT id || '|' || amount FROM s{}.users ORDER BY id", seed)))
    found.push_back(row[0].value_or("null"));
  EXPECT_EQ(found, expected) << "seed " << seed;
}

TEST(RandomPrequelLives, TheTableIsTheModel) { expect_agreement(seeds_of(1, 60), run, check); }

TEST(PrequelExample, AFileWithAnotherChecksumIsNeverLoaded) {
  const TempFolder folder;
  const std::string source = folder / "in/";
  TestPipeline pipeline(example_feed("prequel", "main", source, folder / "w.duckdb"));
  pipeline.clock().advance(std::chrono::hours(24 * 365 * 10));
  deliver(source, {.id = "b", .type = "FULL_REFRESH", .minute = 1, .files = {{{1, 10}}}});
  EXPECT_EQ(code(pipeline.load()), 0);
  deliver(source, {.id = "a", .type = "INCREMENTAL", .minute = 2, .files = {{{1, 11}}}}, true);
  deliver(source, {.id = "c", .type = "INCREMENTAL", .minute = 3, .files = {{{2, 20}}}});
  EXPECT_EQ(code(pipeline.load()), 3);
  EXPECT_EQ(query_lines(folder / "w.duckdb", "SELECT id, amount FROM users"), (Lines{"1|10"}));
}

}  // namespace
}  // namespace forebay::test
