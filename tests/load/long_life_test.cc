// Aim: a database that was loaded for years, a batch at a time, is at most twice as large as one
// that was loaded today from the same feed, but for what a few commits leave, and holds the same
// rows. Method: one cycle a batch, each with new rows, changes and deletes, the database opened and
// closed in between; then another database loads all batches at once. FOREBAY_SOAK=1: a thousand
// cycles, and what they took.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

#include "support/feed_maker.h"
#include "support/parquet_maker.h"
#include "support/pipeline_fixture.h"
#include "support/soak.h"
#include "support/temp_folder.h"
#include "target/duckdb_compaction.h"

namespace forebay::test {
namespace {

constexpr int kRows = 60'000;
constexpr int kDaily = 1'500;
// Blocks of the commits since the last compaction, of a table and five of the ledger.
constexpr std::uintmax_t kOfCommits = Compaction::kCommitsBetween * 6 * 262'144;

class LongLife : public ::testing::Test {
 protected:
  // A snapshot first, then batches: most rows change one that stands, some are new, some go.
  void deliver(int number) const {
    const int rows = number == 0 ? kRows : kDaily;
    const std::string id =
        number == 0 ? "i"
                    : fmt::format("(i * 7919 + {0} * 104729) % {1}", number, kRows + number * 20);
    const std::string query = fmt::format(
        "SELECT 'key-' || ({0})::VARCHAR AS _row_id, {1} AS _deleted, (i + {2})::INTEGER AS "
        "amount, "
        "md5((i * 1000 + {2})::VARCHAR) AS note FROM range({3}) t(i)",
        id, number == 0 ? "false" : "i % 100 = 0", number, rows);
    const FeedFile file{.table = "visits", .claimed_rows = static_cast<std::uint64_t>(rows)};
    const std::string name = batch_name(number);
    const Marker marker = number == 0 ? snapshot(name, {file}) : batch(name, {file});
    const std::string path = feed_.source() + feed_.key(marker, 0);
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    make_parquet(path, query);
    feed_.write_marker(marker);
  }

  TestPipeline pipeline(const std::string& name) const {
    return TestPipeline({.source = feed_.source(), .database = folder_ / name});
  }
  std::uintmax_t size(const std::string& name) const {
    return std::filesystem::file_size(folder_ / name);
  }
  Lines rows(const std::string& name) const {
    return query_lines(folder_ / name,
                       "SELECT count(*), sum(amount), bit_xor(hash(_row_id, amount, note)) FROM "
                       "carwash.visits");
  }

  const TempFolder folder_;
  const FeedMaker feed_{folder_ / "bucket", "rollerup/"};
};

TEST_F(LongLife, AnOldDatabaseIsAtMostTwiceAsLargeAsAFreshOne) {
  const int cycles = soaking() ? 1'000 : 16;
  TestPipeline old = pipeline("old.duckdb");
  std::chrono::duration<double> first{};
  std::chrono::duration<double> last{};
  for (int i = 0; i < cycles; ++i) {
    deliver(i);
    const auto begun = std::chrono::steady_clock::now();
    const CycleReport report = old.load();
    const auto took = std::chrono::steady_clock::now() - begun;
    ASSERT_EQ(code(report), 0) << text(report);
    ASSERT_EQ(report.units.applied, 1U);
    if (i > 0 && i <= cycles / 10) first += took;
    if (i >= cycles - cycles / 10) last += took;
  }
  const CycleReport report = pipeline("fresh.duckdb").load();
  ASSERT_EQ(code(report), 0) << text(report);
  EXPECT_EQ(rows("old.duckdb"), rows("fresh.duckdb"));
  EXPECT_LE(size("old.duckdb"), 2 * size("fresh.duckdb") + kOfCommits);
  fmt::print("{} cycles: {} bytes, fresh {}; a cycle {:.1f} ms at first, {:.1f} ms at the end\n",
             cycles, size("old.duckdb"), size("fresh.duckdb"), first.count() * 1e4 / cycles,
             last.count() * 1e4 / cycles);
}

}  // namespace
}  // namespace forebay::test
