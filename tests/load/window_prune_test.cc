#include "load/window_prune.h"

#include <gtest/gtest.h>

#include <string>

#include "support/feeds.h"

// Aim: FEEDS 2.5, rule 5: a partition in the key prunes with the mark floored to its grain, and a
// key that does not tell prunes nothing.
namespace forebay {
namespace {

constexpr std::int64_t kDay = 86'400;

// 2026-10-20T12:00:00Z
const TimeMark kMark{TimeFormat::unix_seconds, TimeUnit::second, 20'746 * kDay + kDay / 2};

bool is_passed_over(const std::string& key, const Options& given, Standing standing) {
  Options all = test::options({{"table", "events"}, {"time_column", "t"}});
  for (const auto& [name, value] : given) all[name] = value;
  const Feed feed = test::builtin("append", all);
  PlannedUnit unit{.name = {.name = key, .key = key}, .standing = standing};
  return !why_pass_over(feed, kMark, unit).empty();
}

bool is_passed_over(const std::string& key, const std::string& grain,
                    const std::string& overlap = "0s") {
  return is_passed_over(
      key,
      test::options(
          {{"time_partition_column", "dt"}, {"time_partition_grain", grain}, {"overlap", overlap}}),
      Standing::fresh);
}

TEST(WindowPrune, Rule5FloorsTheMarkToTheGrain) {
  EXPECT_TRUE(is_passed_over("dt=2026-10-19/a.parquet", "day"));
  EXPECT_FALSE(is_passed_over("dt=2026-10-20/a.parquet", "day"));
  EXPECT_FALSE(is_passed_over("dt=2026-10-21/a.parquet", "day"));
  EXPECT_TRUE(is_passed_over("dt=2026-09/a.parquet", "month"));
  EXPECT_FALSE(is_passed_over("dt=2026-10/a.parquet", "month"));
  EXPECT_FALSE(is_passed_over("dt=2026-10-01/a.parquet", "month"));
  EXPECT_TRUE(is_passed_over("x/dt=2025/y/a.parquet", "year"));
  EXPECT_FALSE(is_passed_over("x/dt=2026/y/a.parquet", "year"));
}

TEST(WindowPrune, Rule5TheOverlapIsTakenOffBefore) {
  EXPECT_FALSE(is_passed_over("dt=2026-10-19/a.parquet", "day", "13h"));
  EXPECT_TRUE(is_passed_over("dt=2026-10-18/a.parquet", "day", "13h"));
}

TEST(WindowPrune, Rule5AKeyThatDoesNotTellPrunesNothing) {
  for (const char* key :
       {"a.parquet", "dt=/a.parquet", "dt=__HIVE_DEFAULT_PARTITION__/a.parquet",
        "dt=19-10-2026/a.parquet", "xdt=2020-01-01/a.parquet", "dt=2020-01-01.parquet"}) {
    EXPECT_FALSE(is_passed_over(key, "day")) << key;
  }
}

TEST(WindowPrune, Rule5AFormatOfItsOwn) {
  const Options format =
      test::options({{"time_partition_column", "dt"}, {"time_partition_format", "%Y%m%d"}});
  EXPECT_TRUE(is_passed_over("dt=20261019/a.parquet", format, Standing::fresh));
  EXPECT_FALSE(is_passed_over("dt=20261020/a.parquet", format, Standing::fresh));
  EXPECT_FALSE(is_passed_over("dt=2026-10-19/a.parquet", format, Standing::fresh));
}

TEST(WindowPrune, Rule5FilesThatAreReadWholeAreNotPruned) {
  const auto day = [](std::initializer_list<std::pair<std::string, std::string>> more) {
    Options given = test::options(more);
    given["time_partition_column"] = {.values = {"dt"}, .where = "test"};
    return given;
  };
  const std::string key = "dt=2026-10-19/a.parquet";
  EXPECT_FALSE(is_passed_over(key, day({{"late", "load"}}), Standing::fresh));
  EXPECT_TRUE(is_passed_over(key, day({{"late", "load"}}), Standing::changed));
  EXPECT_FALSE(is_passed_over(key, day({{"on_rewrite", "replace"}}), Standing::changed));
  EXPECT_FALSE(is_passed_over(key, day({}), Standing::retry));
}

}  // namespace
}  // namespace forebay
