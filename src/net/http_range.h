#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "net/http.h"

namespace forebay {

// The header Content-Range of an answer with a part.
struct ContentRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  std::uint64_t total = 0;

  bool operator==(const ContentRange&) const = default;
};

// "bytes 0-9/100"; nullopt for any other form, also an unknown total.
std::optional<ContentRange> parse_content_range(std::string_view text);

// The header Content-Length; nullopt where there is none, or no number.
std::optional<std::uint64_t> content_length(const HttpHead& head);

}  // namespace forebay
