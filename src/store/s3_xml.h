#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace forebay::s3 {

struct ListEntry {
  std::string key;  // as the document has it: decode_key() makes bytes of it
  std::uint64_t size = 0;
  std::string etag;  // without quotes
  Time last_modified{};
};

struct ListDocument {
  std::vector<ListEntry> entries;
  bool url_encoded = false;
  std::optional<std::string> next_token;
};

// The document of ListObjectsV2. damaged: not well-formed, cut off, or lacking what the protocol
// promises (a size, a time, the token of a truncated page).
Result<ListDocument> parse_list(std::string_view xml);

// Keys come URL-encoded, since XML cannot hold every byte. Some servers write a space as '+' and a
// plus as %2B (Amazon; SeaweedFS in the last part of a key, with %20 before it), others leave the
// plus alone.
enum class PlusMeans { unknown, space, plus };

// What the page itself tells about that: where a plus is written as %2B, a '+' is a space. A %20
// tells nothing.
PlusMeans plus_means(const ListDocument& page);
// Whether the meaning makes a difference: some key has a '+' in it.
bool has_plus(const ListDocument& page);

// The bytes of an encoded key; damaged when the encoding is broken.
Result<std::string> decode_key(std::string_view text, PlusMeans plus);

struct ErrorDocument {
  std::string code;
  std::string message;
  // Where the bucket is, in answers of the wrong region; else empty.
  std::string region = {};
  std::string endpoint = {};  // "bucket.s3.eu-west-1.amazonaws.com"
};

// nullopt: the body is no error document.
std::optional<ErrorDocument> parse_error(std::string_view xml);

// The ETag without its quotes: the form in which versions are kept.
std::string bare_etag(std::string_view etag);

}  // namespace forebay::s3
