#include "app/serve/dashboard.h"

#include <fmt/format.h>

#include "base/digest.h"
#include "base/encode.h"

namespace forebay {
namespace {

// What stands between <tag> and </tag>, as a browser hashes it.
std::string_view content_of(std::string_view page, std::string_view tag) {
  const std::string open = fmt::format("<{}>", tag);
  const std::size_t begin = page.find(open);
  if (begin == std::string_view::npos) return {};
  page.remove_prefix(begin + open.size());
  return page.substr(0, page.find(fmt::format("</{}>", tag)));
}

std::string hash_of(std::string_view text) {
  Digest digest(DigestKind::sha256);
  digest.update(text);
  return "'sha256-" + base64_encode(digest.bytes()) + "'";
}

}  // namespace

std::string policy_for(std::string_view page) {
  return fmt::format(
      "default-src 'none'; script-src {}; style-src {}; connect-src 'self'; img-src data:; "
      "base-uri 'none'; "
      "form-action 'none'; frame-ancestors 'none'",
      hash_of(content_of(page, "script")), hash_of(content_of(page, "style")));
}

}  // namespace forebay
