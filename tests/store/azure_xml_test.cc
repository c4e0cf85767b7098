#include "store/azure_xml.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/time_text.h"

// Aim: a listing is read as it is meant, or not at all. Method: documents in the shape that the
// service documents, and each damage that would change what they say.
namespace forebay::azure {
namespace {

std::string blob(std::string_view name, std::string_view properties) {
  return fmt::format("<Blob>{}<Properties>{}</Properties></Blob>", name, properties);
}

constexpr const char* kProperties =
    "<Last-Modified>Mon, 30 Nov 2026 12:00:00 GMT</Last-Modified><Etag>0x8DC</Etag>"
    "<Content-Length>12</Content-Length>";

std::string listing(std::string_view blobs, std::string_view next = "") {
  return fmt::format(
      "\xef\xbb\xbf<?xml version=\"1.0\" encoding=\"utf-8\"?><EnumerationResults "
      "ContainerName=\"c\"><Blobs>{}</Blobs><NextMarker>{}</NextMarker>"
      "</EnumerationResults>",
      blobs, next);
}

TEST(AzureXml, ReadsAPage) {
  const auto page =
      parse_list(listing(blob("<Name>a &amp; b+%20/ </Name>", kProperties), "2!76!abc"));
  ASSERT_TRUE(page) << describe(page.error());
  ASSERT_EQ(page->entries.size(), 1U);
  EXPECT_EQ(page->entries[0].name, "a & b+%20/ ");
  EXPECT_EQ(page->entries[0].size, 12U);
  EXPECT_EQ(page->entries[0].etag, "0x8DC");
  EXPECT_EQ(page->entries[0].last_modified, parse_rfc3339("2026-11-30T12:00:00Z"));
  EXPECT_EQ(page->next_marker, "2!76!abc");
  EXPECT_FALSE(parse_list(listing(""))->next_marker);
}

TEST(AzureXml, DecodesOnlyNamesThatSayThatTheyAreEncoded) {
  const auto page =
      parse_list(listing(blob("<Name Encoded=\"true\">x%EF%BF%BF%2By</Name>", kProperties)));
  ASSERT_TRUE(page);
  EXPECT_EQ(page->entries[0].name, "x\xef\xbf\xbf+y");
  EXPECT_FALSE(parse_list(listing(blob("<Name Encoded=\"true\">%x</Name>", kProperties))));
}

TEST(AzureXml, PassesOverFoldersOfAHierarchicalNamespace) {
  const std::string folder = std::string("<ResourceType>directory</ResourceType>") + kProperties;
  const auto page =
      parse_list(listing(blob("<Name>a</Name>", folder) + blob("<Name>a/b</Name>", kProperties)));
  ASSERT_TRUE(page);
  ASSERT_EQ(page->entries.size(), 1U);
  EXPECT_EQ(page->entries[0].name, "a/b");
}

TEST(AzureXml, RefusesWhatIsDamaged) {
  const std::string good = listing(blob("<Name>a</Name>", kProperties));
  ASSERT_TRUE(parse_list(good));
  for (std::size_t size = 0; size < good.size(); ++size)
    EXPECT_FALSE(parse_list(std::string_view(good).substr(0, size))) << size;
  for (const std::string& bad :
       {std::string("<EnumerationResults/>"), std::string("<Error><Code>x</Code></Error>"),
        std::string("<EnumerationResults><Blobs/></EnumerationResults>"),
        listing(blob("", kProperties)), listing(blob("<Name>a</Name>", "")),
        listing(blob("<Name>a</Name>", "<Etag>e</Etag><Content-Length>1</Content-Length>"))}) {
    const auto page = parse_list(bad);
    ASSERT_FALSE(page) << bad;
    EXPECT_EQ(page.error().code, ErrorCode::damaged);
  }
}

TEST(AzureXml, ReadsAnErrorsCodeAndItsFirstLine) {
  const auto error = parse_error(
      "\xef\xbb\xbf<?xml version=\"1.0\"?><Error><Code>BlobNotFound</Code><Message>Gone.\n"
      "RequestId:1\nTime:2</Message></Error>");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, "BlobNotFound");
  EXPECT_EQ(error->message, "Gone.");
  EXPECT_FALSE(parse_error("<html/>"));
}

}  // namespace
}  // namespace forebay::azure
