#include "store/s3_xml.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/time_text.h"

// Aim: every byte of a key survives, and a document that is not whole is never half a page.
namespace forebay::s3 {
namespace {

using ::testing::HasSubstr;

std::string listing(std::string_view contents,
                    std::string_view rest = "<IsTruncated>false</IsTruncated>") {
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Name>b</Name>"
      "<EncodingType>url</EncodingType>{}{}</ListBucketResult>",
      rest, contents);
}

std::string object(std::string_view key, std::string_view size = "7",
                   std::string_view time = "2026-11-30T12:58:30.000Z") {
  return fmt::format(
      "<Contents><Key>{}</Key><LastModified>{}</LastModified><ETag>&quot;abc-2&quot;</ETag>"
      "<Size>{}</Size><StorageClass>STANDARD</StorageClass></Contents>",
      key, time, size);
}

TEST(S3Xml, ReadsAPage) {
  const auto page = parse_list(listing(
      object("a%2Fb") + object("c", "18446744073709551615"),
      "<IsTruncated>true</IsTruncated><NextContinuationToken>1+/=&amp;</NextContinuationToken>"));
  ASSERT_TRUE(page) << describe(page.error());
  ASSERT_EQ(page->entries.size(), 2U);
  EXPECT_EQ(page->entries[0].key, "a%2Fb");
  EXPECT_EQ(page->entries[0].size, 7U);
  EXPECT_EQ(page->entries[0].etag, "abc-2");
  EXPECT_EQ(page->entries[0].last_modified, *parse_rfc3339("2026-11-30T12:58:30Z"));
  EXPECT_EQ(page->entries[1].size, UINT64_MAX);
  EXPECT_TRUE(page->url_encoded);
  EXPECT_EQ(page->next_token, "1+/=&");
}

TEST(S3Xml, ReadsAnEmptyPageEMPTY4) {
  const auto page = parse_list(listing(""));
  ASSERT_TRUE(page);
  EXPECT_TRUE(page->entries.empty());
  EXPECT_FALSE(page->next_token);
}

TEST(S3Xml, KeepsWhiteSpaceAndReferencesOfUnencodedKeys) {
  const auto page =
      parse_list("<ListBucketResult><IsTruncated>false</IsTruncated>" + object(" ") +
                 object("a\r\nb&#10;c&lt;&#x1;&amp;amp;<![CDATA[<x>]]>") + "</ListBucketResult>");
  ASSERT_TRUE(page) << describe(page.error());
  EXPECT_FALSE(page->url_encoded);
  EXPECT_EQ(page->entries[0].key, " ");
  EXPECT_THAT(page->entries[1].key, HasSubstr("a\r\nb\nc<\x01&amp;"));
}

TEST(S3Xml, RefusesAListingCutAtAnyByte) {
  const std::string whole = listing(object("a") + object("b"));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto page = parse_list(whole.substr(0, size));
    ASSERT_FALSE(page) << size;
    EXPECT_EQ(page.error().code, ErrorCode::damaged);
  }
}

TEST(S3Xml, RefusesWhatLacksAPromisedPart) {
  for (const std::string& xml :
       {std::string("<Other/>"), std::string("not XML"), std::string("{}"),
        listing(object("a", "")), listing(object("a", "-1")), listing(object("a", "7x")),
        listing(object("a", "18446744073709551616")), listing(object("a", "7", "")),
        listing(object("a", "7", "yesterday")), listing("<Contents><Size>1</Size></Contents>"),
        listing("", ""), listing("", "<IsTruncated>true</IsTruncated>")}) {
    EXPECT_EQ(parse_list(xml).error().code, ErrorCode::damaged) << xml;
  }
}

TEST(S3Xml, LearnsWhatAPlusMeansFromThePageCHAR1) {
  const auto meaning = [](const std::string& key) {
    return plus_means(*parse_list(listing(object(key))));
  };
  EXPECT_EQ(meaning("a%20b/c+d"), PlusMeans::unknown);
  EXPECT_EQ(meaning("a%252Bb+c"), PlusMeans::unknown);
  EXPECT_EQ(meaning("a+b%2Bc"), PlusMeans::space);
  EXPECT_EQ(meaning("a+b"), PlusMeans::unknown);
  EXPECT_TRUE(has_plus(*parse_list(listing(object("a+b")))));
  EXPECT_FALSE(has_plus(*parse_list(listing(object("a%2Bb")))));
}

TEST(S3Xml, DecodesKeysOnceCHAR1) {
  EXPECT_EQ(*decode_key("year%3D2026/a+b%252B%2B", PlusMeans::space), "year=2026/a b%2B+");
  EXPECT_EQ(*decode_key("2026-01-01T00%3A00+00", PlusMeans::plus), "2026-01-01T00:00+00");
  EXPECT_EQ(decode_key("100%", PlusMeans::plus).error().code, ErrorCode::damaged);
}

TEST(S3Xml, ReadsErrorDocuments) {
  const auto error = parse_error(
      "<?xml version=\"1.0\"?><Error><Code>AuthorizationHeaderMalformed</Code><Message>wrong"
      "</Message><Region>eu-west-1</Region></Error>");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, "AuthorizationHeaderMalformed");
  EXPECT_EQ(error->message, "wrong");
  EXPECT_EQ(error->region, "eu-west-1");
  EXPECT_FALSE(parse_error("<html></html>"));
  EXPECT_FALSE(parse_error(""));
  EXPECT_FALSE(parse_error("<Error><Code>"));
}

TEST(S3Xml, TakesTheQuotesOffEtags) {
  EXPECT_EQ(bare_etag("\"abc\""), "abc");
  EXPECT_EQ(bare_etag("abc"), "abc");
  EXPECT_EQ(bare_etag("\""), "\"");
  EXPECT_EQ(bare_etag("W/\"abc\""), "W/\"abc\"");
}

}  // namespace
}  // namespace forebay::s3
