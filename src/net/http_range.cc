#include "net/http_range.h"

#include <charconv>

namespace forebay {
namespace {

std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (text.empty() || parsed.ec != std::errc{} || parsed.ptr != end) return std::nullopt;
  return value;
}

}  // namespace

std::optional<ContentRange> parse_content_range(std::string_view text) {
  if (!text.starts_with("bytes ")) return std::nullopt;
  text.remove_prefix(6);
  const std::size_t dash = text.find('-');
  const std::size_t slash = text.find('/');
  if (dash == std::string_view::npos || slash == std::string_view::npos || dash > slash) {
    return std::nullopt;
  }
  const auto first = parse_number(text.substr(0, dash));
  const auto last = parse_number(text.substr(dash + 1, slash - dash - 1));
  const auto total = parse_number(text.substr(slash + 1));
  if (!first || !last || !total || *first > *last || *last >= *total) return std::nullopt;
  return ContentRange{.first = *first, .last = *last, .total = *total};
}

std::optional<std::uint64_t> content_length(const HttpHead& head) {
  return parse_number(head.find("content-length").value_or(""));
}

}  // namespace forebay
