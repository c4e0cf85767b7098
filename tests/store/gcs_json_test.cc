#include "store/gcs_json.h"

#include <gtest/gtest.h>

#include "base/time_text.h"

// Aim: a listing is read as it is meant, or not at all. Method: documents in the shape that the API
// documents, and each damage that would change what they say.
namespace forebay::gcs {
namespace {

TEST(GcsJson, ReadsAPage) {
  const auto page = parse_list(
      R"({"kind":"storage#objects","nextPageToken":"CgNi","items":[)"
      R"({"name":"a b+c%2F\u00e9/1","size":"12","generation":"1796093108514300",)"
      R"("timeCreated":"2026-12-01T02:45:08.51Z"},)"
      R"({"name":"e","size":"0","generation":"1","timeCreated":"2026-12-01T02:45:08Z"}]})");
  ASSERT_TRUE(page) << describe(page.error());
  ASSERT_EQ(page->entries.size(), 2U);
  EXPECT_EQ(page->entries[0].name, "a b+c%2F\xc3\xa9/1");
  EXPECT_EQ(page->entries[0].size, 12U);
  EXPECT_EQ(page->entries[0].generation, "1796093108514300");
  EXPECT_EQ(page->entries[0].created, parse_rfc3339("2026-12-01T02:45:08.51Z"));
  EXPECT_EQ(page->next_token, "CgNi");
}

TEST(GcsJson, TakesAPageWithoutItemsForAnEmptyOne) {
  const auto page = parse_list(R"({"kind":"storage#objects"})");
  ASSERT_TRUE(page);
  EXPECT_TRUE(page->entries.empty());
  EXPECT_FALSE(page->next_token);
  EXPECT_FALSE(parse_list(R"({"nextPageToken":""})")->next_token);
}

TEST(GcsJson, RefusesWhatIsDamaged) {
  const std::string good =
      R"({"items":[{"name":"a","size":"1","generation":"2","timeCreated":"2026-12-01T00:00:00Z"}]})";
  ASSERT_TRUE(parse_list(good));
  for (std::size_t size = 0; size < good.size(); ++size)
    EXPECT_FALSE(parse_list(std::string_view(good).substr(0, size))) << size;
  for (
      const char* bad :
      {"[]", R"({"items":{}})", R"({"items":[1]})", R"({"nextPageToken":7})",
       R"({"items":[{"size":"1","generation":"2","timeCreated":"2026-12-01T00:00:00Z"}]})",
       R"({"items":[{"name":"a","size":"x","generation":"2","timeCreated":"2026-12-01T00:00:00Z"}]})",
       R"({"items":[{"name":"a","size":"-1","generation":"2","timeCreated":"2026-12-01T00:00:00Z"}]})",
       R"({"items":[{"name":"a","size":"1","timeCreated":"2026-12-01T00:00:00Z"}]})",
       R"({"items":[{"name":"a","size":"1","generation":"2&x","timeCreated":"2026-12-01T00:00:00Z"}]})",
       R"({"items":[{"name":"a","size":"1","generation":"2","timeCreated":"yesterday"}]})"}) {
    const auto page = parse_list(bad);
    ASSERT_FALSE(page) << bad;
    EXPECT_EQ(page.error().code, ErrorCode::damaged) << bad;
  }
}

TEST(GcsJson, FindsReasonAndMessageOfAnError) {
  const auto error = parse_error(
      R"({"error":{"code":403,"message":"No access.","errors":[{"reason":"forbidden"}]}})");
  EXPECT_EQ(error.reason, "forbidden");
  EXPECT_EQ(error.message, "No access.");
  EXPECT_EQ(parse_error("No such object: b/o\n<more>").message, "No such object: b/o");
  EXPECT_EQ(parse_error(R"({"error":"x"})").message, "");
}

TEST(GcsJson, FindsAHashAmongOthers) {
  const std::string_view header = "crc32c=jG5Dew==,md5=OTkUNBh4bFJTUe29Mwt3aQ==";
  EXPECT_EQ(hash_of(header, "crc32c"), "8c6e437b");
  EXPECT_EQ(hash_of(header, "md5"), "3939143418786c525351edbd330b7769");
  EXPECT_EQ(hash_of("md5=OTkUNBh4bFJTUe29Mwt3aQ==", "crc32c"), std::nullopt);
  EXPECT_EQ(hash_of("crc32c=*", "crc32c"), std::nullopt);
}

}  // namespace
}  // namespace forebay::gcs
