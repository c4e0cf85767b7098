// Hashes of keys, compared in memory up to a limit and by the engine beyond it: both say the same.

#include "engine/key_hashes.h"

#include <gtest/gtest.h>

namespace forebay::duckdb {
namespace {

class KeyHashesTest : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  KeyHashesTest()
      : database_(Database::open({.threads = 2}).value()),
        connection_(database_->connect().value()) {}

  KeyHashes compare(const std::string& rows, std::vector<std::string> key) {
    return compare_key_hashes(*connection_, {.rows = rows, .key = std::move(key), .count = 10'000},
                              GetParam())
        .value();
  }

  std::unique_ptr<Database> database_;
  std::unique_ptr<Connection> connection_;
};

TEST_P(KeyHashesTest, SaysThatKeysDiffer) {
  const KeyHashes found = compare("SELECT range AS k FROM range(10000)", {"k"});
  EXPECT_EQ(found.rows, 10'000U);
  EXPECT_EQ(found.no_key, 0U);
  EXPECT_FALSE(found.repeats);
}

TEST_P(KeyHashesTest, FindsAKeyThatComesAgain) {
  const KeyHashes found = compare("SELECT range % 9999 AS k FROM range(10000)", {"k"});
  EXPECT_EQ(found.rows, 10'000U);
  EXPECT_TRUE(found.repeats);
}

TEST_P(KeyHashesTest, TakesAllColumnsOfAKeyTogether) {
  const std::string rows = "SELECT range % 100 AS a, range // 100 AS b FROM range(10000)";
  EXPECT_FALSE(compare(rows, {"a", "b"}).repeats);
  EXPECT_TRUE(compare(rows, {"a"}).repeats);
}

TEST_P(KeyHashesTest, CountsRowsWithoutAKey) {
  const KeyHashes found =
      compare("SELECT nullif(range % 10, 0) * 100000 + range AS k FROM range(10000)", {"k"});
  EXPECT_EQ(found.rows, 10'000U);
  EXPECT_EQ(found.no_key, 1'000U);
  EXPECT_FALSE(found.repeats);
}

// At the limit the hashes are compared in memory, one past it they are sorted.
INSTANTIATE_TEST_SUITE_P(Limits, KeyHashesTest, ::testing::Values(10'000, 9'999));

}  // namespace
}  // namespace forebay::duckdb
