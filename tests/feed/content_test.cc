#include "feed/content.h"

#include <gtest/gtest.h>

#include "base/limits.h"

namespace forebay {
namespace {

TEST(NameValue, GivesCapturesAndConstantsAsText) {
  using From = ValueRef::From;
  UnitName unit{.key = "a/b.csv"};
  unit.captures.values = {{"t", std::string("x")}, {"n", std::uint64_t{7}}, {"at", Time()}};
  EXPECT_EQ(name_value({From::constant, "c"}, unit), "c");
  EXPECT_EQ(name_value({From::capture, "t"}, unit), "x");
  EXPECT_EQ(name_value({From::capture, "n"}, unit), "7");
  EXPECT_EQ(name_value({From::capture, "at"}, unit), "1970-01-01T00:00:00Z");
  EXPECT_EQ(name_value({From::capture, "$file"}, unit), "b.csv");
  EXPECT_EQ(name_value({From::capture, "$key"}, unit), "a/b.csv");
  EXPECT_EQ(name_value({From::capture, "missing"}, unit), std::nullopt);
  EXPECT_EQ(name_value({From::document, "/t"}, unit), std::nullopt);
}

TEST(TableName, IsNotEmptyAndBounded) {
  EXPECT_TRUE(is_table_name("prices"));
  EXPECT_TRUE(is_table_name(std::string(kMaxTableNameBytes, 't')));
  EXPECT_FALSE(is_table_name(std::string(kMaxTableNameBytes + 1, 't')));
  EXPECT_FALSE(is_table_name(""));
  EXPECT_FALSE(is_table_name(std::string_view("a\0b", 3)));
}

TEST(ContentDigest, TellsPartsApartThatReadAlikeTogether) {
  auto digest = [](std::string table, std::string key) {
    UnitContent content{.kind = "k"};
    content.files.push_back({.table = std::move(table), .key = std::move(key)});
    return content_digest(content);
  };
  EXPECT_NE(digest("ab", "c"), digest("a", "bc"));
  EXPECT_EQ(digest("a", "b"), digest("a", "b"));
}

}  // namespace
}  // namespace forebay
