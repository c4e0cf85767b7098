// Listings and errors of Google Cloud Storage.
#include "store/gcs_json.h"

#include "fuzz/fuzz.h"

namespace forebay::test {
namespace {

void check(const gcs::Entry& entry) {
  must(!entry.name.empty(), "an object has a name");
  must(entry.generation.find_first_not_of("0123456789") == std::string::npos &&
           !entry.generation.empty(),
       "a generation is a number");
}

}  // namespace

FOREBAY_FUZZ(gcs_json) {
  if (const auto page = gcs::parse_list(input)) {
    for (const gcs::Entry& entry : page->entries) check(entry);
    if (page->next_token) must(!page->next_token->empty(), "a page that goes on has a token");
  } else {
    must(page.error().code == ErrorCode::damaged, "a listing is right or damaged");
  }
  if (const auto entry = gcs::parse_entry(input)) {
    check(*entry);
  } else {
    must(entry.error().code == ErrorCode::damaged, "an object is right or damaged");
  }
  const gcs::ErrorDocument error = gcs::parse_error(input);
  must(error.reason.size() + error.message.size() <= input.size(), "nothing is made up");
}

}  // namespace forebay::test
