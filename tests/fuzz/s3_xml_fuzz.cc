// Listings and errors of S3, and our own token from page to page.
#include "store/s3_xml.h"

#include "base/encode.h"
#include "fuzz/fuzz.h"
#include "store/s3_page_token.h"

namespace forebay::test {
namespace {

void check_listing(std::string_view xml, const s3::ListDocument& page) {
  must(page.entries.size() <= xml.size() / 8, "entries are in the document");
  if (page.next_token) must(!page.next_token->empty(), "a page that goes on has a token");
  for (const s3::ListEntry& entry : page.entries) {
    const auto key = s3::decode_key(entry.key, s3::plus_means(page));
    if (!key) must(key.error().code == ErrorCode::damaged, "a key is right or damaged");
    if (key) must(percent_decode(percent_encode(*key)) == *key, "a key can be asked for");
  }
  // What is cut off anywhere is no listing.
  const std::size_t last = xml.find_last_not_of(" \t\r\n");
  const std::string_view tail = "</ListBucketResult>";
  const std::string_view whole = xml.substr(0, last + 1);
  if (whole.ends_with(tail))
    must(!s3::parse_list(whole.substr(0, whole.size() - 1 - whole.size() % tail.size())),
         "a cut listing is damaged");
}

}  // namespace

FOREBAY_FUZZ(s3_xml) {
  if (const auto page = s3::parse_list(input)) {
    check_listing(input, *page);
  } else {
    must(page.error().code == ErrorCode::damaged, "a listing is right or damaged");
  }
  if (const auto error = s3::parse_error(input))
    must(error->code.size() + error->message.size() <= input.size(), "nothing is made up");
  if (const auto token = s3::decode_page_token(input)) {
    must(s3::decode_page_token(s3::encode(*token)) == token, "a page's token leads back");
    const auto next = s3::follow(*token, token->server + "x", token->last_key);
    if (next) must(next->pages == token->pages + 1, "pages are counted");
  }
}

}  // namespace forebay::test
