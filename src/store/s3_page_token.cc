#include "store/s3_page_token.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>

#include "base/digest.h"
#include "base/encode.h"

namespace forebay::s3 {

std::string encode(const PageToken& token) {
  return fmt::format("{}:{}:{}:{}", token.pages, token.mark, percent_encode(token.last_key),
                     token.server);
}

std::optional<PageToken> decode_page_token(std::string_view text) {
  const std::size_t first = text.find(':');
  const std::size_t second = text.find(':', first + 1);
  const std::size_t third = text.find(':', second + 1);
  if (first == std::string_view::npos || second == std::string_view::npos ||
      third == std::string_view::npos) {
    return std::nullopt;
  }
  PageToken token;
  const auto parsed = std::from_chars(text.data(), text.data() + first, token.pages);
  auto last_key = percent_decode(text.substr(second + 1, third - second - 1));
  if (parsed.ec != std::errc{} || parsed.ptr != text.data() + first || !last_key) {
    return std::nullopt;
  }
  token.mark = text.substr(first + 1, second - first - 1);
  token.last_key = std::move(*last_key);
  token.server = text.substr(third + 1);
  return token;
}

std::optional<PageToken> follow(const PageToken& before, std::string server, std::string last_key) {
  const std::string print = digest_hex(DigestKind::xxh3_64, server);
  if (print == before.mark || server == before.server) return std::nullopt;
  const std::uint64_t pages = before.pages + 1;
  return PageToken{.pages = pages,
                   .mark = std::has_single_bit(pages) ? print : before.mark,
                   .last_key = std::move(last_key),
                   .server = std::move(server)};
}

}  // namespace forebay::s3
