#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <random>
#include <set>

#include "support/append_model.h"
#include "support/parquet_maker.h"
#include "support/pipeline_fixture.h"

// Aim: whatever happens to the files of a table that the feed `append` loads (FEEDS 2.5, rules 1,
// 2, 3, 4, 6 and 7), its rows, whose rows they are and the mark are what a model says that goes row
// by row. Method: histories from seeds: files appear, grow, shrink, are written again, vanish, are
// merged; windows are cut. Each seed is a pipeline of its own in one database. FOREBAY_SEED=N
// repeats one.
namespace forebay::test {
namespace {

class History {
 public:
  History(std::uint64_t seed, const std::string& folder, const std::string& database)
      : random_(seed),
        folder_(folder + fmt::format("/{}", seed)),
        options_(draw_options()),
        model_(options_),
        pipeline_({.feed = "append",
                   .options = options(),
                   .name = fmt::format("p{}", seed),
                   .schema = "main",
                   .source = folder_,
                   .database = database}),
        table_(fmt::format("t{}", seed)) {
    std::filesystem::create_directories(folder_);
    pipeline_.settings.options.emplace_back("table", table_);
  }

  void run(Target& target) {
    for (int step = 0; step < 4; ++step) {
      for (int change = below(3); change >= 0; --change) change_files();
      const CycleOptions cut{.max_units = below(4) == 0 ? std::optional<std::size_t>(1 + below(2))
                                                        : std::nullopt};
      const CycleReport report = pipeline_.load_into(target, cut);
      EXPECT_EQ(code(report), 0) << text(report);
      model_.load(files_, written_, cut.max_units);
      log_ += fmt::format("load {}\n", cut.max_units.value_or(0));
    }
  }

  void check(DatabaseReader& database) const {
    std::vector<std::string> expected;
    for (const auto& [row, read, file] : model_.rows())
      expected.push_back(fmt::format("{} {} {}", row.first ? std::to_string(*row.first) : "null",
                                     row.second, file));
    std::vector<std::string> found;
    std::string mark;
    if (!files_ever_) return;
    for (const auto& row : database.rows(fmt::format(
             "SELECT coalesce(t::VARCHAR, 'null') || ' ' || n || ' ' || f.store_key FROM main.{} e "
             "JOIN _forebay.file_log f ON f.file_id = e._forebay_file",
             table_)))
      found.push_back(*row[0]);
    for (const auto& row : database.rows(fmt::format(
             "SELECT arg_max(mark, commit_no) FROM _forebay.commits WHERE pipeline = '{}'",
             pipeline_.settings.name)))
      mark = row[0].value_or("");
    std::ranges::sort(expected);
    std::ranges::sort(found);
    EXPECT_EQ(found, expected) << log_;
    EXPECT_EQ(mark, model_.mark() ? fmt::format("unix_seconds s {}", *model_.mark()) : "") << log_;
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }

  AppendModel::Options draw_options() {
    AppendModel::Options drawn;
    drawn.overlap = std::vector<std::int64_t>{0, 3, 8, 1000}[static_cast<std::size_t>(below(4))];
    drawn.inclusive = below(3) == 0;
    drawn.load_late = below(3) == 0;
    drawn.load_nulls = below(3) != 0;
    drawn.replace = below(5) == 0;
    drawn.keyed = below(3) == 0;
    drawn.latest = kFuture - 1;
    return drawn;
  }

  std::vector<std::pair<std::string, std::string>> options() const {
    std::vector<std::pair<std::string, std::string>> list = {
        {"time_column", "t"},
        {"time_format", "unix_seconds"},
        {"overlap", fmt::format("{}s", options_.overlap)},
        {"boundary", options_.inclusive ? "inclusive" : "exclusive"},
        {"late", options_.load_late ? "load" : "skip"},
        {"null_time", options_.load_nulls ? "load" : "skip"},
        {"on_rewrite", options_.replace ? "replace" : "append"}};
    if (options_.keyed) list.emplace_back("primary_key", "k");
    return list;
  }

