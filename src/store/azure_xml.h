#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

// The documents of Azure's Blob service. Pure functions.
namespace forebay::azure {

struct ListEntry {
  std::string name;  // bytes
  std::uint64_t size = 0;
  std::string etag;  // without quotes
  Time last_modified{};
};

struct ListDocument {
  std::vector<ListEntry> entries;  // without the folders of a hierarchical namespace
  std::optional<std::string> next_marker;
};

// The answer to List Blobs. damaged: not well-formed, cut off, or an entry that lacks its name,
// size, ETag or time.
Result<ListDocument> parse_list(std::string_view xml);

struct ErrorDocument {
  std::string code;
  std::string message;  // its first line: what follows are ids of the request
};

// nullopt: the body is no error document.
std::optional<ErrorDocument> parse_error(std::string_view xml);

}  // namespace forebay::azure
