#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace forebay::s3 {

// What our own page token carries from one page to the next. The store itself keeps no memory of
// listings, so that a page can be asked for again.
struct PageToken {
  std::uint64_t pages = 0;  // pages read so far
  std::string mark;         // fingerprint of an earlier server token; see follows()
  std::string last_key;     // greatest key so far, to notice a listing that goes backwards
  std::string server;       // the server's own token

  bool operator==(const PageToken&) const = default;
};

std::string encode(const PageToken& token);
// nullopt: this is none of ours.
std::optional<PageToken> decode_page_token(std::string_view text);

// The token after `before` (default: the first page's), or nullopt when the server's tokens go in a
// circle. The mark is taken anew at each power of two of pages (Brent's method), so that a circle
// of any length is noticed within a few times its length, in constant memory.
std::optional<PageToken> follow(const PageToken& before, std::string server, std::string last_key);

}  // namespace forebay::s3