  AppendModel::Row draw_row() {
    AppendModel::Row row{clock_ + below(9) - 5, below(options_.keyed ? 30 : 2)};
    if (below(12) == 0) row.first = std::nullopt;
    if (below(40) == 0) row.first = kFuture;
    return row;
  }

  void write(const std::string& key, std::vector<AppendModel::Row> rows) {
    std::vector<std::string> values = {"(0, 0, false)"};
    for (const auto& [time, value] : rows)
      values.push_back(fmt::format("({}, {}, true)", time ? std::to_string(*time) : "NULL", value));
    std::filesystem::remove(folder_ + "/" + key);
    make_parquet(folder_ + "/" + key,
                 fmt::format("SELECT t::BIGINT AS t, n::BIGINT AS n, n % {} AS k FROM (VALUES {}) "
                             "v(t, n, there) WHERE there",
                             AppendModel::kKeys, fmt::join(values, ", ")));
    log_ += fmt::format("{}: {}\n", key, fmt::join(values.begin() + 1, values.end(), " "));
    files_[key] = std::move(rows);
    written_.insert(key);
    files_ever_ = true;
  }

  std::string any_file() {
    auto file = files_.begin();
    std::advance(file, below(static_cast<int>(files_.size())));
    return file->first;
  }

  void change_files() {
    clock_ += below(4);
    const int what = files_.empty() ? 0 : below(6);
    if (what <= 1) {
      std::vector<AppendModel::Row> rows;
      for (int i = below(6); i >= 0; --i) rows.push_back(draw_row());
      write(fmt::format("f{:03}.parquet", next_++), std::move(rows));
      return;
    }
    const std::string key = any_file();
    std::vector<AppendModel::Row> rows = files_.at(key);
    if (what == 2 || what == 3) {
      if (below(3) == 0 && !rows.empty()) rows.pop_back();
      for (int i = below(3); i > 0; --i) rows.push_back(draw_row());
      write(key, std::move(rows));
      return;
    }
    std::filesystem::remove(folder_ + "/" + key);
    files_.erase(key);
    log_ += key + " is gone\n";
    if (what == 4 || files_.empty()) return;
    const std::string other = any_file();
    const std::vector<AppendModel::Row> more = files_.at(other);
    rows.insert(rows.end(), more.begin(), more.end());
    std::filesystem::remove(folder_ + "/" + other);
    files_.erase(other);
    log_ += other + " is merged with it\n";
    write(fmt::format("f{:03}.parquet", next_++), std::move(rows));
  }

  static constexpr std::int64_t kFuture = 99'999'999'999;

  std::mt19937_64 random_;
  std::string folder_;
  AppendModel::Options options_;
  AppendModel model_;
  TestPipeline pipeline_;
  std::string table_;
  AppendModel::Files files_;
  std::set<std::string> written_;
  bool files_ever_ = false;
  std::int64_t clock_ = 100;
  int next_ = 0;
  std::string log_;
};

void run_histories(std::uint64_t first, std::uint64_t last) {
  if (const char* one = std::getenv("FOREBAY_SEED")) first = last = std::strtoull(one, nullptr, 10);
  const TempFolder folder;
  const std::string database = folder / "warehouse.duckdb";
  std::vector<std::unique_ptr<History>> histories;
  {
    auto target = TestPipeline({.database = database}).open_target();
    ASSERT_TRUE(target) << describe(target.error());
    for (std::uint64_t seed = first; seed <= last; ++seed) {
      histories.push_back(std::make_unique<History>(seed, folder.path(), database));
      histories.back()->run(**target);
    }
  }
  DatabaseReader reader(database);
  for (std::size_t i = 0; i < histories.size(); ++i) {
    SCOPED_TRACE(fmt::format("FOREBAY_SEED={}", first + i));
    histories[i]->check(reader);
    if (::testing::Test::HasFailure()) return;
  }
}

// Two suites, so that they can run side by side.
TEST(AppendHistoriesOne, EndAsTheModelSays) { run_histories(1, 150); }
TEST(AppendHistoriesTwo, EndAsTheModelSays) { run_histories(151, 300); }

}  // namespace
}  // namespace forebay::test
