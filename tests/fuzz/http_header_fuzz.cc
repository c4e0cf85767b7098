// Headers and addresses of servers.
#include <fmt/format.h>

#include "fuzz/fuzz.h"
#include "net/foreign_text.h"
#include "net/http_range.h"
#include "net/safe_url.h"
#include "store/gcs_json.h"
#include "store/s3_xml.h"

namespace forebay::test {
namespace {

// The host as RFC 3986 has it: behind the last '@', before the port.
std::string_view host_of(std::string_view url) {
  url.remove_prefix(url.find("://") + 3);
  url = url.substr(0, url.find_first_of("/?#"));
  url = url.substr(url.rfind('@') + 1);
  return url.starts_with('[') ? url.substr(0, url.find(']') + 1) : url.substr(0, url.find(':'));
}

}  // namespace

FOREBAY_FUZZ(http_header) {
  if (const auto range = parse_content_range(input)) {
    must(range->first <= range->last && range->last < range->total, "a range lies in its object");
    const auto again = fmt::format("bytes {}-{}/{}", range->first, range->last, range->total);
    must(parse_content_range(again) == range, "a range leads back");
  }
  const HttpHead head{.status = 200, .headers = {{"content-length", std::string(input)}}};
  if (const auto length = content_length(head)) {
    must(input.find_first_not_of("0123456789") == std::string_view::npos, "a length is digits");
  }
  if (is_safe_url(input) && input.starts_with("http:")) {
    const std::string_view host = host_of(input);
    must(host == "127.0.0.1" || host == "localhost" || host == "[::1]", "http stays at home");
  }
  must(s3::bare_etag("\"" + std::string(input) + "\"") == input, "an ETag loses its quotes");
  for (const char* name : {"md5", "crc32c"}) {
    if (const auto hash = gcs::hash_of(input, name))
      must(hash->size() <= 2 * input.size(), "a fingerprint is no longer than its header");
  }
  const std::string shown = printable(input);
  must(shown.size() <= 300 && shown.find('\n') == std::string::npos, "messages are one short line");
}

}  // namespace forebay::test
