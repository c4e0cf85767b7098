#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "support/append_fixture.h"

// Aim: FEEDS 2.5, rules 3 and 6: columns that `metadata` adds say where a row came from and never
// make two rows of one. Method: files that are rewritten, and that go away.
namespace forebay::test {
namespace {

using ::testing::HasSubstr;

class AppendMetadata : public AppendTest {
 protected:
  AppendMetadata()
      : AppendTest({{"time_column", "t"}, {"time_format", "unix_seconds"}, {"overlap", "10s"}}) {}

  void metadata(const std::string& key, const std::string& column) {
    OptionValue map{.where = "forebay.yaml:5", .is_map = true};
    map.fields.emplace_back(key, OptionValue{.values = {column}, .where = "forebay.yaml:6"});
    pipeline_.settings.more["metadata"] = std::move(map);
  }
  Lines origins() const { return query("SELECT t, origin FROM main.events ORDER BY t"); }
};

TEST_F(AppendMetadata, Rule6ARewrittenFilesRowsKeepTheirOrigin) {
  metadata("source_file_etag", "origin");
  put_numbers("a.parquet", {1, 2, 3});
  load();
  const Lines before = origins();
  put_numbers("a.parquet", {2, 3, 4, 4});
  load();
  const Lines after = origins();
  ASSERT_EQ(after.size(), 5U);
  EXPECT_EQ(Lines(after.begin(), after.begin() + 3), before);
  EXPECT_EQ(after[3], after[4]);
  EXPECT_NE(after[3].substr(2), before[0].substr(2));
}

TEST_F(AppendMetadata, Rule3RowsOfAFileThatIsGoneBecomeThoseOfTheFileThatBringsThem) {
  metadata("source_file_name", "origin");
  put_numbers("a.parquet", {1, 2, 3});
  load();
  remove_file("a.parquet");
  put_numbers("b.parquet", {2, 3, 5});
  load();
  EXPECT_EQ(origins(), (Lines{"1|a.parquet", "2|b.parquet", "3|b.parquet", "5|b.parquet"}));
  EXPECT_EQ(
      query("SELECT count(DISTINCT _forebay_file) FROM main.events WHERE origin = 'b.parquet'"),
      Lines{"1"});
}

TEST_F(AppendMetadata, RowNumbersNeedAKey) {
  metadata("source_row_number", "origin");
  put_numbers("a.parquet", {1});
  EXPECT_THAT(text(load(1)), HasSubstr("source_row_number"));
}

}  // namespace
}  // namespace forebay::test
