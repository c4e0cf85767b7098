// Aim: a request whose small files were put into shared ones gives exactly the delta that it gives
// without, for every way in which files are read. Method: random files of two schemas, some large,
// some empty; requests of every kind go through the engine both ways.
#include "load/splice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "base/limits.h"
#include "support/engine_fixture.h"
#include "support/parquet_maker.h"

namespace forebay {
namespace {

using test::make_parquet;

const ColumnType kText{.kind = TypeKind::text};
const ColumnType kLong{.kind = TypeKind::int64};

class SpliceTest : public test::EngineFixture {
 protected:
  SpliceTest() {
    request_.columns = {{"k", kText}, {"v", kLong}, {"from", kText}, {"row", kLong}};
    const ColumnSource from{.reader_name = "", .reader_type = {}, .constant = 0};
    const ColumnSource row{.reader_name = "", .reader_type = {}, .row_number = true};
    request_.layouts = {{.columns = {{"k", kText}, {"v", kLong}, from, row}, .delete_flag = "gone"},
                        {.columns = {{"k", kText}, {"", {}}, from, row}, .delete_flag = "gone"}};
    request_.key = {"k"};
  }

  void add_files(int count, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    for (int i = 0; i < count; ++i) {
      const std::size_t layout = random() % 3 == 0 ? 1 : 0;
      const bool large = random() % 20 == 0;
      const std::uint64_t rows = large ? 20'000 : random() % 6;
      const std::string path = folder_ / fmt::format("{}-{}.parquet", seed, i);
      make_parquet(path,
                   fmt::format("SELECT 'k' || (hash(range, {0}) % 40) AS k, {1} (hash(range, "
                               "'x{0}') % 1000000)::BIGINT AS {2}, hash(range, {0}, 1) % 5 = "
                               "0 AS gone FROM range({3})",
                               seed * 1000 + static_cast<std::uint64_t>(i),
                               large ? "uuid() AS noise," : "", layout == 0 ? "v" : "w", rows));
      if (large) large_files_ += 1;
      request_.files.push_back({.file_id = 100 + i * 3,
                                .rank = i / 4,
                                .path = path,
                                .object = path,
                                .rows = rows,
                                .snapshot = random() % 4 == 0,
                                .removes = random() % 8 == 0,
                                .acts = random() % 5 != 0,
                                .layout = layout,
                                .version = {fmt::format("v{:03}", random() % 50)},
                                .constants = {fmt::format("c{}", random() % 3)}});
    }
  }

  // Every row of the delta with all its columns, sorted, and what was counted.
  std::string outcome(const CollapseRequest& request) {
    const auto delta = engine_->collapse(request);
    EXPECT_TRUE(delta) << describe(delta.error());
    if (!delta) return {};
    const auto rows = connection_->query(
        fmt::format("SELECT list(r ORDER BY r)::VARCHAR FROM (SELECT row(*COLUMNS(*))::"
                    "VARCHAR AS r FROM {})",
                    delta->rows),
        "test");
    EXPECT_TRUE(rows) << describe(rows.error());
    EXPECT_TRUE(engine_->release());
    return fmt::format("{} {} {} {} {} {}", delta->read, delta->collapsed, delta->left_out,
                       delta->puts, delta->deletes, rows ? duckdb::text((*rows)[0][0]) : "");
  }

  void expect_same(const char* what) {
    CollapseRequest spliced = request_;
    const auto shared = splice_small_files(folder_ / "staging", spliced);
    ASSERT_TRUE(shared) << describe(shared.error());
    EXPECT_FALSE(shared->empty()) << what;
    EXPECT_EQ(outcome(request_), outcome(spliced)) << what;
  }

  int large_files_ = 0;
};

TEST_F(SpliceTest, EveryKindOfRequestGivesWhatItGivesWithout) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    request_.files.clear();
    add_files(150, seed);
    expect_same("last actions");
    request_.history = true;
    expect_same("a history of places");
    request_.order.terms = {{.column = "", .type = {.kind = TypeKind::blob}}};
    request_.order.decisive = 1;
    expect_same("a history of versions of units");
    request_.history = false;
    expect_same("versions of units");
    request_.order = {};
    const std::vector<std::string> key = std::exchange(request_.key, {});
    for (Layout& layout : request_.layouts) layout.delete_flag.clear();
    expect_same("rows that append");
    for (Layout& layout : request_.layouts) layout.delete_flag = "gone";
    request_.key = key;
  }
  EXPECT_GT(large_files_, 0);
}

TEST_F(SpliceTest, FewFilesStayByThemselves) {
  add_files(static_cast<int>(kSpliceFiles) - 1, 9);
  const auto shared = splice_small_files(folder_ / "staging", request_);
  ASSERT_TRUE(shared);
  EXPECT_TRUE(shared->empty());
}

TEST_F(SpliceTest, AnotherWritersFilesAreAloneOrTogether) {
  const auto shared_files = [&](int of_first, int of_second) {
    request_.files.clear();
    for (int i = 0; i < of_first + of_second; ++i) {
      const std::string path = folder_ / fmt::format("{}.parquet", i);
      make_parquet(path, "SELECT 'k' AS k, 1::BIGINT AS v, false AS gone",
                   i < of_first ? "parquet_version v1" : "parquet_version v2");
      request_.files.push_back({.file_id = i, .path = path, .object = path, .rows = 1});
    }
    const auto shared = splice_small_files(folder_ / "staging", request_);
    EXPECT_TRUE(shared);
    return shared ? shared->size() : 0;
  };
  EXPECT_EQ(shared_files(1, 40), 1U);
  EXPECT_EQ(shared_files(20, 40), 2U);
  EXPECT_EQ(shared_files(10, 10), 0U);
}

TEST_F(SpliceTest, FilesThatAreReadDifferentlyAreNotMixed) {
  add_files(200, 10);
  const auto shared = splice_small_files(folder_ / "staging", request_);
  ASSERT_TRUE(shared);
  std::map<std::string, std::set<ReadsLike>> kinds;
  std::map<std::string, std::int64_t> next;
  for (const InputFile& file : request_.files) {
    if (!file.spliced) continue;
    kinds[file.path].insert(file.reads_like());
    EXPECT_EQ(file.spliced->number, next[file.path]++);
  }
  EXPECT_EQ(kinds.size(), shared->size());
  for (const auto& [path, of_path] : kinds) EXPECT_EQ(of_path.size(), 1U);
}

TEST_F(SpliceTest, AStagingFolderThatCannotBeWrittenIsSaid) {
  add_files(100, 11);
  folder_.write("file", "");
  const auto shared = splice_small_files(folder_ / "file", request_);
  ASSERT_FALSE(shared);
  EXPECT_TRUE(shared.error().object.contains("staging"));
}

}  // namespace
}  // namespace forebay
