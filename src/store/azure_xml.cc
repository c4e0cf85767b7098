#include "store/azure_xml.h"

#include <fmt/format.h>

#include <charconv>
#include <pugixml.hpp>

#include "base/encode.h"
#include "base/time_text.h"

namespace forebay::azure {
namespace {

// References are resolved; white space and line ends stay as they are, since they may be of a name.
constexpr unsigned kParse = pugi::parse_cdata | pugi::parse_escapes | pugi::parse_ws_pcdata_single;

std::unexpected<Error> damaged(std::string cause) {
  return fail({.code = ErrorCode::damaged,
               .operation = "read listing",
               .object = {},
               .cause = std::move(cause),
               .hint = {}});
}

Result<ListEntry> parse_entry(const pugi::xml_node& node) {
  const pugi::xml_node name = node.child("Name");
  ListEntry entry{.name = name.child_value()};
  // XML cannot hold every character: such names come encoded, and say so.
  if (std::string_view(name.attribute("Encoded").value()) == "true") {
    const auto decoded = percent_decode(entry.name);
    if (!decoded) return damaged(fmt::format("the name {} is not encoded properly", entry.name));
    entry.name = *decoded;
  }
  if (entry.name.empty()) return damaged("a blob in the listing has no name");
  const pugi::xml_node properties = node.child("Properties");
  const std::string_view size = properties.child_value("Content-Length");
  const char* end = size.data() + size.size();
  const auto parsed = std::from_chars(size.data(), end, entry.size);
  if (size.empty() || parsed.ec != std::errc{} || parsed.ptr != end)
    return damaged(fmt::format("the size of {} is no number", entry.name));
  const auto modified = parse_http_date(properties.child_value("Last-Modified"));
  if (!modified) return damaged(fmt::format("the time of {} is none", entry.name));
  entry.last_modified = *modified;
  std::string_view etag = properties.child_value("Etag");
  if (etag.size() >= 2 && etag.front() == '"' && etag.back() == '"')
    etag = etag.substr(1, etag.size() - 2);
  if (etag.empty()) return damaged(fmt::format("{} has no ETag", entry.name));
  entry.etag = etag;
  return entry;
}

}  // namespace

Result<ListDocument> parse_list(std::string_view xml) {
  pugi::xml_document document;
  const auto parsed = document.load_buffer(xml.data(), xml.size(), kParse);
  if (!parsed) {
    return damaged(fmt::format("the listing is not well-formed XML: {} at byte {}",
                               parsed.description(), parsed.offset));
  }
  const pugi::xml_node root = document.child("EnumerationResults");
  const pugi::xml_node blobs = root.child("Blobs");
  const pugi::xml_node next = root.child("NextMarker");
  // An empty element stands for the last page; none at all is no end that anybody announced.
  if (!root || !blobs || !next) return damaged("the answer is no listing");
  ListDocument page;
  for (const pugi::xml_node& node : blobs.children("Blob")) {
    const std::string_view type = node.child("Properties").child_value("ResourceType");
    if (type == "directory") continue;
    ASSIGN_OR_RETURN(page.entries.emplace_back(), parse_entry(node));
  }
  if (*next.child_value() != '\0') page.next_marker = next.child_value();
  return page;
}

std::optional<ErrorDocument> parse_error(std::string_view xml) {
  pugi::xml_document document;
  // Bodies begin with a byte order mark, which pugixml takes.
  if (!document.load_buffer(xml.data(), xml.size(), kParse)) return std::nullopt;
  const pugi::xml_node root = document.child("Error");
  if (!root) return std::nullopt;
  const std::string_view message = root.child_value("Message");
  return ErrorDocument{.code = root.child_value("Code"),
                       .message = std::string(message.substr(0, message.find('\n')))};
}

}  // namespace forebay::azure
