#include "store/s3_xml.h"

#include <fmt/format.h>

#include <charconv>
#include <pugixml.hpp>

#include "base/encode.h"
#include "base/time_text.h"

namespace forebay::s3 {
namespace {

// References are resolved; white space and line ends stay as they are, since they may be of a key.
constexpr unsigned kParse = pugi::parse_cdata | pugi::parse_escapes | pugi::parse_ws_pcdata_single;

std::unexpected<Error> damaged(std::string cause) {
  return fail({.code = ErrorCode::damaged,
               .operation = "read listing",
               .object = {},
               .cause = std::move(cause),
               .hint = {}});
}

Result<ListEntry> parse_entry(const pugi::xml_node& node) {
  const pugi::xml_node key = node.child("Key");
  if (!key) return damaged("an object in the listing has no key");
  ListEntry entry{.key = key.child_value(),
                  .size = 0,
                  .etag = bare_etag(node.child_value("ETag")),
                  .last_modified = {}};
  const std::string_view size = node.child_value("Size");
  const char* end = size.data() + size.size();
  const auto parsed = std::from_chars(size.data(), end, entry.size);
  if (size.empty() || parsed.ec != std::errc{} || parsed.ptr != end) {
    return damaged(fmt::format("the size of {} is no number", entry.key));
  }
  const auto modified = parse_rfc3339(node.child_value("LastModified"));
  if (!modified) return damaged(fmt::format("the time of {} is none", entry.key));
  entry.last_modified = *modified;
  return entry;
}

}  // namespace

std::string bare_etag(std::string_view etag) {
  if (etag.size() >= 2 && etag.front() == '"' && etag.back() == '"') {
    etag = etag.substr(1, etag.size() - 2);
  }
  return std::string(etag);
}

Result<ListDocument> parse_list(std::string_view xml) {
  pugi::xml_document document;
  const auto parsed = document.load_buffer(xml.data(), xml.size(), kParse);
  if (!parsed) {
    return damaged(fmt::format("the listing is not well-formed XML: {} at byte {}",
                               parsed.description(), parsed.offset));
  }
  const pugi::xml_node root = document.child("ListBucketResult");
  if (!root) return damaged("the answer is no listing");
  ListDocument page;
  page.url_encoded = std::string_view(root.child_value("EncodingType")) == "url";
  for (const pugi::xml_node& node : root.children("Contents")) {
    ASSIGN_OR_RETURN(page.entries.emplace_back(), parse_entry(node));
  }
  const std::string_view truncated = root.child_value("IsTruncated");
  if (truncated != "true" && truncated != "false") {
    return damaged("the listing does not say whether it is the last page");
  }
  if (truncated == "true") {
    page.next_token = root.child_value("NextContinuationToken");
    if (page.next_token->empty()) return damaged("the listing goes on, but names no token");
  }
  return page;
}

PlusMeans plus_means(const ListDocument& page) {
  for (const ListEntry& entry : page.entries) {
    if (entry.key.find("%2B") != std::string::npos) return PlusMeans::space;
    if (entry.key.find("%2b") != std::string::npos) return PlusMeans::space;
  }
  return PlusMeans::unknown;
}

bool has_plus(const ListDocument& page) {
  for (const ListEntry& entry : page.entries) {
    if (entry.key.find('+') != std::string::npos) return true;
  }
  return false;
}

Result<std::string> decode_key(std::string_view text, PlusMeans plus) {
  std::string spaced(text);
  if (plus == PlusMeans::space) {
    for (char& c : spaced) c = c == '+' ? ' ' : c;
  }
  auto key = percent_decode(spaced);
  if (!key) return damaged(fmt::format("the key {} is not encoded properly", text));
  return std::move(*key);
}

std::optional<ErrorDocument> parse_error(std::string_view xml) {
  pugi::xml_document document;
  if (!document.load_buffer(xml.data(), xml.size(), kParse)) return std::nullopt;
  const pugi::xml_node root = document.child("Error");
  if (!root) return std::nullopt;
  return ErrorDocument{.code = root.child_value("Code"),
                       .message = root.child_value("Message"),
                       .region = root.child_value("Region"),
                       .endpoint = root.child_value("Endpoint")};
}

}  // namespace forebay::s3
